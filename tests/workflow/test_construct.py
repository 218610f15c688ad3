"""Construction through the real Snakemake: a pool becomes pairs, each stage a file that can be rebuilt alone."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from pathlib import Path

import pytest
from making import FILES, HOME, SET, TARGETS, decided, to_make
from plumbline.asking.transcripts import TranscriptRow
from plumbline.data.instances import read_instances
from plumbline.derive.finals import read_finals
from plumbline.measuring.cells import read_cells
from plumbline.records.rows import read_records
from project import Project

PARTS = (("instances/tiny_made", ""), ("ask/tiny_made/writing", "/1-of-1"), ("texts/tiny_made/writing", ""))
"""The stages in which outputs are written."""


@pytest.fixture(scope="module")
def making(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """All of it built once."""
    project = to_make(tmp_path_factory.mktemp("making") / "plumbline")
    project.build(*TARGETS)
    return project


@pytest.fixture
def copy(making: Project, tmp_path: Path) -> Project:
    return making.twin(tmp_path / "plumbline")


def outcomes(project: Project, name: str) -> Counter[tuple[str, str]]:
    lines = project.path(f"{name}/funnel.csv").read_text().splitlines()[1:]
    parts = [line.split(",") for line in lines]
    return Counter({(stage, outcome): int(count) for stage, outcome, count in parts})


def test_the_funnel_accounts_for_every_row_at_every_stage(making: Project) -> None:
    counts = outcomes(making, SET)
    for stage in ("pool", "candidates", "filter"):
        ends = {outcome: count for (at, outcome), count in counts.items() if at == stage}
        assert ends.pop("rows") == sum(ends.values())
    assert counts["pool", "kept"] == counts["candidates", "rows"] == 8
    assert counts["pool", "repeated instruction"] == counts["pool", "empty instruction"] == 1
    assert counts["candidates", "changing the instruction was refused"] > 0
    assert counts["candidates", "kept"] == counts["filter", "rows"] > 0


def test_the_pairs_are_judged_as_they_are_and_published_as_they_are(making: Project) -> None:
    kept = [final for final in read_finals(making.path(f"{SET}/unreviewed.parquet")) if not final.dropped]
    judged = read_instances(making.path("results/instances/tiny_made.parquet"))
    assert [pair.instruction for pair in judged if pair.subset == "gptinst"] == [final.instruction for final in kept]
    assert Counter(pair.subset for pair in judged)["base_9"] == 5
    assert making.path("results/tables/making/lengths.csv").is_file()
    assert "CC0-1.0" in making.path(f"{SET}/dataset/README.md").read_text()


def test_every_text_a_model_wrote_is_in_a_transcript_under_its_item(making: Project) -> None:
    items = {one.id: one.key for one in read_instances(making.path("results/instances/tiny_made/writing.parquet"))}
    calls = read_records(making.path("results/ask/tiny_made/writing/writing/1-of-1.parquet"), TranscriptRow)
    written = {items[call.instance]: call.text for call in calls}
    for final in read_finals(making.path(f"{SET}/unreviewed.parquet")):
        assert written[final.item] in (final.first, final.second)


def test_a_built_project_has_nothing_left_to_do(copy: Project) -> None:
    run = copy.build(*TARGETS)
    assert not run.made


def test_a_stage_that_is_lost_is_rebuilt_alone_and_to_the_same_bytes(copy: Project) -> None:
    before = copy.contents()
    stages = [f"{SET}/{stage}" for stage in ("pool", "candidates", "filtered", "unreviewed")]
    written = tuple(f"{part}/writing{end}" for part, end in PARTS)
    judged = ("instances/tiny_made/filtering", "ask/tiny_made/filtering/writing/1-of-1")
    for stage in [*stages, *(f"results/{part}" for part in written + judged)]:
        copy.path(f"{stage}.parquet").unlink()
        run = copy.build("experiment=making", f"{stage}.parquet")
        assert run.made == {stage.removeprefix("results/")}
    assert copy.contents() == before


def test_killed_in_any_stage_the_next_run_ends_with_the_same_bytes(making: Project, tmp_path: Path) -> None:
    project = to_make(tmp_path / "plumbline")
    moments = random.Random(20240424)
    for _ in range(6):
        project.kill_after(moments.uniform(2.0, 9.0), "hydra=engine.writing.delay=1", *TARGETS)
    project.build(*TARGETS)
    assert project.contents() == making.contents()


def test_a_stricter_majority_filters_again_and_asks_nobody(copy: Project) -> None:
    file = "config/construct/tiny_gptinst.yaml"
    copy.write(file, copy.path(file).read_text().replace("filter: {", "filter: {majority: 0.0, "))
    shutil.rmtree(copy.path(".store"))
    run = copy.build(*TARGETS[:2])
    assert "construct/tiny_made/tiny_gptinst/filtered" in run.made
    assert not [job for job in run.made if job.startswith("ask") or job.endswith(("candidates", "pool"))]
    assert outcomes(copy, SET)["filter", "most evaluators see through it"] > 0


def test_only_the_page_of_a_set_that_changed_is_made_anew(copy: Project) -> None:
    pages = [f"results/report/sets/tiny_made/{name}.html" for name in ("tiny_gptinst", "tiny_base")]
    copy.build("experiment=making", *pages)
    done = copy.plumbline("verify")
    assert done.returncode == 0, done.stdout
    assert "making/lengths.html" in copy.path(pages[0]).read_text()
    file = "config/construct/tiny_gptinst.yaml"
    copy.write(file, copy.path(file).read_text().replace("filter: {", "filter: {majority: 0.0, "))
    run = copy.build("experiment=making", *pages)
    assert {name for name in run.made if name.startswith("report/")} == {"report/sets/tiny_made/tiny_gptinst"}
    assert "most evaluators see through it" in copy.path(pages[0]).read_text()
    assert not copy.build("experiment=making", *pages).made


def test_decisions_make_a_reviewed_set_beside_the_unreviewed_one(copy: Project) -> None:
    queue = read_finals(copy.path(f"{HOME}/tiny_base/unreviewed.parquet"))
    copy.path("config/construct/decided.jsonl").write_bytes(decided(queue))
    copy.write(
        "config/construct/tiny_base.yaml",
        "{title: Sums, strategy: addition, base: 9, size: 5, decisions: [config/construct/decided.jsonl]}",
    )
    copy.build(*TARGETS)
    reviewed = read_finals(copy.path(f"{HOME}/tiny_base/reviewed.parquet"))
    assert [final.state for final in reviewed] == ["kept", "swapped", "discarded", "unreviewed", "unreviewed"]
    assert [final.dropped for final in reviewed] == [
        "",
        "",
        "discarded: trivial",
        "not reviewed yet",
        "not reviewed yet",
    ]
    assert reviewed[1].gold != queue[1].gold
    assert read_finals(copy.path(f"{HOME}/tiny_base/unreviewed.parquet")) == queue
    made = read_instances(copy.path("results/instances/tiny_made.parquet"))
    assert Counter(instance.subset for instance in made)["base_9"] == 2
    assert outcomes(copy, f"{HOME}/tiny_base")["review", "kept"] == 2


def test_a_set_whose_pool_nobody_has_pinned_is_left_out_and_the_rest_is_built(copy: Project) -> None:
    copy.write("config/construct/tiny_base.yaml", "{title: Far, strategy: neighbor, pools: [alpaca], embedder: minilm}")
    run = copy.build(*TARGETS)
    line = "plumbline: left out of this run: tiny_base; nobody has pinned the data yet: plumbline pin alpaca"
    before, after = run.text.split("Building DAG of jobs", maxsplit=1)
    assert before.count(line) == 1 and after.count(line) == 1
    cells = {cell.column: cell for cell in read_cells(copy.path("results/cells/making/lengths.parquet"))}
    assert cells["MADE"].value is not None and not cells["MADE"].waits_for
    assert cells["SUMS"].value is None and cells["SUMS"].waits_for == ("data",)
    assert "plumbline pin alpaca" in cells["SUMS"].reason


def test_a_set_whose_pool_nobody_has_pinned_is_refused_where_it_alone_is_asked_for(copy: Project) -> None:
    copy.write("config/construct/tiny_base.yaml", "{title: Far, strategy: neighbor, pools: [alpaca], embedder: minilm}")
    run = copy.snakemake("experiment=making", "results/construct/tiny_base/pool.parquet")
    assert run.code != 0 and not run.made
    assert "nobody has pinned the digest" in run.text and "run `plumbline pin alpaca`" in run.text


def test_what_the_floor_drops_is_counted_and_no_model_is_asked_about_it(copy: Project) -> None:
    declared = (
        "{title: Near, strategy: neighbor, pools: [demo], size: 12, embedder: minilm, floor: 0.65, first: writing}"
    )
    copy.write("config/construct/tiny_near.yaml", declared)
    home = "results/construct/tiny_near"
    copy.build("experiment=making", f"{home}/datasheet.md", f"{home}/funnel.csv", f"{home}/similarity/demo.svg")
    counts = outcomes(copy, home)
    asked = read_instances(copy.path("results/instances/tiny_near/writing.parquet"))
    far = counts["candidates", "the neighbour is below the floor"]
    assert 0 < far < counts["candidates", "rows"] == 12 and len(asked) == 12 - far
    assert f"| dropped by the floor | {far} |" in copy.path(f"{home}/datasheet.md").read_text()
    assert "floor 0.65: drops" in copy.path(f"{home}/similarity/demo.svg").read_text()


def test_a_missing_column_is_one_message_that_names_the_nearest(copy: Project) -> None:
    copy.write("config/pool/tiny.yaml", "{source: tiny_pool, columns: {instruction: tsk, output: reply}}")
    run = copy.snakemake(*TARGETS[:2])
    assert run.code != 0 and "the column 'tsk' is missing" in run.text and "did you mean 'task'" in run.text
    assert "Traceback" not in run.text


def test_where_nothing_is_left_of_any_set_the_run_ends_well_and_its_table_says_so(tmp_path: Path) -> None:
    project = to_make(tmp_path / "plumbline")
    refusing = '{kind: scripted, answers: {perturb: ["I cannot help with that."], compare: [Output (b)]}}'
    project.write("config/engine/writing.yaml", refusing)
    project.write("config/benchmark/tiny_made.yaml", "{derive: together, subsets: {gptinst: tiny_gptinst}}")
    project.write(
        "config/table/making/lengths.yaml",
        FILES["config/table/making/lengths.yaml"]
        .replace(", SUMS: [base_9]", "")
        .replace("rows:", "rows:\n          Writing: {model: writing, protocol: vanilla}"),
    )
    run = project.build("experiment=making", "hydra=experiment.construct=[tiny_gptinst]")
    assert "came out empty, so that no table can have them as a column: 'gptinst'" in run.text
    said = project.path("results/tables/making/lengths.md").read_text()
    assert "No column for MADE: nothing was left of its sets" in said
    assert project.path("results/report/index.html").is_file()
    assert "Nothing to be done" in project.build("experiment=making", "hydra=experiment.construct=[tiny_gptinst]").text
    verified = project.plumbline("verify")
    assert verified.returncode == 0, verified.stdout + verified.stderr
