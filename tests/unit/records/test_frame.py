"""The frame around every script: logs, one message for a mistake, manifests last, nothing done twice."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from plumbline.records.closure import Code
from plumbline.records.errors import PlumblineError
from plumbline.records.files import write_text
from plumbline.records.job import Job, log, run
from plumbline.records.locks import take_turn
from plumbline.records.manifest import Setting, manifest_path, read_manifest
from plumbline.records.tally import Attempt, Tally, TallyFile, read_attempts, tally_path
from tiny_results import Named, Words

OUT, SECOND, LOG = Path("results/stage/out.txt"), Path("results/stage/second.txt"), Path("results/stage/out.log")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.txt").write_text("input")


def snakemake(size: int = 1, code: str = "a") -> Any:
    return SimpleNamespace(
        rule="rule",
        wildcards=Words(name="x"),
        input=Named(text="in.txt"),
        output=[str(OUT), str(SECOND)],
        log=[str(LOG)],
        params=Named(size=Setting("size", size), free="of influence", code=Code((("scripts/rule.py", code),))),
        threads=1,
    )


def writes(job: Job) -> None:
    for output in job.outputs:
        write_text(output, job.input("text").read_text() * job.setting("size"))
    job.made_with["device"] = "cpu"
    log.info("wrote")


def fails_with(error: BaseException) -> Callable[[Job], None]:
    def main(job: Job) -> None:
        write_text(OUT, "half of the work")
        raise error

    return main


def never(job: Job) -> None:
    raise AssertionError("done again")


def failed(main: Callable[[Job], None], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as stopped:
        run(main, snakemake())
    assert stopped.value.code == 1
    return capsys.readouterr().err


def test_a_job_writes_its_outputs_their_manifests_and_a_log() -> None:
    run(writes, snakemake(size=2))
    assert OUT.read_text() == SECOND.read_text() == "inputinput"
    for output in (OUT, SECOND):
        manifest = read_manifest(manifest_path(output))
        assert manifest.settings == {"size": 2}
        assert manifest.made_with == {"device": "cpu"}
        assert manifest.fingerprint.code == {"scripts/rule.py": "a"}
    assert "INFO wrote" in LOG.read_text()


def test_a_job_that_would_write_the_same_again_is_kept_and_made_new() -> None:
    run(writes, snakemake())
    os.utime(OUT, (1, 1))
    run(never, snakemake())
    assert "unchanged: " in LOG.read_text()
    assert OUT.stat().st_mtime > 1


def test_a_retry_removes_what_the_killed_attempt_left_half_written_and_nothing_of_others() -> None:
    OUT.parent.mkdir(parents=True)
    left, others = OUT.parent / f".{OUT.name}.x1y2.part", OUT.parent / ".out.txt2.x1y2.part"
    for part in (left, others):
        part.write_text("half")
    run(writes, snakemake())
    assert not left.exists() and others.exists() and OUT.read_text() == "input"


def test_a_retry_goes_on_in_the_log_and_the_tally_and_another_run_begins_them_anew(
    capsys: pytest.CaptureFixture[str],
) -> None:
    take_turn().close()
    failed(fails_with(PlumblineError("first attempt")), capsys)
    TallyFile(tally_path(LOG), Tally(asked=1)).write()
    run(writes, snakemake())
    assert "ERROR first attempt" in LOG.read_text() and "INFO wrote" in LOG.read_text()
    assert read_attempts(tally_path(OUT)) == [Attempt(1, 0, 0, 0)]
    take_turn().close()
    LOG.touch()  # as Snakemake does to the log of a job that it could not begin
    run(never, snakemake())
    assert "first attempt" not in LOG.read_text()
    assert read_attempts(tally_path(OUT)) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda: Path("in.txt").write_text("other"),
        lambda: OUT.write_text("other"),
        lambda: SECOND.unlink(),
        lambda: manifest_path(SECOND).unlink(),
        lambda: manifest_path(OUT).write_text("{"),
    ],
    ids=["input", "output", "output gone", "manifest gone", "manifest broken"],
)
def test_a_job_is_done_again_when_anything_differs(change: Callable[[], object]) -> None:
    run(writes, snakemake())
    change()
    run(writes, snakemake())
    assert "INFO wrote" in LOG.read_text()
    run(never, snakemake())


@pytest.mark.parametrize("changed", [{"size": 2}, {"code": "b"}])
def test_a_job_is_done_again_when_a_setting_or_the_code_differs(changed: dict[str, Any]) -> None:
    run(writes, snakemake())
    run(writes, snakemake(**changed))
    assert "INFO wrote" in LOG.read_text()


def test_a_users_mistake_is_one_message_and_leaves_no_manifest(capsys: pytest.CaptureFixture[str]) -> None:
    message = failed(fails_with(PlumblineError("it is wrong", where="row 3", do="mend it")), capsys)
    assert message.strip() == (
        f"plumbline: rule rule failed (log: {LOG})\nit is wrong\n  where:    row 3\n  do:       mend it"
    )
    assert "it is wrong" in LOG.read_text() and "Traceback" not in LOG.read_text()
    assert not manifest_path(OUT).exists()


def test_an_unexpected_error_is_one_message_with_its_traceback_in_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    message = failed(fails_with(ZeroDivisionError("by nought")), capsys)
    assert "an unexpected error: ZeroDivisionError: by nought" in message
    assert "Traceback" not in message and "Traceback" in LOG.read_text()
    assert not manifest_path(OUT).exists()


def test_hostile_text_in_an_error_breaks_no_log(capfd: pytest.CaptureFixture[str]) -> None:
    failed(fails_with(PlumblineError("\ud800\0 broke it")), capfd)
    assert "broke it" in LOG.read_text()


def test_a_log_that_cannot_be_written_is_one_message(capsys: pytest.CaptureFixture[str]) -> None:
    Path("results").write_text("in the way")
    message = failed(never, capsys)
    assert "cannot write results/stage/out.log" in message and "Traceback" not in message


def test_an_input_that_is_gone_is_one_message(capsys: pytest.CaptureFixture[str]) -> None:
    Path("in.txt").unlink()
    message = failed(never, capsys)
    assert os.strerror(errno.ENOENT) in message and "in.txt" in message and "Traceback" not in message
