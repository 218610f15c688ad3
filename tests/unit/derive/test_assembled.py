"""Finished sets as the subsets of a benchmark."""

from __future__ import annotations

from pathlib import Path

import pytest
from plumbline.config.benchmark import ConstructedBenchmark
from plumbline.data.labels import BETTER
from plumbline.derive.finals import Final, assemble, write_finals

BENCHMARK = ConstructedBenchmark(loader="construct", subsets={"near": "near", "far": "far"})


def finals(folder: Path, name: str, *dropped: str) -> Path:
    rows = [
        Final(f"{n}", name, f"Say {n}.", "a", "b", "second", "f#0", "i", "", "", "", "unreviewed", "", why)
        for n, why in enumerate(dropped)
    ]
    path = folder / name / "unreviewed.parquet"
    path.parent.mkdir()
    write_finals(path, rows)
    return path


def test_what_is_dropped_is_judged_nowhere_and_labels_go_with_their_pairs(tmp_path: Path) -> None:
    files = [finals(tmp_path, "near", "", "discarded"), finals(tmp_path, "far", "")]
    found = list(assemble(BENCHMARK, files))
    assert [(one.instance.subset, one.instance.instruction) for one in found] == [("near", "Say 0."), ("far", "Say 0.")]
    assert all((one.labels[0].question, one.labels[0].word) == (BETTER, "second") for one in found)
    assert [one.labels[0].instance for one in found] == [one.instance.id for one in found]


def test_a_set_that_came_out_empty_leaves_the_others_to_be_judged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    files = [finals(tmp_path, "near", ""), finals(tmp_path, "far", "discarded")]
    with caplog.at_level("WARNING"):
        assert [one.instance.subset for one in assemble(BENCHMARK, files)] == ["near"]
    assert "'far'" in caplog.text and "far/funnel.md" in caplog.text


def test_where_all_came_out_empty_each_is_named_with_where_its_rows_went(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    files = [finals(tmp_path, "near"), finals(tmp_path, "far", "discarded")]
    with caplog.at_level("WARNING"):
        assert list(assemble(BENCHMARK, files)) == []
    assert "near/funnel.md" in caplog.text and "far/funnel.md" in caplog.text
