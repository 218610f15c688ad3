"""How similar the drawn instructions of a set are to their neighbours, and how many the floor drops."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from plumbline.derive.history import NEAR, REVIEW, History

BANDS = [number / 10 for number in range(-10, 11)]


def nearness(histories: Iterable[History]) -> pd.DataFrame:
    """A row for each instruction that has a neighbour: their similarity, and which derivation dropped the pair.

    What people dropped counts as left by the filter.
    """
    measured = [one for one in histories if one.similarity is not None]
    dropped = ["" if one.stage == REVIEW else one.dropped_by for one in measured]
    columns = {"similarity": [one.similarity for one in measured], "dropped": dropped}
    return pd.DataFrame(columns).astype({"similarity": float, "dropped": "str"})


def groups(near: pd.DataFrame) -> pd.DataFrame:
    """The similarities of all, of those that the floor drops or leaves, and of those that the filter leaves."""
    far, kept = near["dropped"] == NEAR, near["dropped"] == ""
    parts = {"all": near, "dropped by the floor": near[far], "left by it": near[~far], "left by the filter": near[kept]}
    return pd.concat([part.assign(neighbours=name) for name, part in parts.items()], ignore_index=True)


def bands(near: pd.DataFrame) -> pd.DataFrame:
    """How many neighbours have a similarity in each tenth between the least and the greatest, and how many go."""
    every, far = _counts(near["similarity"]), _counts(near.loc[near["dropped"] == NEAR, "similarity"])
    names = [f"{low:.1f} to {high:.1f}" for low, high in itertools.pairwise(BANDS)]
    frame = pd.DataFrame({"similarity": names, "instructions": every, "dropped by the floor": far})
    places = np.flatnonzero(every)
    return frame.iloc[places[0] : places[-1] + 1] if len(places) else frame.iloc[:0]


def _counts(similarities: pd.Series[Any]) -> NDArray[np.int64]:
    return np.histogram(similarities.clip(-1.0, 1.0), BANDS)[0]
