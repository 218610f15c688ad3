"""How long answers took: added up over the runs of a job, and part of no result."""

from __future__ import annotations

from pathlib import Path

import pytest
from plumbline.records.manifest import outputs_without_manifest
from plumbline.records.page_data import name_in
from plumbline.records.times import Times, add_times, read_times, times_name, times_path


@pytest.fixture
def output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("results/ask/b/m").mkdir(parents=True)
    return Path("results/ask/b/m/1-of-2.parquet")


def test_what_later_runs_ask_is_added(output: Path) -> None:
    add_times(output, Times(10, 5.0))
    add_times(output, Times(2, 0.5004))
    assert read_times(times_path(output)) == Times(12, 5.5)


def test_a_run_that_asked_nobody_changes_nothing(output: Path) -> None:
    add_times(output, Times(0, 3.0))
    assert not times_path(output).exists()
    add_times(output, Times(1, 2.0))
    add_times(output, Times(0, 3.0))
    assert read_times(times_path(output)) == Times(1, 2.0)


def test_a_page_finds_the_file_under_the_name_that_it_hands_over(output: Path) -> None:
    add_times(output, Times(1, 2.0))
    assert name_in(times_path(output).read_bytes()) == times_name(output) == "../ask/b/m/1-of-2.times"
    assert (Path("results/report") / f"{times_name(output)}.js").resolve() == times_path(output).resolve()


def test_a_damaged_file_stops_no_job(output: Path) -> None:
    times_path(output).write_text("alert(1)")
    add_times(output, Times(1, 2.0))
    assert times_path(output).read_text() == "alert(1)"


def test_no_manifest_needs_to_account_for_it(output: Path) -> None:
    add_times(output, Times(1, 2.0))
    assert outputs_without_manifest(Path("results"), []) == []
