"""What a job asked and reused is counted in a file beside its log, attempt by attempt."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from plumbline.models import progress
from plumbline.models.progress import Progress
from plumbline.records.files import write_text
from plumbline.records.tally import Attempt, Tally, TallyFile, read_attempts, tally_path

NAME = "results/ask/small/alpha/1-of-1"


def test_a_tally_lies_beside_the_output_and_the_log() -> None:
    assert tally_path(Path(f"{NAME}.parquet")) == tally_path(Path(f"{NAME}.log")) == Path(f"{NAME}.tally.json")


def test_each_attempt_is_counted(tmp_path: Path) -> None:
    file = tmp_path / "job.tally.json"
    for asked, reused in ((1234, 0), (66, 1234)):
        with Progress(Tally(), file) as shown:
            shown.tally.asked, shown.tally.reused, shown.tally.prompt_tokens = asked, reused, 9
    assert read_attempts(file) == [Attempt(1234, 0, 9, 0), Attempt(66, 1234, 9, 0)]


def test_of_an_attempt_that_is_killed_what_it_wrote_down_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "LOG_SECONDS", 0.02)
    file = tmp_path / "job.tally.json"
    with Progress(Tally(asked=7), file):
        for _ in range(500):
            time.sleep(0.01)
            if result := read_attempts(file):
                break
        assert result == [Attempt(7, 0, 0, 0)]


def test_a_job_without_a_tally_asked_nothing(tmp_path: Path) -> None:
    assert read_attempts(tmp_path / "none.tally.json") == []


def test_what_a_killed_attempt_left_half_written_is_removed(tmp_path: Path) -> None:
    file = tmp_path / "job.tally.json"
    half, other = tmp_path / ".job.tally.json.x1.part", tmp_path / ".job2.tally.json.x1.part"
    for left in (half, other):
        left.write_text("{")
    TallyFile(file, Tally(asked=3)).write()
    assert not half.exists() and other.exists()


@pytest.mark.parametrize("text", ["{", "[]", '{"attempts": [{"asked": 1}]}', '{"attempts": [1]}'])
def test_a_broken_tally_costs_its_counts_and_no_job(
    text: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "job.tally.json"
    write_text(file, text)
    TallyFile(file, Tally(asked=3)).write()
    assert "earlier attempts are not counted" in caplog.text
    assert read_attempts(file) == [Attempt(3, 0, 0, 0)]


def test_a_tally_that_cannot_be_written_is_warned_of_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("in the way")
    tally = Tally()
    file = TallyFile(tmp_path / "file/job.tally.json", tally)
    for asked in range(3):
        tally.asked = asked
        file.write()
    [message] = caplog.messages
    assert "what is asked is not counted" in message
