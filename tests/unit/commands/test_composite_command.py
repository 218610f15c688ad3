"""`plumbline composite`: the best method of each category, as a table says, becomes a judge."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from plumbline.commands import cli
from plumbline.measuring.cells import Cell, write_cells
from plumbline.workflow.composing.compose import compose
from rebuilt import CONFIG

VALUES = {
    ("Rouge-1", "OQA"): 70.0,
    ("MiniLM cosine", "OQA"): 60.0,
    ("Rouge-1", "Ext"): 50.0,
    ("MiniLM cosine", "Ext"): 80.0,
    ("Shorter", "Rew"): 55.0,
    ("Rouge-1", "Rew"): 55.0,
    ("Rouge-1", "Sum"): 40.0,
    ("Shorter", "Sum"): 41.0,
}
JUDGES = {"Rouge-1": ("rouge", "rouge"), "MiniLM cosine": ("minilm", "cosine"), "Shorter": ("length", "shorter")}


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The cells of href_demo/table1 with these values, in a folder of the configuration's own."""
    shutil.copytree(CONFIG, tmp_path / "config")
    monkeypatch.chdir(tmp_path)
    write_cells(Path("results/cells/href_demo/table1.parquet"), list(made()))
    yield tmp_path


def made() -> Iterator[Cell]:
    for (row, column), value in VALUES.items():
        model, protocol = JUDGES[row]
        for reading, shift in (("as_published", 0.0), ("strict", -30.0)):
            usual = dict.fromkeys(("unparsed", "truncated", "refused", "no_reference", "failed", "close"), 0)
            yield Cell(
                **{"row": row, "column": column, "metric": "loo", "reading": reading, "value": value + shift},
                **{"low": value - 5, "high": value + 5, "n": 100, "model": model, "protocol": protocol, **usual},
                **{"paper": None, "status": "unprinted", "reason": "", "se": 2.5, "se_name": "bootstrap"},
                **{"title": "LOO", "unit": "%", "digits": 1, "benchmark": "href_demo", "subsets": (), "marks": ()},
                waits=False,
            )


def composite(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = cli.main(["composite", *words, "--config", "experiment=demo"])
    output = capsys.readouterr()
    return code, output.out, output.err


def test_the_best_of_each_category_is_written_as_a_judge_that_can_be_asked(
    built: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = composite(capsys, "href_demo/table1", "--name", "mine")
    assert code == 0
    engine = yaml.safe_load((built / "config/engine/mine.yaml").read_text())
    assert engine["categories"] == {
        "Open QA": "Rouge-1",
        "Extract": "MiniLM cosine",
        "Rewrite": "Shorter",
        "Summarize": "Shorter",
    }, "of two that are alike the row that stands first"
    assert engine["methods"]["MiniLM cosine"] == {"model": "minilm", "protocol": "cosine"}
    resolved = compose(built / "config", "demo")
    assert resolved.config.model["mine"].engine == "mine"
    assert "70.0 [65.0, 75.0] of 100; next MiniLM cosine, 60.0\n" in out
    assert "next Rouge-1, 40.0 (not told apart)" in out
    assert "2 of 4 are told apart from the next" in out


def test_rows_are_chosen_among_those_that_are_named(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    composite(capsys, "href_demo/table1", "--name", "mine", "--among", "Rouge-1")
    engine = yaml.safe_load((built / "config/engine/mine.yaml").read_text())
    assert set(engine["categories"].values()) == {"Rouge-1"}


def test_what_is_there_is_not_written_over_unless_told_so(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (built / "config/engine/mine.yaml").write_text("kind: none\n")
    code, _, error = composite(capsys, "href_demo/table1", "--name", "mine")
    assert code == 1 and "--force" in error and not (built / "config/model/mine.yaml").exists()
    assert composite(capsys, "href_demo/table1", "--name", "mine", "--force")[0] == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["href_demo/tabel1", "--name", "mine"], "did you mean 'href_demo/table1'"),
        (["href_demo/table1", "--name", "mine", "--among", "Rouge"], "did you mean 'Rouge-1'"),
        (["href_demo/people", "--name", "mine"], "the table is not built"),
    ],
)
def test_what_cannot_be_chosen_from_is_said(
    built: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    code, _, error = composite(capsys, *words)
    assert code == 1 and message in error
