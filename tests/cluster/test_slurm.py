"""A real SLURM, real faults: in the end the results are those of an undisturbed run, and hardly an ask is repeated.

Each test breaks its own copy of the project; all share one cluster.
"""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from plumbline.models.cached import FLUSH_SECONDS
from plumbline.records.errors import PlumblineError
from plumbline.workflow.slurm.unfinished import refuse_while_jobs_run

from cluster.conftest import PAIRS
from cluster.project import WINDOW, Project
from cluster.slurm import Cluster, Job, wait_for

DELAY = 0.2
PER_PAIR = 3
"""Asks of one pair that are under way at a time."""
BATCH = int(WINDOW * PER_PAIR * (1 + FLUSH_SECONDS / DELAY))
"""Asks under way, and those answered since the store was last written: what one kill may cost."""
FAST = ("--profile", "slurm", "--slurm-init-seconds-before-status-checks", "4")
SECONDS = 150
"""Longest that one snakemake may take."""


class Disturbed:
    """A project under way on the cluster, about to have an accident."""

    def __init__(self, cluster: Cluster, project: Project, *words: str) -> None:
        self.cluster, self.project = cluster, project
        self.run = project.run(cluster.environment, *FAST, *words)

    def asked(self, count: int) -> Job:
        """Wait until alpha has been asked so much; its job."""

        def reached() -> bool:
            assert self.run.poll() is None, self.project.output
            return len(self.project.asks()) >= count and any("alpha" in job.task for job in self.jobs())

        wait_for(reached, SECONDS, lambda: f"{count} asks, {len(self.project.asks())} so far\n{self.project.output}")
        return next(job for job in self.jobs() if "alpha" in job.task)

    def jobs(self, *options: str) -> list[Job]:
        return self.cluster.jobs(self.project.folder, *options)

    def ended(self) -> int:
        try:
            return self.run.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self.run.kill()
            raise AssertionError(f"not over after {SECONDS} s\n{self.project.output}") from None

    def no_jobs_left(self) -> None:
        wait_for(lambda: not self.jobs(), SECONDS, lambda: f"the end of {self.jobs()}")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.make(tmp_path / "project", PAIRS, DELAY)


@pytest.fixture(scope="module")
def short_of_time(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Disturbed]:
    """A judge that needs two minutes and may take one. SLURM counts in minutes: it works beside the other tests."""
    project = Project.make(tmp_path_factory.mktemp("short") / "project", PAIRS)
    project.model("beta", delay=4.0, resources="mem_mb: 1000, runtime: 1")
    disturbed = Disturbed(cluster, project)
    yield disturbed
    disturbed.run.kill()
    for job in disturbed.jobs():
        cluster.ask("scancel", job.number)


def rerun(cluster: Cluster, project: Project) -> None:
    assert Disturbed(cluster, project).ended() == 0, project.output


def test_each_judge_gets_what_its_model_asks_for(
    short_of_time: Disturbed, cluster: Cluster, undisturbed: Project
) -> None:
    """And the length rule is no job of the cluster's: it asks no model."""
    jobs = cluster.jobs(undisturbed.folder, "--states=all")
    alpha, beta = sorted(jobs, key=lambda job: job.task)
    assert (alpha.partition, alpha.memory, alpha.time) == ("gpu", "1000M", "5:00")
    assert (beta.partition, beta.memory, beta.time) == ("cpu", "1000M", "5:00")
    assert "TresPerJob=gres:gpu:h200:1" in cluster.ask("scontrol", "show", "job", alpha.number)


def test_the_end_of_a_run_tells_what_was_done(undisturbed: Project) -> None:
    jobs = len([*(undisturbed.folder / "results").rglob("*.log")])
    assert f"plumbline: {jobs} made, 0 kept unchanged; {PAIRS * 7} asked, 0 reused" in undisturbed.output


def test_a_job_that_fails_leaves_the_others_going(cluster: Cluster, tmp_path: Path, undisturbed: Project) -> None:
    project = Project.make(tmp_path / "project", PAIRS)
    engine = project.folder / "config/engine/alpha.yaml"
    right = engine.read_text()
    engine.write_text(right.replace("metrics:", "reference:"))
    assert Disturbed(cluster, project, "--retries", "0").ended() == 1
    assert (project.folder / "results/verdicts/small/beta.parquet").exists()
    assert "failed: ask small/alpha/1-of-1 (FAILED)" in project.output
    assert "the script has no answer for the step 'metrics'" in project.output
    engine.write_text(right)
    rerun(cluster, project)
    assert project.data() == undisturbed.data()


def test_a_cancelled_job_is_tried_again(cluster: Cluster, project: Project, undisturbed: Project) -> None:
    disturbed = Disturbed(cluster, project)
    cluster.ask("scancel", disturbed.asked(100).number)
    assert disturbed.ended() == 0, project.output
    assert "1 after a retry (CANCELLED)" in project.output
    [asked] = re.findall(r"^plumbline: .*; (\d+) asked, \d+ reused$", project.output, re.MULTILINE)
    assert len(project.asks()) - 2 * BATCH <= int(asked) <= len(project.asks())
    assert project.data() == undisturbed.data()
    assert project.asked_again() <= BATCH


