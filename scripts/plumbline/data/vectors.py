"""Vectors: the embeddings of instructions, as a model gave them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray


def read_vectors(path: Path, prefix: str) -> tuple[list[str], NDArray[np.float32]]:
    """The instances' ids, and a row for each."""
    raise NotImplementedError
