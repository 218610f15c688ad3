"""Whether the weights of all models that a run will load are here, found before any job waits in a queue.

Only what would be refused hours later is refused: weights in a package that is not installed, and weights of the hub
that are not in the cache while jobs are kept from the network (HF_HUB_OFFLINE, which jobs get from who submits them).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from plumbline.config.groups import file_of
from plumbline.config.whole import Config
from plumbline.models.engines.weights import why_missing
from plumbline.records.errors import PlumblineError


def check_weights(config: Config, jobs: Iterable[Any]) -> None:
    """Refuse the run where one of its jobs could not load its model; `jobs` are Snakemake's."""
    missing = {}
    for name in dict.fromkeys(filter(None, (loaded_by(job) for job in jobs))):
        if reason := why_missing(config.model[name]):
            missing[name] = reason
    if missing:
        raise PlumblineError(
            f"the weights of {', '.join(missing)} are not on this machine",
            where=", ".join(dict.fromkeys(str(file_of(Path("config"), "model", name)) for name in missing)),
            found="; ".join(missing.values()),
            do="with network, fetch them into the cache that the nodes read (docs/cluster.md), or take the model out",
        )


def loaded_by(job: Any) -> str:
    """The model that a job asks, if any."""
    return str(getattr(job.wildcards, "model", "")) if job.rule.name == "ask" else ""