def test_work_goes_on_elsewhere_when_a_node_goes_down(cluster: Cluster, project: Project, undisturbed: Project) -> None:
    disturbed = Disturbed(cluster, project)
    node = disturbed.asked(100).node
    cluster.crash_node(node)
    try:
        assert disturbed.ended() == 0, project.output
        [alpha] = [job for job in disturbed.jobs("--states=all") if "alpha" in job.task]
        assert alpha.node != node
    finally:
        cluster.mend_node(node)
    assert project.data() == undisturbed.data()
    assert project.asked_again() <= BATCH


def test_a_controller_that_restarts_is_waited_for(
    cluster: Cluster, project: Project, undisturbed: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    disturbed = Disturbed(cluster, project, "--verbose")
    disturbed.asked(100)
    cluster.stop_controller()
    wait_for(lambda: len(project.asks()) > 180, SECONDS, lambda: "asks without a controller")
    wait_for(lambda: "could not check status" in project.output, SECONDS, lambda: "a look at jobs without a controller")
    for name in ("PATH", "SLURM_CONF"):
        monkeypatch.setenv(name, cluster.environment[name])
    with pytest.raises(PlumblineError, match="cannot tell whether SLURM jobs"):
        refuse_while_jobs_run(project.folder)
    cluster.start_controller()
    assert disturbed.ended() == 0, project.output
    assert project.data() == undisturbed.data()
    assert project.asked_again() == 0


def test_ctrl_c_stops_all_jobs_and_the_next_run_goes_on(
    cluster: Cluster, project: Project, undisturbed: Project
) -> None:
    disturbed = Disturbed(cluster, project)
    disturbed.asked(100)
    disturbed.run.send_signal(signal.SIGINT)
    assert disturbed.ended() == 1
    disturbed.no_jobs_left()
    assert "not done: ask small/alpha/1-of-1" in project.output
    rerun(cluster, project)
    assert project.data() == undisturbed.data()
    assert project.asked_again() <= 2 * BATCH  # two jobs were stopped


def test_after_a_kill_nothing_is_begun_while_the_old_jobs_write(
    cluster: Cluster, project: Project, undisturbed: Project
) -> None:
    disturbed = Disturbed(cluster, project)
    number = disturbed.asked(100).number
    disturbed.run.kill()
    disturbed.run.wait()
    assert Disturbed(cluster, project).ended() == 1
    assert f"{number} (running): ask small_alpha_1-of-1" in project.output
    assert "Traceback" not in project.output
    disturbed.no_jobs_left()
    rerun(cluster, project)
    assert project.data() == undisturbed.data()
    assert project.asked_again() == 0  # the orphans' work is kept


def test_a_job_out_of_time_is_tried_again_with_more(
    cluster: Cluster, short_of_time: Disturbed, undisturbed: Project
) -> None:
    project = short_of_time.project
    assert short_of_time.ended() == 0, project.output
    first, second = [job for job in short_of_time.jobs("--states=all") if "beta" in job.task]
    assert {(job.state, job.time, job.memory) for job in (first, second)} == {
        ("TIMEOUT", "1:00", "1000M"),
        ("COMPLETED", "2:00", "2000M"),
    }
    assert "1 after a retry (TIMEOUT)" in project.output
    assert project.data() == undisturbed.data()
    assert project.asked_again() <= BATCH


NO_NODE = "SLURM refused it: Requested node configuration is not available: its partition has no node with the GPUs"
REFUSED = {
    "the default partition has no GPUs": ("gpu: 1, gpu_model: h200, mem_mb: 1000, runtime: 5", NO_NODE),
    "no node has so much memory": ("mem_mb: 99000, runtime: 5", "Memory specification can not be satisfied; Requested"),
    "the partition allows less time": ("mem_mb: 1000, runtime: 100", "Requested time limit is invalid (missing or"),
    "there is no such partition": (
        "mem_mb: 1000, runtime: 5, partition: nope",
        "Invalid partition name specified: `sinfo`",
    ),
}


@pytest.mark.parametrize(("resources", "said"), REFUSED.values(), ids=REFUSED)
def test_a_job_that_sbatch_refuses_ends_in_one_line_with_cause_and_remedy(
    resources: str, said: str, cluster: Cluster, tmp_path: Path
) -> None:
    project = Project.make(tmp_path / "project")
    project.model("alpha", 0.0, resources)
    (project.folder / "profiles/slurm/partitions.yaml").write_text("partitions: {}\n")
    earlier = project.folder / "results/ask/small/alpha/1-of-1.log"
    earlier.parent.mkdir(parents=True)
    earlier.write_text("2026-11-21 10:00:00,000 DEBUG run 0\n2026-11-21 10:00:00,000 ERROR of an earlier run\n")
    disturbed = Disturbed(cluster, project, "--retries", "1", "results/ask/small/alpha/1-of-1.parquet")
    assert disturbed.ended() == 1
    summary = project.output.partition("\nplumbline: ")[2].splitlines()
    at = summary.index("  failed: ask small/alpha/1-of-1 (REFUSED, REFUSED)")
    assert summary[at + 1].startswith("    SLURM refused it: ") and said in summary[at + 1]
    assert "config/model/alpha.yaml" in summary[at + 1]
    assert summary[at + 2].startswith("  To go on, ")
