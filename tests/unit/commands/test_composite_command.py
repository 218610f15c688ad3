"""`plumbline composite`: which method each category gets from a built table, what is said of it, what is written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from plumbline.commands import cli
from plumbline.config.tables import measured
from plumbline.config.typed import build
from plumbline.data.instances import Instance, Output, write_instances
from plumbline.data.labels import BETTER, GOLD, Label, write_labels
from plumbline.data.verdicts import NOTHING, Outcome, Verdict, write_verdicts
from plumbline.measuring.bootstrap import Bootstrap
from plumbline.measuring.cases import CaseFiles
from plumbline.measuring.cells import read_cells, write_cells
from plumbline.measuring.table import Measuring
from plumbline.models.engines.by_category import Settings
from plumbline.models.kinds import settings_of
from plumbline.records.files import write_json
from plumbline.records.manifest import JobFiles, manifest_path, sealed
from small_manifests import fingerprint, manifest

EACH = 40
CATEGORIES = ("Open QA", "Extract", "Rewrite")
RIGHT = {"ours": (36, 20, 21), "rouge": (24, 39, 20), "length": (8, 8, 21)}
"""By model, of how many of the instances of each category it prefers the better output."""
PROTOCOLS = {"ours": "vanilla@plumbline", "rouge": "rouge", "length": "shorter"}
BOTH = {"Open QA and Extract": {"where": {"category": ["Open QA", "Extract"]}}}
TABLE: dict[str, Any] = {
    "paper": "mine",
    "name": "one",
    "benchmark": "own",
    "metrics": ["acc"],
    "columns": {
        **{name: {"where": {"category": [name]}} for name in CATEGORIES},
        "All": {"mean": list(CATEGORIES), "pooled": True},
    },
    "rows": {
        "Ours": {"model": "ours", "protocol": PROTOCOLS["ours"]},
        "Rouge, of words": {"model": "rouge", "protocol": "rouge"},
        "Shorter": {"model": "length", "protocol": "shorter"},
        "Best": {"best_of": ["Ours", "Shorter"]},
        "Mapped": {"by_column": {"Open QA": "Ours", "Extract": "Shorter", "Rewrite": "Shorter"}},
        "Made of them": {"model": "made", "protocol": "composite"},
        "Still to come": {"model": "later", "protocol": "vanilla@plumbline"},
    },
    "waiting": [["Still to come", column, "acc"] for column in (*CATEGORIES, "All")],
}
PLAIN = dict(list(TABLE["rows"].items())[:3])
BOOTSTRAP = {"replicates": 500, "level": 0.95, "seed": 7}


def instances() -> list[Instance]:
    outputs = (Output("a", "one"), Output("b", "two"))
    return [
        Instance(f"{place}{number:015}", "all", f"Say {number}.", outputs, {"category": (category,)})
        for place, category in enumerate(CATEGORIES)
        for number in range(EACH)
    ]


def said(model: str, protocol: str, right: Iterable[int]) -> list[Verdict]:
    """The first output is the better one throughout."""
    words = [["first"] * many + ["second"] * (EACH - many) for many in right]
    return [
        Verdict(one.id, protocol, BETTER, NOTHING, Outcome(word), Outcome(word))
        for one, word in zip(instances(), [word for some in words for word in some], strict=True)
    ]


def kept(path: Path, inputs: dict[str, list[str]], settings: dict[str, Any]) -> None:
    """A manifest that says no more than the command reads."""
    made_from = fingerprint("", {name: "" for names in inputs.values() for name in names})
    made = replace(manifest(path.as_posix(), made_from, settings=settings), job=JobFiles(inputs, [path.as_posix()]))
    write_json(manifest_path(path), sealed(asdict(made)))


def build_table(**changed: Any) -> None:
    """The table with its instances, labels and verdicts, as a run leaves them in the working folder."""
    table = TABLE | changed
    files = {kind: Path(f"results/{kind}/own.parquet") for kind in ("instances", "labels")}
    write_instances(files["instances"], instances())
    write_labels(files["labels"], [Label(one.id, GOLD, BETTER, None, "first", None) for one in instances()])
    verdicts = {model: Path(f"results/verdicts/own/{model}.parquet") for model in (*RIGHT, "made")}
    for model, right in RIGHT.items():
        write_verdicts(verdicts[model], said(model, PROTOCOLS[model], right))
    write_verdicts(verdicts["made"], said("made", "composite", (40, 40, 40)))
    kept(verdicts["made"], {}, {"composed": {"protocols": ["composite"]}})
    inputs = {kind: [path.as_posix()] for kind, path in files.items()}
    inputs["verdicts"] = [path.as_posix() for path in verdicts.values()]
    cases = CaseFiles.by_benchmark([files["instances"]], [files["labels"]], list(verdicts.values()))
    path = Path("results/cells/mine/one.parquet")
    measuring = Measuring(measured(table, "table"), build(Bootstrap, BOOTSTRAP, "bootstrap"), cases)
    write_cells(path, measuring.cells())
    kept(path, inputs, {"table": table, "bootstrap": BOOTSTRAP})


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    build_table()
    return tmp_path


def composite(*words: str) -> int:
    return cli.main(["composite", "mine/one", "--name", "made_here", *words])


def written(group: str) -> Any:
    return yaml.safe_load(Path(f"config/{group}/made_here.yaml").read_text())


def test_each_category_gets_the_best_row_and_the_files_name_model_and_protocol_in_full(here: Path) -> None:
    assert composite() == 0
    assert written("engine") == {
        "kind": "by_category",
        "methods": {
            "Ours": {"model": "ours", "protocol": "vanilla@plumbline"},
            "Rouge, of words": {"model": "rouge", "protocol": "rouge"},
        },
        "categories": {"Open QA": "Ours", "Extract": "Rouge, of words", "Rewrite": "Ours"},
    }
    assert written("model") == {"label": "Composite made_here", "engine": "made_here"}
    assert "plumbline composite mine/one" in Path("config/engine/made_here.yaml").read_text()


def test_what_is_written_is_an_engine_of_that_kind(here: Path) -> None:
    composite()
    settings = settings_of(written("engine"), "engine.made_here")
    assert isinstance(settings, Settings)
    settings.check("engine.made_here")
    assert settings.method_of(["Extract"]) == "Rouge, of words"


def test_each_line_has_the_number_of_the_cell_and_the_lead(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    composite()
    lines = capsys.readouterr().out.splitlines()
    cells = {(cell.row, cell.column): cell for cell in read_cells(Path("results/cells/mine/one.parquet"))}
    best = cells["Ours", "Open QA"]
    assert lines[0].startswith(f"Open QA: Ours, 90.0 [{best.low:.1f}, {best.high:.1f}]; 30.0 [")
    assert lines[0].endswith("before Rouge, of words (60.0)"), "a clear lead, 12 of 40"
    assert lines[1].startswith("Extract: Rouge, of words, 97.5 [") and "47.5 [" in lines[1]
    assert lines[2].endswith("as good as Shorter (52.5): the first of the two is taken")
    assert any("on the same instances the judge looks better than it is" in line for line in lines)


def test_a_lead_less_than_its_uncertainty_is_said_to_be_one(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    composite("--among", 'Shorter, "Rouge, of words"')
    lines = capsys.readouterr().out.splitlines()
    assert "2.5 [-" in lines[2] and lines[2].endswith("before Rouge, of words (50.0): less than its uncertainty")
    assert not lines[0].endswith("uncertainty")
    assert written("engine")["categories"]["Open QA"] == "Rouge, of words"


def test_a_row_alone_leads_nobody(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert composite("--among", "Shorter") == 0
    assert capsys.readouterr().out.count("no other row has a number") == 3


@pytest.mark.parametrize("row", ["Best", "Mapped", "Made of them"])
def test_only_a_judge_that_is_asked_itself_is_a_method(
    here: Path, row: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert composite("--among", row) == 1
    told = capsys.readouterr().err
    assert f"{row!r} is no method" in told and "Ours, Rouge, of words, Shorter" in told
    assert not Path("config").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--among", "Shortr"], "did you mean 'Shorter'?"),
        (["--among", "Still to come"], "none of the rows has a number in the column 'Open QA'"),
        (["--metric", "kapa"], "'kapa' is not known"),
        (["--context", "task"], "no column of the table is of a category"),
        (["--name", "a/b"], "'a/b' is no name of a judge"),
    ],
)
def test_what_cannot_be_chosen_is_named(
    here: Path, words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert composite(*words) == 1 and told in capsys.readouterr().err


def test_a_table_that_is_not_built_is_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["composite", "mine/on", "--name", "made_here"]) == 1
    assert "no manifest accounts for results/cells/mine/on.parquet" in capsys.readouterr().err


def test_files_of_this_name_are_overwritten_only_if_that_is_said(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    composite()
    assert composite("--among", "Shorter") == 1 and "--force" in capsys.readouterr().err
    assert len(written("engine")["methods"]) == 2
    assert composite("--among", "Shorter", "--force") == 0 and list(written("engine")["methods"]) == ["Shorter"]


def test_a_column_of_several_categories_gives_each_its_method(here: Path) -> None:
    columns = TABLE["columns"]
    build_table(columns=BOTH | {"Rewrite": columns["Rewrite"]}, waiting=[], rows=PLAIN)
    composite()
    assert written("engine")["categories"] == {
        "Open QA": "Rouge, of words",
        "Extract": "Rouge, of words",
        "Rewrite": "Ours",
    }


def test_a_category_in_two_columns_is_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build_table(columns=TABLE["columns"] | BOTH, waiting=[], rows=PLAIN)
    assert composite() == 1
    assert "'Open QA' is in two columns" in capsys.readouterr().err


def test_of_several_measures_one_is_chosen_and_less_may_be_better(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build_table(metrics=["acc", "unparsed"], waiting=[], rows=PLAIN)
    assert composite() == 1 and "say which: --metric NAME" in capsys.readouterr().err
    assert composite("--metric", "unparsed") == 0
    assert capsys.readouterr().out.count("as good as") == 3
    assert composite("--metric", "acc", "--force") == 0 and len(written("engine")["methods"]) == 2
