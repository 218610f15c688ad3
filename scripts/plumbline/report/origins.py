"""Where the two outputs of a set's pairs come from: who wrote O1 and O2, as far as its candidates say."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from plumbline.derive.history import History

SIDES = ("O1", "O2")
KINDS = {
    "reference": "an output of its pool",
    "asked": "a model",
    "computed": "computed",
    "given": "people who wrote the pair",
    "pair": "another set",
}
"""By the first word of where an output comes from."""
NO_WEAKER_WRITER = (
    "No model writes O1: both outputs come from the pool, the one for the instruction itself and the other for its "
    "neighbour, so that neither is by a weaker writer. LLMBar has O1 written by a weaker model, which `first` names."
)


def origins(histories: Iterable[History]) -> pd.DataFrame:
    """By output and kind of origin how many of the pairs that the filter leaves."""
    kept = [one for one in histories if one.left_by_filter]
    sides = [(side, one.facts.get(f"{side} from", "")) for side in SIDES for one in kept]
    rows = [(side, KINDS.get(source.partition(" ")[0], source)) for side, source in sides]
    frame = pd.DataFrame(rows, columns=["output", "written by"])
    return frame.value_counts(sort=False).rename("pairs").reset_index()


def remarks(histories: Iterable[History]) -> list[str]:
    """What is otherwise than in the paper's sets."""
    near = [one for one in histories if one.similarity is not None]
    taken = any(one.facts.get(f"{SIDES[0]} from", "").startswith("reference") for one in near)
    return [NO_WEAKER_WRITER] if taken else []
