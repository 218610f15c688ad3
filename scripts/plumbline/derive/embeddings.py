"""Embeddings of instructions by a sentence-transformers model: INSTRUCTOR with its prefix, MiniLM as the default."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from plumbline.config.model import Model
from plumbline.derive.neighbours import Matrix
from plumbline.models.engines.encoders import identity_of, loaded, locate
from plumbline.models.engines.weights import embedded_format
from plumbline.records.joblog import log

BATCH = 64


def embed(texts: Sequence[str], model: Model, prefix: str = "") -> tuple[Matrix, dict[str, Any]]:
    """A row of length one for each text, and the identity of what made them; on a GPU where there is one.

    Equal texts get equal rows. With a prefix, as INSTRUCTOR wants one, the average is over the text alone.
    """
    weights = locate(model)
    dtype = embedded_format(model.dtype)
    identity = identity_of(weights, dtype) | {"prefix": prefix}
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


def report_cut(texts: Sequence[str], encoder: Any, prefix: str) -> None:
    """Say how many texts are longer than the model reads: their ends have no part in the similarity."""
    longest = encoder.max_seq_length
    lengths = [len(ids) for ids in encoder.tokenizer([prefix + text for text in texts], verbose=False)["input_ids"]]
    cut = sum(length > longest for length in lengths) if longest else 0
    if cut:
        log.warning("%d of %d instructions are longer than the %d tokens the model reads", cut, len(texts), longest)
