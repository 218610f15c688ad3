"""A run on a terminal: a line for each job that ended, and one line on those that run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import snakemake_logger_plugin_plumbline as plugin
from plumbline.records import joblog
from plumbline.records.files import write_json
from plumbline.records.joblog import RUN
from plumbline.workflow.running.run_lines import RunView


@pytest.fixture
def view(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunView:
    """A run of three jobs, of which the ask job has begun and asked four times."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("plumbline.records.joblog.current_run", lambda: "7")
    view = RunView()
    assert view.lines("run_info", {"stats": {"ask": 2, "tables": 1, "total": 3}}) == [
        "plumbline: 3 jobs to do: 2 ask, 1 tables"
    ]
    wildcards = {"benchmark": "demo", "model": "alpha"}
    view.lines("job_info", {"jobid": 5, "rule_name": "ask", "wildcards": wildcards, "log": ["alpha.log"]})
    Path("alpha.log").write_text(f"2026-11-21 10:00:00,000 DEBUG {RUN % 7}\n")
    attempt = {"asked": 4, "reused": 1, "prompt_tokens": 0, "completion_tokens": 0}
    write_json(Path("alpha.tally.json"), {"attempts": [attempt], "left": 1200})
    return view


def test_the_moving_line_says_what_runs_and_what_it_asked_so_far(view: RunView) -> None:
    assert view.moving() == ("0 of 3 jobs done; running: ask demo/alpha (0 s; 4 asked, 1 reused, about 1,200 left)")
    assert RunView().moving() == ""


def test_a_job_that_ended_has_one_line_and_is_no_longer_running(view: RunView) -> None:
    Path("alpha.tally.json").write_text(Path("alpha.tally.json").read_text().replace("1200", "0"))
    assert view.lines("job_finished", {"job_id": 5}) == ["[1/3] made   ask demo/alpha: 0 s; 4 asked, 1 reused"]
    assert view.moving() == ""


def test_a_job_whose_outputs_were_as_it_would_make_them_was_kept(view: RunView) -> None:
    Path("alpha.tally.json").unlink()
    with Path("alpha.log").open("a") as log:
        log.write("2026-11-21 10:00:00,000 INFO unchanged: made by the same code\n")
    assert view.lines("job_finished", {"job_id": 5}) == ["[1/3] kept   ask demo/alpha: 0 s"]


def test_a_failed_job_says_why_in_one_line(view: RunView) -> None:
    with Path("alpha.log").open("a") as log:
        log.write("2026-11-21 10:00:00,000 ERROR no answer\n  do:       wait\n")
    assert view.lines("job_error", {"jobid": 5}) == [
        "[0/3] FAILED ask demo/alpha: 0 s; 4 asked, 1 reused, about 1,200 left; no answer"
    ]
    assert view.lines("job_error", {"jobid": 5}) == []


def test_a_named_target_has_no_line_of_its_own(view: RunView) -> None:
    view.lines("job_info", {"jobid": 0, "rule_name": "all", "wildcards": {}, "log": []})
    assert view.lines("job_finished", {"job_id": 0}) == []


def test_the_log_and_tally_of_an_earlier_run_say_nothing_about_this_one(view: RunView) -> None:
    Path("alpha.log").write_text(f"2026-11-20 10:00:00,000 DEBUG {RUN % 6}\n2026 ERROR old\n")
    assert view.moving() == "0 of 3 jobs done; running: ask demo/alpha (0 s)"


def test_jobs_and_the_logger_mean_the_same_variable() -> None:
    assert plugin.WATCHED == joblog.WATCHED
    assert plugin.WATCHED not in os.environ
