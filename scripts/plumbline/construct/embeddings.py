"""Embeddings of instructions by a sentence-transformers model: INSTRUCTOR with its prefix, MiniLM as the default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from plumbline.config.model import Model
from plumbline.construct.neighbours import Matrix
from plumbline.models.engines.weights import (
    SETTINGS,
    Weights,
    embedded_format,
    first_line,
    folder_of,
    missing_libraries,
)
from plumbline.records.errors import PlumblineError
from plumbline.records.files import digest_file, digest_value
from plumbline.records.joblog import log

BATCH = 64
LAYOUT = "modules.json"
"""The file that says which modules a sentence-transformers model is made of."""
WEIGHTS = ("*.safetensors", "*.bin")
"""INSTRUCTOR's repository has its weights only as `.bin`; torch reads tensors from these and runs no code."""
NOT_READ = ("onnx/*", "openvino/*", "training_args.bin")


def embed(texts: Sequence[str], model: Model, prefix: str = "") -> tuple[Matrix, dict[str, Any]]:
    """A row of length one for each text, and the identity of what made them; on a GPU where there is one.

    Equal texts get equal rows. With a prefix, as INSTRUCTOR wants one, the average is over the text alone.
    """
    weights = locate(model)
    dtype = embedded_format(model.dtype)
    identity = identity_of(weights, dtype, prefix)
    encoder = loaded(weights.folder, dtype)
    if prefix:
        encoder.set_pooling_include_prompt(False)
    different = list(dict.fromkeys(texts)) or [""]  # whose row is dropped again, but tells the width
    report_cut(different, encoder, prefix)
    rows = encoder.encode(
        different, prompt=prefix or None, batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False
    )
    places = {text: place for place, text in enumerate(different)}
    wanted = np.array([places[text] for text in texts], dtype=np.int64)
    return np.asarray(rows, dtype=np.float32)[wanted], identity


def locate(model: Model) -> Weights:
    return inside(*folder_of(model, [*WEIGHTS, *SETTINGS], NOT_READ))


def inside(root: Path, origin: Mapping[str, str]) -> Weights:
    """The one sentence-transformers model under a folder."""
    found = sorted(path.parent for path in root.rglob(LAYOUT))
    if len(found) != 1:
        raise PlumblineError(
            f"{root} holds no single sentence-transformers model",
            expected=f"one {LAYOUT}",
            found=", ".join(map(str, found)) or "none",
            do="name a model made for sentence embeddings in the set's `embedder`",
        )
    return Weights(origin, found[0])


def identity_of(weights: Weights, dtype: str, prefix: str) -> dict[str, Any]:
    """What makes an embedding this model's. The path is no part of it: a copy elsewhere is the same model."""
    return {
        **weights.origin,
        "weights": digest_of(weights.folder, WEIGHTS),
        "settings": digest_of(weights.folder, SETTINGS),
        "dtype": dtype,
        "prefix": prefix,
    }


def digest_of(folder: Path, patterns: Sequence[str]) -> str:
    """Of all files of these kinds, in the modules' folders too."""
    paths = sorted(path for pattern in patterns for path in folder.rglob(pattern) if path.is_file())
    return digest_value({path.relative_to(folder).as_posix(): digest_file(path) for path in paths})


def loaded(folder: Path, dtype: str) -> Any:
    """Code that comes with a model is never run."""
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


def report_cut(texts: Sequence[str], encoder: Any, prefix: str) -> None:
    """Say how many texts are longer than the model reads: their ends have no part in the similarity."""
    longest = encoder.max_seq_length
    lengths = [len(ids) for ids in encoder.tokenizer([prefix + text for text in texts], verbose=False)["input_ids"]]
    cut = sum(length > longest for length in lengths) if longest else 0
    if cut:
        log.warning("%d of %d instructions are longer than the %d tokens the model reads", cut, len(texts), longest)
