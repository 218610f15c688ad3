"""Embeddings of texts at hand, as an encoder engine computes them: a row of length one for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from plumbline.data.vectors import Matrix
from plumbline.models.engines.encoders import identity_of, loaded, locate
from plumbline.models.engines.libraries import missing_libraries
from plumbline.models.engines.weights import LocalModel, embedded_format
from plumbline.records.joblog import log

BATCH = 64


def embed(texts: Sequence[str], model: LocalModel, prefix: str = "") -> tuple[Matrix, dict[str, Any]]:
    """A row for each text, and the identity of what made them; on a GPU where there is one. Equal texts get equal
    rows."""
    weights = locate(model)
    dtype = embedded_format(model.dtype)
    try:
        from plumbline.models.engines.encoding import Encoder
    except ImportError as error:
        raise missing_libraries(error) from error

    encoder = Encoder(loaded(weights.folder, dtype), 0, BATCH)
    different = list(dict.fromkeys(texts)) or [""]  # whose row is dropped again, but tells the width
    cut = sum(encoder.tokens(prefix + text) > encoder.window for text in different) if encoder.window else 0
    if cut:
        log.warning("%d of %d texts are longer than the %d tokens the model reads", cut, len(different), encoder.window)
    rows = encoder.embeddings(different, prefix)
    places = {text: place for place, text in enumerate(different)}
    wanted = np.array([places[text] for text in texts], dtype=np.int64)
    return rows[wanted], identity_of(weights, dtype) | {"prefix": prefix}
