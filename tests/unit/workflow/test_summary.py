"""The end of a run says what was done, and of what was not, why."""

from __future__ import annotations

from pathlib import Path

from plumbline.workflow.running.summary import JobResult, reason_in, summary_of
from plumbline.workflow.slurm.endings import Ending


def test_the_reason_is_the_last_error_in_a_log() -> None:
    log = "2026-11-21 10:00:00,000 WARNING slow\n2026-11-21 10:00:01,000 ERROR no such file\n  do:       fetch it\n"
    assert reason_in(log) == "no such file\n  do:       fetch it"
    assert reason_in("2026-11-21 10:00:00,000 INFO x: asked 6 (9 prompt and 9 answer tokens), reused 0, in 3 s\n") == ""


def test_a_librarys_errors_and_warnings_are_not_taken_for_the_jobs_own(tmp_path: Path) -> None:
    log = tmp_path / "alpha.log"
    log.write_text(
        "2026-11-21 10:00:00,000 vllm.engine WARNING no GPU\n"
        "2026-11-21 10:00:01,000 ERROR vLLM did not start\n  do:       look above\n"
        "2026-11-21 10:00:02,000 vllm.engine ERROR cannot shut down\nTraceback: an ERROR at the end\n"
    )
    assert reason_in(log.read_text()) == "vLLM did not start\n  do:       look above"
    assert "warned" not in summary_of([JobResult("ask", "small/alpha", "made", log)], standing=0)


def test_made_kept_and_asked_are_counted_by_rule() -> None:
    steps = [
        JobResult("ask", "small/alpha", "made", None, asked=40, reused=2),
        JobResult("ask", "small/beta", "made", None, asked=10, endings=[Ending("NODE_FAIL")]),
        JobResult("ask", "small/gamma", "failed", None, endings=[Ending("TIMEOUT")]),
        JobResult("tables", "small/judges", "kept", None),
    ]
    assert summary_of(steps, standing=3).splitlines()[:3] == [
        "plumbline: 2 made, 4 kept unchanged, 1 failed; 50 asked, 2 reused",
        "  ask        2 made; 1 failed; 50 asked, 2 reused; 1 after a retry (NODE_FAIL)",
        "  tables     1 kept",
    ]


def test_a_failure_names_its_reason_and_what_waits_for_it(tmp_path: Path) -> None:
    log = tmp_path / "alpha.log"
    log.write_text("2026-11-21 10:00:01,000 ERROR no answer\n")
    steps = [
        JobResult("ask", "small/alpha", "failed", log, endings=[Ending("FAILED")] * 2),
        JobResult("replay", "small/alpha", "not done", None),
    ]
    text = summary_of(steps, standing=0)
    assert "plumbline: 0 made, 0 kept unchanged, 1 failed, 1 not done; 0 asked, 0 reused" in text
    assert f"  failed: ask small/alpha (FAILED, FAILED)\n    no answer\n    log: {log}\n" in text
    assert "  not done: replay small/alpha\n" in text


def test_a_job_that_left_no_word_is_explained_by_what_the_cluster_said(tmp_path: Path) -> None:
    text = summary_of([JobResult("ask", "small/alpha", "failed", None, endings=[Ending("OUT_OF_MEMORY")])], standing=0)
    assert "it ran out of memory" in text and "log:" not in text


def test_a_refused_job_is_one_line_also_after_an_attempt_that_failed_by_itself(tmp_path: Path) -> None:
    refused = Ending("REFUSED", "Invalid partition name specified")
    lines = summary_of(
        [JobResult("ask", "small/alpha", "failed", None, endings=[refused], model="alpha")], 0
    ).splitlines()
    assert lines[2] == "  failed: ask small/alpha (REFUSED)"
    assert lines[3] == f"    {refused.reason('alpha')}"
    assert "To go on" in lines[4]
    log = tmp_path / "alpha.log"
    log.write_text("2026-11-21 10:00:01,000 ERROR no answer\n")
    text = summary_of(
        [JobResult("ask", "small/alpha", "failed", log, endings=[Ending("FAILED"), refused], model="alpha")], 0
    )
    assert f"(FAILED, REFUSED)\n    no answer\n    {refused.reason('alpha')}\n    log: {log}" in text


def test_a_job_that_left_nothing_at_all_is_said_so(tmp_path: Path) -> None:
    text = summary_of([JobResult("ask", "small/alpha", "failed", None, endings=[Ending("FAILED")])], standing=0)
    assert "    it ended without a word\n" in text


def test_a_long_list_of_what_was_not_done_is_cut() -> None:
    steps = [JobResult("replay", f"small/m{number}", "not done", None) for number in range(30)]
    assert "replay small/m9 and 20 more" in summary_of(steps, standing=0)


def test_what_jobs_warned_of_is_told_once_with_who_and_where(tmp_path: Path) -> None:
    torn, steps = "x.segment, byte 9: damaged record; set aside", []
    for name, warnings in (("alpha", [torn, torn, "slow"]), ("beta", [torn]), ("gamma", [])):
        lines = [f"2026-11-21 10:00:0{second},000 WARNING {words}" for second, words in enumerate(warnings)]
        (tmp_path / name).write_text("\n".join(["2026-11-21 10:00:00,000 INFO begun", *lines]))
        steps.append(JobResult("ask", name, "made", tmp_path / name))
    lines = summary_of([*steps, JobResult("tables", "small", "made", None)], standing=0).splitlines()
    assert lines[-4:] == [
        f"  warned: {torn}",
        f"    ask alpha and 1 more, log: {tmp_path}/alpha",
        "  warned: slow",
        f"    ask alpha, log: {tmp_path}/alpha",
    ]
    (tmp_path / "gamma").write_text("\n".join(f"2026-11-21 10:00:00,000 WARNING no {n}" for n in range(14)))
    assert summary_of(steps, standing=0).endswith("and 6 more warnings, see the logs")
