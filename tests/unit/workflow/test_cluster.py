"""What the SLURM plugin is told of a controller that does not answer."""

from __future__ import annotations

import math
import sys
from types import SimpleNamespace

import pytest
import snakemake_executor_plugin_slurm
from plumbline.workflow.cluster import PLUGIN, remembered, trust_squeue


def test_what_the_controller_once_said_stands_while_it_is_away() -> None:
    answers = iter([None, 300, None, 2, None])
    ask = remembered(lambda: next(answers))
    assert [ask() for _ in range(5)] == [math.inf, 300, 300, 2, 2]


def test_the_plugin_of_this_environment_asks_what_is_put_in_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    assert snakemake_executor_plugin_slurm.__name__ == PLUGIN
    assert "get_min_job_age" in snakemake_executor_plugin_slurm.Executor.check_active_jobs.__code__.co_names
    pretended = SimpleNamespace(get_min_job_age=lambda: None)
    monkeypatch.setitem(sys.modules, PLUGIN, pretended)
    trust_squeue()
    assert pretended.get_min_job_age() == math.inf
