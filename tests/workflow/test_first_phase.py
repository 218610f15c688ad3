"""What a run makes before it plans: what asks nobody, so that no job that asks is planned in vain."""

from __future__ import annotations

import json
import re
import shutil

import pytest
from plumbline.workflow.running.nested import NESTED, WOULD_ASK
from project import TABLES, Project
from tiny import PAIRS, TINY, as_lines, pairs

PHASE = "First what asks nobody"
PLANNED = re.compile(r"^\[.*?\] (?:made|kept) +(\w+)", re.MULTILINE)
LOADER = "scripts/plumbline/data/loaders/rows.py"
CELLS = {"cells/tiny/judges", "cells/tiny/lengths"}
MORE = """
paper: tiny
name: more
title: One more protocol
source: Plumbline
benchmark: tiny
metrics: [acc]
columns: {PLAIN: [plain]}
rows: {Rules: {model: tiny, protocol: vanilla+rules}}
"""
DERIVED = "{{derive: with_texts, of: tiny, written: {{{}: {{model: writing, becomes: context}}}}}}"
WRITING = {
    "config/engine/writing.yaml": "{kind: scripted, answers: {response: [An answer.], reference: [Another answer.]}}",
    "config/model/writing.yaml": "{label: Writing, engine: writing}",
    "config/benchmark/tiny_first.yaml": DERIVED.format("response"),
    "config/table/tiny/judges.yaml": TINY["config/table/tiny/judges.yaml"].replace(
        "benchmark: tiny", "benchmark: tiny_first"
    ),
}


def edit(project: Project, name: str) -> None:
    with project.path(name).open("a") as file:
        file.write("\n# edited\n")


def correct_a_label(project: Project) -> None:
    corrected = pairs()
    corrected[0]["better"] = 3 - int(str(corrected[0]["better"]))
    project.write(PAIRS, as_lines(corrected))


def planned(text: str) -> set[str]:
    """The rules that Snakemake itself planned, after the first phase."""
    return set(PLANNED.findall(text))


def test_an_edited_loader_with_the_same_instances_plans_no_job_that_asks(built: Project) -> None:
    edit(built, LOADER)
    run = built.build("all")
    assert PHASE in run.text and "Nothing to be done" in run.text
    assert run.made == {"instances/tiny"} and not run.kept
    assert built.plumbline("verify").returncode == 0


def test_a_corrected_label_changes_tables_and_plans_no_job_that_asks(built: Project) -> None:
    before = built.path(TABLES[0]).read_text()
    correct_a_label(built)
    run = built.build("all")
    assert run.made >= {"source/tiny", "instances/tiny", *CELLS} and not run.kept & {"ask/tiny/tiny/1-of-1"}
    assert not planned(run.text) & {"ask", "ask_locally", "replay", "read"}
    assert built.path(TABLES[0]).read_text() != before
    assert built.plumbline("verify").returncode == 0
    assert PHASE not in built.build("all").text


def test_a_changed_pair_is_asked_about_anew(built: Project) -> None:
    changed = pairs()
    changed[0]["instruction"] = "Say something else."
    built.write(PAIRS, as_lines(changed))
    run = built.build()
    assert run.made >= {"ask/tiny/tiny/1-of-1", "verdicts/tiny/tiny"}


def test_nothing_is_made_first_where_nobody_was_asked(fresh: Project) -> None:
    assert PHASE not in fresh.build("results/instances/tiny.parquet").text
    edit(fresh, LOADER)
    assert PHASE not in fresh.build().text


@pytest.mark.parametrize("option", ["--dry-run", "--summary", "--dag", "--touch"])
def test_who_only_looks_makes_nothing(built: Project, option: str) -> None:
    edit(built, LOADER)
    before = built.logs()
    run = built.snakemake(*TABLES, options=(option,))
    assert run.code == 0 and PHASE not in run.text
    assert built.logs() == before


def test_only_what_the_target_needs_comes_first(built: Project) -> None:
    edit(built, LOADER)
    run = built.build("results/source/tiny.zip")
    assert PHASE not in run.text and run.made == set()


def test_a_mistake_in_the_first_phase_is_told_once_by_the_run_and_what_rests_on_it_stays(built: Project) -> None:
    before = built.path(TABLES[0]).read_text()
    rows = pairs()
    del rows[3]["output_2"]
    built.write(PAIRS, as_lines(rows))
    run = built.snakemake(*TABLES)
    assert run.code == 1
    assert run.text.count("tiny.jsonl, row 4") == 1 and "Traceback" not in run.text
    assert not any(name.startswith(("ask/", "cells/", "tables/")) for name in run.made)
    assert built.path(TABLES[0]).read_text() == before
    built.write(PAIRS, as_lines(pairs()))
    assert "Nothing to be done" in built.build("all").text
    assert built.plumbline("verify").returncode == 0


