"""What the SLURM plugin is told of a controller that does not answer."""

from __future__ import annotations

import math

import pytest
import snakemake_executor_plugin_slurm
from plumbline.records.errors import PlumblineError
from plumbline.workflow.slurm.plugin import FUNCTION, PLUGIN, fits, remembered, trust_squeue


def test_what_the_controller_once_said_stands_while_it_is_away() -> None:
    answers = iter([None, 300, None, 2, None])
    ask = remembered(lambda: next(answers))
    assert [ask() for _ in range(5)] == [math.inf, 300, 300, 2, 2]


@pytest.fixture
def asks(monkeypatch: pytest.MonkeyPatch) -> object:
    """The plugin's function, to be there again after the test."""
    asks = snakemake_executor_plugin_slurm.get_min_job_age
    monkeypatch.setattr(snakemake_executor_plugin_slurm, FUNCTION, asks)
    return asks


def test_the_plugin_of_this_environment_is_one_that_it_fits(asks: object) -> None:
    assert snakemake_executor_plugin_slurm.__name__ == PLUGIN and fits(snakemake_executor_plugin_slurm)
    trust_squeue("local")
    assert snakemake_executor_plugin_slurm.get_min_job_age is asks
    trust_squeue("slurm")
    assert snakemake_executor_plugin_slurm.get_min_job_age is not asks


@pytest.mark.parametrize("version", ["2.7.3", "2.80.0", "3.0.0"])
def test_another_version_of_the_plugin_is_refused(asks: object, version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plumbline.workflow.slurm.plugin.version", lambda package: version)
    with pytest.raises(PlumblineError, match=rf"expected: 2\.8(.|\n)*found: +{version}"):
        trust_squeue("slurm")


def test_a_plugin_that_no_longer_asks_the_function_is_refused(asks: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snakemake_executor_plugin_slurm.Executor, "check_active_jobs", lambda self, jobs: None)
    with pytest.raises(PlumblineError, match="built otherwise"):
        trust_squeue("slurm")
