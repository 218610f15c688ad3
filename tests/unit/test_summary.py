"""The end of a run says what was done, and of what was not, why."""

from __future__ import annotations

from pathlib import Path

from plumbline.progress import Progress, Tally, counts_in
from plumbline.summary import Step, reason_in, said_by_cluster, told

RUN_LOG = """\
[Sat Nov 21 10:00:00 2026]
Error in rule judge:
    message: SLURM-job '7' failed, SLURM status is: 'TIMEOUT'. Detailed failure reason unavailable.
    jobid: 6
    output: results/judge/small/alpha/1-of-1.parquet (update)
    log: results/judge/small/alpha/1-of-1.log, /home/.snakemake/slurm_logs/7.log (check log file(s) for error details)
    external_jobid: 7
Trying to restart job 6.
Error in rule judge:
    message: SLURM sbatch failed. The error message was 'sbatch: error: Invalid account'.
    sbatch call:
        sbatch --parsable
    jobid: 6
    log: results/judge/small/alpha/1-of-1.log (check log file(s) for error details)
Error in rule tables:
    message: None
    jobid: 2
    log: results/tables/small/judges.log (check log file(s) for error details)
"""


def test_what_the_cluster_said_is_told_by_job_in_order() -> None:
    assert said_by_cluster(RUN_LOG) == {"results/judge/small/alpha/1-of-1.log": ["TIMEOUT", "Invalid account"]}


def test_the_reason_is_the_last_error_in_a_log() -> None:
    log = "2026-11-21 10:00:00,000 WARNING slow\n2026-11-21 10:00:01,000 ERROR no such file\n  do:       fetch it\n"
    assert reason_in(log) == "no such file\n  do:       fetch it"
    assert reason_in("2026-11-21 10:00:00,000 INFO x: asked 6 (9 prompt and 9 answer tokens), reused 0, in 3 s\n") == ""


def test_what_each_attempt_asked_is_read_from_its_last_words() -> None:
    first, second = Tally("a", asked=1234, reused=0, prompt_tokens=9000), Tally("a", asked=66, reused=1234)
    text = "\n".join(line for tally in (first, second) for line in (Progress(tally).line(), Progress(tally).summary()))
    assert counts_in(text) == (1300, 1234)


def test_made_kept_and_asked_are_counted_by_rule() -> None:
    steps = [
        Step("judge", "small/alpha", "made", None, asked=40, reused=2),
        Step("judge", "small/beta", "made", None, asked=10, said=["NODE_FAIL"]),
        Step("judge", "small/gamma", "failed", None, said=["TIMEOUT"]),
        Step("tables", "small/judges", "kept", None),
    ]
    assert told(steps, standing=3).splitlines()[:3] == [
        "plumbline: 2 made, 4 kept unchanged, 1 failed; 50 asked, 2 reused",
        "  judge      2 made; 1 failed; 50 asked, 2 reused; 1 after a retry (NODE_FAIL)",
        "  tables     1 kept",
    ]


def test_a_failure_names_its_reason_and_what_waits_for_it(tmp_path: Path) -> None:
    log = tmp_path / "alpha.log"
    log.write_text("2026-11-21 10:00:01,000 ERROR no answer\n")
    steps = [
        Step("judge", "small/alpha", "failed", log, said=["FAILED", "FAILED"]),
        Step("verdicts", "small/alpha", "not done", None),
    ]
    text = told(steps, standing=0)
    assert "plumbline: 0 made, 0 kept unchanged, 1 failed, 1 not done; 0 asked, 0 reused" in text
    assert f"  failed: judge small/alpha (FAILED, FAILED)\n    no answer\n    log: {log}\n" in text
    assert "  not done: verdicts small/alpha\n" in text


def test_a_job_that_left_no_word_is_explained_by_what_the_cluster_said(tmp_path: Path) -> None:
    text = told([Step("judge", "small/alpha", "failed", tmp_path / "none.log", said=["OUT_OF_MEMORY"])], standing=0)
    assert "it ran out of memory" in text


def test_a_long_list_of_what_was_not_done_is_cut() -> None:
    steps = [Step("verdicts", f"small/m{number}", "not done", None) for number in range(30)]
    assert "verdicts small/m9 and 20 more" in told(steps, standing=0)


def test_what_jobs_warned_of_is_told_once_with_who_and_where(tmp_path: Path) -> None:
    torn, steps = "x.segment, byte 9: damaged record; set aside", []
    for name, warnings in (("alpha", [torn, torn, "slow"]), ("beta", [torn]), ("gamma", [])):
        lines = [f"2026-11-21 10:00:0{second},000 WARNING {words}" for second, words in enumerate(warnings)]
        (tmp_path / name).write_text("\n".join(["2026-11-21 10:00:00,000 INFO begun", *lines]))
        steps.append(Step("judge", name, "made", tmp_path / name))
    lines = told([*steps, Step("tables", "small", "made", None)], standing=0).splitlines()
    assert lines[-4:] == [
        f"  warned: {torn}",
        f"    judge alpha and 1 more, log: {tmp_path}/alpha",
        "  warned: slow",
        f"    judge alpha, log: {tmp_path}/alpha",
    ]
    (tmp_path / "gamma").write_text("\n".join(f"2026-11-21 10:00:00,000 WARNING no {n}" for n in range(14)))
    assert told(steps, standing=0).endswith("and 6 more warnings, see the logs")
