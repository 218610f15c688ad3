"""From what the filter left to the pairs of a set: as people decided, or marked unreviewed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from plumbline.construct.filtering import Filtered
from plumbline.construct.finals import UNREVIEWED, Final
from plumbline.files import digest_value
from plumbline.instances import Gold, Pair


def finished(name: str, rows: Iterable[Filtered], seed: int, decisions: Path | None) -> list[Final]:
    """What the filter left; without decisions it is marked as seen by nobody."""
    return [_final(name, row, seed) for row in rows if not row.dropped]


def _final(name: str, row: Filtered, seed: int) -> Final:
    """Which output stands first is drawn for each pair, so that its place tells nothing."""
    candidate = row.candidate
    pair = candidate.pair
    if int(digest_value([seed, candidate.id]), 16) % 2:
        turned: dict[Gold, Gold] = {"first": "second", "second": "first", "tie": "tie"}
        pair = Pair(pair.id, "", pair.instruction, pair.second, pair.first, turned[pair.gold], pair.origin)
    return Final(
        id=candidate.id,
        subset=name,
        instruction=pair.instruction,
        first=pair.first,
        second=pair.second,
        gold=pair.gold,
        item=candidate.item,
        related=candidate.related,
        state=UNREVIEWED,
        reviewer="",
        origin=candidate.origin,
        dropped="",
    )
