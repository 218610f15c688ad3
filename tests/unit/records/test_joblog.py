"""A job's log goes on, whatever a library does to Python's logging."""

from __future__ import annotations

import logging
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from plumbline.models.engines.vllm_logging import FILE, LEVEL, in_the_jobs_log
from plumbline.records import joblog
from plumbline.records.errors import PlumblineError
from plumbline.records.joblog import job_log, log

AS_VLLM_DOES = {"version": 1, "disable_existing_loggers": False, "loggers": {"vllm": {"propagate": False}}}
TAKING_OVER = {"version": 1, "handlers": {"own": {"class": "logging.NullHandler"}}, "root": {"handlers": ["own"]}}
SET_UPS = {
    "closing all handlers": f"logging.config.dictConfig({AS_VLLM_DOES})",
    "disabling all loggers": f"logging.config.dictConfig({TAKING_OVER})",
    "removing the root's handlers": "logging.basicConfig(force=True)",
    "ending logging": "logging.shutdown()",
    "silencing everything": "logging.disable(logging.CRITICAL)",
}
JOB = """
import logging.config
from pathlib import Path
from plumbline.records.joblog import job_log, log

with job_log(Path("job.log")):
    log.info("before")
    {set_up}
    log.debug("after")
"""


def run(script: str, folder: Path) -> str:
    """The log of a job; in a process of its own, as what it does to logging would reach other tests."""
    path = os.pathsep.join(sys.path)
    subprocess.run([sys.executable, "-c", script], cwd=folder, env={**os.environ, "PYTHONPATH": path}, check=True)
    return (folder / "job.log").read_text()


@pytest.mark.parametrize("set_up", SET_UPS.values(), ids=SET_UPS)
def test_a_library_that_sets_up_logging_ends_no_log(set_up: str, tmp_path: Path) -> None:
    lines = run(JOB.format(set_up=set_up), tmp_path).splitlines()
    assert [line.split()[2:] for line in lines] == [["INFO", "before"], ["DEBUG", "after"]]


def test_libraries_are_heard_when_it_matters_and_by_name(tmp_path: Path) -> None:
    with job_log(tmp_path / "job.log"):
        logging.getLogger("library.part").info("chatter")
        logging.getLogger("library.part").warning("odd")
        log.warning("ours")
    lines = (tmp_path / "job.log").read_text().splitlines()
    assert [line.split()[2:] for line in lines] == [["library.part", "WARNING", "odd"], ["WARNING", "ours"]]


def test_all_modules_share_the_logger_that_libraries_cannot_silence(repository: Path) -> None:
    """A logger of Python's list counts as a library's: the summary of a run does not repeat its warnings."""
    files = (repository / "scripts").rglob("*.py")
    named = {path.name: re.findall(r"getLogger\((.*?)\)", path.read_text()) for path in files}
    assert {name: result for name, result in named.items() if result} == {
        "joblog.py": ['"plumbline"'],
        "summary.py": ["SNAKEMAKE"],  # it only waits until Snakemake's own has printed all it has
    }


def test_a_log_ends_with_its_job(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with job_log(tmp_path / "job.log"):
        assert joblog.current() == tmp_path / "job.log"
    assert joblog.current() is None
    log.warning("later")
    assert (tmp_path / "job.log").read_text() == ""
    assert caplog.messages == ["later"]


def test_a_log_that_cannot_be_opened_is_one_message(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(PlumblineError, match="cannot write"), job_log(tmp_path / "file/job.log"):
        pass
    assert joblog.current() is None


VLLM = """
import json, logging.config, os
from pathlib import Path
from plumbline.models.engines.vllm_logging import FILE, in_the_jobs_log
from plumbline.records.joblog import job_log, log

with job_log(Path("job.log")):
    with in_the_jobs_log():
        logging.config.dictConfig(json.loads(Path(os.environ[FILE]).read_text()))
    assert FILE not in os.environ
    vllm = logging.getLogger("vllm.v1.core")
    vllm.info("chatter")
    vllm.error("out of memory\\ufffd")
    log.info("ours")
"""


def test_what_vllm_says_stands_in_the_jobs_log_once(tmp_path: Path) -> None:
    lines = run(VLLM, tmp_path).splitlines()
    assert [line.split()[2:4] for line in lines] == [["vllm.v1.core", "ERROR"], ["INFO", "ours"]]


def test_a_users_own_set_up_of_vllms_logging_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FILE, "mine.json")
    monkeypatch.setenv(LEVEL, "INFO")
    with job_log(tmp_path / "job.log"), in_the_jobs_log():
        assert (os.environ[FILE], os.environ[LEVEL]) == ("mine.json", "INFO")


def test_a_start_of_vllm_outside_a_job_silences_no_later_job(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (FILE, LEVEL):
        monkeypatch.delenv(name, raising=False)
    with in_the_jobs_log():
        assert os.environ[LEVEL] == "ERROR"
    assert LEVEL not in os.environ and FILE not in os.environ