def test_the_first_phase_ends_before_it_would_ask_somebody(fresh: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is to be made may rest on other files than it did, of which its manifest does not know."""
    monkeypatch.setenv(NESTED, "1")
    run = fresh.snakemake(TABLES[0])
    assert (run.code, run.made) == (WOULD_ASK, set())
    assert fresh.snakemake("results/instances/tiny.parquet").made == {"source/tiny", "instances/tiny"}


def test_a_protocol_added_leaves_all_that_rests_on_the_others(built: Project) -> None:
    before = built.contents()
    built.write("config/table/tiny/more.yaml", MORE)
    run = built.build(*TABLES, "results/tables/tiny/more.csv")
    assert run.made == {"ask/tiny/tiny/1-of-1", "verdicts/tiny/tiny", "cells/tiny/more", "tables/tiny/more"}
    assert run.kept == set()
    old = {name: data for name, data in before.items() if "/cells/" in name or "/tables/" in name}
    assert {name: data for name, data in built.contents().items() if name in old} == old
    pages = built.build("all")
    assert not (pages.made | pages.kept) & {"report/tables/tiny/judges", "report/tables/tiny/lengths", *CELLS}
    assert "report/judges/tiny/tiny" in pages.made
    done = built.plumbline("verify")
    assert done.returncode == 0, done.stdout


def test_what_is_itself_stale_is_made_though_what_it_rests_on_is_only_extended(built: Project) -> None:
    """To Snakemake the verdicts are no reason to make it then."""
    built.write("config/table/tiny/more.yaml", MORE)
    edit(built, "scripts/plumbline/measuring/sampling.py")
    run = built.build(*TABLES, "results/tables/tiny/more.csv")
    assert run.made >= {*CELLS, "cells/tiny/more", "ask/tiny/tiny/1-of-1"}
    assert "Nothing to be done" in built.build(*TABLES, "results/tables/tiny/more.csv").text


def test_a_table_of_what_was_asked_before_does_not_wait_for_what_is_asked_beside_it(built: Project) -> None:
    built.write("config/table/tiny/more.yaml", MORE)
    built.write(
        "config/table/tiny/old.yaml", MORE.replace("name: more", "name: old").replace("vanilla+rules", "vanilla")
    )
    assert built.build("results/tables/tiny/old.csv").made == {"cells/tiny/old", "tables/tiny/old"}
    assert built.plumbline("verify").returncode == 0
    run = built.build(*TABLES, "results/tables/tiny/more.csv")
    assert "cells/tiny/more" in run.made and "cells/tiny/old" not in run.made | run.kept


def test_a_table_that_gets_a_row_of_a_new_protocol_counts_it(built: Project) -> None:
    table = built.path("config/table/tiny/judges.yaml")
    row = "  Rules: {model: tiny, protocol: vanilla+rules}\n        printed:"
    table.write_text(table.read_text().replace("printed:", row))
    made = {"ask/tiny/tiny/1-of-1", "verdicts/tiny/tiny", "cells/tiny/judges", "tables/tiny/judges"}
    assert built.build().made == made
    assert "Rules,strict" in built.path(TABLES[0]).read_text()


def test_another_text_of_a_writer_leaves_alone_what_rests_on_the_first(fresh: Project) -> None:
    for name, text in WRITING.items():
        fresh.write(name, text)
    fresh.build(TABLES[0])
    fresh.write("config/benchmark/tiny_second.yaml", DERIVED.format("reference"))
    run = fresh.build(TABLES[0], "results/instances/tiny_second.parquet")
    assert run.made == {"ask/tiny/writing/1-of-1", "texts/tiny/writing", "instances/tiny_second"}
    assert not run.kept


def test_each_level_between_asks_is_made_first_and_no_ask_is_looked_at(fresh: Project) -> None:
    """A label is corrected and the derivation edited: the texts are proved fresh, then what is judged with them."""
    for name, text in WRITING.items():
        fresh.write(name, text)
    fresh.build(TABLES[0])
    correct_a_label(fresh)
    edit(fresh, "scripts/plumbline/derive/derivations/with_texts.py")
    run = fresh.build(TABLES[0])
    made = {"source/tiny", "instances/tiny", "instances/tiny_first", "cells/tiny/judges", "tables/tiny/judges"}
    assert run.made == made and not run.kept


def test_a_protocol_edited_makes_again_only_what_uses_it(built: Project) -> None:
    built.write("config/protocol/another.yaml", built.path("config/protocol/vanilla.yaml").read_text())
    built.write("config/table/tiny/more.yaml", MORE.replace("vanilla+rules", "another"))
    more = (*TABLES, "results/tables/tiny/more.csv")
    built.build(*more)
    built.write("config/protocol/another.yaml", built.path("config/protocol/swap.yaml").read_text())
    run = built.build(*more)
    assert {"cells/tiny/more", "ask/tiny/tiny/1-of-1"} <= run.made
    assert not (run.made | run.kept) & CELLS


def test_what_a_file_says_of_one_protocol_stands_though_another_was_added(built: Project) -> None:
    """By the manifests alone, without Snakemake's memory."""
    built.write("config/table/tiny/more.yaml", MORE)
    built.build("results/tables/tiny/more.csv")
    manifest = json.loads(built.path("results/cells/tiny/judges.parquet.manifest.json").read_text())
    assert manifest["fingerprint"]["parts"] == {
        "results/verdicts/tiny/length.parquet": ["longer"],
        "results/verdicts/tiny/tiny.parquet": ["swap@plumbline", "vanilla@plumbline"],
    }
    shutil.rmtree(built.path(".snakemake"))
    assert "Nothing to be done" in built.build(*TABLES).text
