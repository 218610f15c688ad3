"""Encoders: models that turn a text into an embedding. Where they lie, what they are, and how they are loaded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from plumbline.models.engines.libraries import first_line, missing_libraries
from plumbline.models.engines.weights import SETTINGS, LocalModel, Weights, check_whole, folder_of
from plumbline.records.errors import PlumblineError
from plumbline.records.files import digest_file, digest_value

LAYOUT = "modules.json"
"""The file that says which modules a sentence-transformers model is made of."""
PLAIN = "config.json"
"""What a folder holds that is a transformer alone."""
WEIGHTS = ("*.safetensors", "*.bin")
"""INSTRUCTOR's repository has its weights only as `.bin`; torch reads tensors from these and runs no code."""
NOT_READ = ("onnx/*", "openvino/*", "training_args.bin")
POOLER = "pooler."
"""Tensors that many encoders leave out and none of their embeddings needs."""


def locate(model: LocalModel, layouts: Sequence[str] = (LAYOUT,)) -> Weights:
    wanted = [model.file] if model.file else list(WEIGHTS)
    return inside(*folder_of(model, [*wanted, *SETTINGS], NOT_READ), layouts)


def inside(root: Path, origin: Mapping[str, str], layouts: Sequence[str] = (LAYOUT,)) -> Weights:
    """The one encoder under a folder: the sentence-transformers model or, where it may be one, a plain transformer."""
    folders: list[Path] = []
    for layout in layouts:
        folders = sorted(path.parent for path in root.rglob(layout))
        if folders:
            break
    if len(folders) != 1:
        raise PlumblineError(
            f"{root} holds no single sentence-transformers model",
            expected=f"one {' or '.join(layouts)}",
            found=", ".join(map(str, folders)) or "none",
            do="name a model made for sentence embeddings in the set's `embedder`, or an encoder in the judge's file",
        )
    return Weights(origin, folders[0])


def identity_of(weights: Weights, dtype: str) -> dict[str, Any]:
    """What makes an embedding this model's. The path is no part of it: a copy elsewhere is the same model."""
    return {
        **weights.origin,
        "weights": digest_of(weights.folder, WEIGHTS),
        "settings": digest_of(weights.folder, SETTINGS),
        "dtype": dtype,
    }


def digest_of(folder: Path, patterns: Sequence[str]) -> str:
    """Of all files of these kinds, in the modules' folders too."""
    paths = sorted(path for pattern in patterns for path in folder.rglob(pattern) if path.is_file())
    return digest_value({path.relative_to(folder).as_posix(): digest_file(path) for path in paths})


def loaded(folder: Path, dtype: str) -> Any:
    """A sentence-transformers model; of a plain transformer the mean of its last states. No code of theirs is run."""
    try:
        import torch
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging as transformers_logging
    except ImportError as error:
        raise missing_libraries(error) from error

    transformers_logging.disable_progress_bar()
    if not any(path for pattern in WEIGHTS for path in folder.rglob(pattern)):
        raise PlumblineError(
            f"{folder} holds no weights", where=str(folder), expected=" or ".join(WEIGHTS), do="fetch the model again"
        )
    try:
        encoder = SentenceTransformer(str(folder), trust_remote_code=False, local_files_only=True)
        return encoder.to(getattr(torch, dtype))
    except Exception as error:  # each format fails in its own way on a broken or hostile file
        hostile = type(error).__name__ == "UnpicklingError"
        raise PlumblineError(
            "the embedding model cannot be loaded: "
            + ("its weights hold more than numbers, which was not run" if hostile else first_line(error)),
            where=str(folder),
            do="fetch it again; a model that needs code of its own is not supported",
        ) from error


def check_states(folder: Path, network: Any) -> None:
    """Refuse a transformer some of whose states would come from random numbers, as far as the files can tell."""
    from safetensors import safe_open

    files = sorted(folder.glob("*.safetensors"))
    if not files:
        return
    held: set[str] = set()
    for file in files:
        with safe_open(file, "pt") as tensors:
            held |= {_own_name(name, network.base_model_prefix) for name in tensors.keys()}  # noqa: SIM118
    states = network.state_dict()
    read = {states[name].data_ptr() for name in held & states.keys()}  # tied tensors are kept once
    absent = [n for n, t in states.items() if t.data_ptr() not in read and not n.startswith(POOLER)]
    check_whole(folder, {"missing_keys": absent, "mismatched_keys": []})


def _own_name(name: str, prefix: str) -> str:
    """Without the prefix under which a model with a head keeps it, and by today's names of old tensors."""
    name = name.removeprefix(f"{prefix}.")
    return name.replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")
