"""Weights in repositories on the hub: in the cache of this machine, or fetched."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from plumbline.models.engines.libraries import first_line, missing_libraries
from plumbline.records.errors import PlumblineError
from plumbline.records.joblog import log

OFFLINE = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
YES = {"1", "ON", "YES", "TRUE"}
"""How Hugging Face's libraries are told yes."""


def hub_folder(repository: str, revision: str, wanted: Sequence[str], unwanted: Sequence[str]) -> Path:
    """The repository's snapshot on this machine, named by its commit; fetched when it is not there."""
    try:
        if is_offline() and not is_fetched(repository):  # told without importing the library, which takes its time
            raise cannot_get(repository, revision, "it is not in the cache, and HF_HUB_OFFLINE keeps jobs from the hub")
        from huggingface_hub import snapshot_download
    except ImportError as error:
        raise missing_libraries(error) from error

    try:
        snapshot = snapshot_download(
            repository,
            revision=revision or None,
            allow_patterns=list(wanted),
            ignore_patterns=list(unwanted),
        )
    except (OSError, ValueError) as error:
        raise cannot_get(repository, revision, first_line(error)) from error
    folder = Path(snapshot)
    if not revision:
        log.warning(
            "%s is not pinned, so a later job may get other weights; this one takes `revision: %s`",
            repository,
            folder.name,
        )
    return folder


def is_fetched(repository: str) -> bool:
    """Whether anything of a hub repository lies in the cache of this machine."""
    from huggingface_hub import constants

    return (Path(constants.HF_HUB_CACHE) / f"models--{repository.replace('/', '--')}").is_dir()


def cannot_get(repository: str, revision: str, why: str) -> PlumblineError:
    return PlumblineError(
        f"cannot get the weights of {repository!r}: {why}",
        where=f"repository {repository}, revision {revision or 'newest'}",
        do="check the name and the revision; without a network fetch it beforehand with `hf download`, "
        "or give the path of a folder that holds it",
    )


def is_offline() -> bool:
    return any(os.environ.get(name, "").upper() in YES for name in OFFLINE)
