"""The one function of Snakemake's SLURM plugin that is replaced: how long the controller remembers finished jobs.

Before each look at its jobs the plugin asks for that time. Left without an answer, as while the controller is away,
it takes sacct for that look, whatever the profile says; and where there is no accounting it then forgets all its
jobs, and Snakemake waits for ever.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from plumbline.records.errors import PlumblineError

PLUGIN = "snakemake_executor_plugin_slurm"
PACKAGE = "snakemake-executor-plugin-slurm"
TRIED = "2.8"
"""The versions that this was written for and tried with."""
FUNCTION = "get_min_job_age"


def trust_squeue(executor: str) -> None:
    """Let the plugin ask squeue, as the profile says, also while the controller is away."""
    if executor != "slurm":
        return
    plugin = sys.modules[PLUGIN]
    if not fits(plugin):
        raise PlumblineError(
            f"this version of {PACKAGE} is built otherwise than those that Plumbline was tried with",
            where=PLUGIN,
            expected=f"{TRIED}.*, whose Executor.check_active_jobs asks {FUNCTION}",
            found=version(PACKAGE),
            do=f"pip install '{PACKAGE}=={TRIED}.*'; or look whether it still takes sacct while the controller is "
            "away, and change or remove plumbline/workflow/slurm/plugin.py",
        )
    setattr(plugin, FUNCTION, remembered(getattr(plugin, FUNCTION)))


def fits(plugin: Any) -> bool:
    """Whether the plugin has the function, and looks it up when it checks its jobs."""
    check = getattr(getattr(plugin, "Executor", None), "check_active_jobs", None)
    named = FUNCTION in check.__code__.co_names if check else False
    return version(PACKAGE).startswith(f"{TRIED}.") and named and callable(getattr(plugin, FUNCTION, None))


def remembered(ask: Callable[[], float | None]) -> Callable[[], float]:
    """The last answer, where there is none now; for ever, where there never was one."""
    answers = [math.inf]

    def answer() -> float:
        now = ask()
        answers[:] = answers if now is None else [now]
        return answers[0]

    return answer
