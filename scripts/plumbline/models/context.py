"""What an engine is given beside its model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from plumbline.data.instances import Instance, InstanceFile

Instances = Sequence[Instance] | InstanceFile
"""Instances that are at hand, or that are read from their file whenever they are needed."""


@dataclass(frozen=True)
class EngineContext:
    """What an engine may need beside its model: files, the instances it is asked about, threads, a cache folder."""

    recorded: Sequence[Path]
    instances: Instances
    threads: int
    cache: Path
