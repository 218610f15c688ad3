"""From what the filter left to the pairs of a set: marked unreviewed, or as people decided."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from plumbline.derive.filtering import Filtered
from plumbline.derive.finals import UNREVIEWED, Final
from plumbline.derive.review import EXCHANGED, Conflict, Decision, Reviewed, apply_decisions
from plumbline.records.files import digest_value
from plumbline.records.joblog import log

SHOWN = 100
"""So many pairs are named in one line."""


def unreviewed(name: str, rows: Iterable[Filtered], seed: int) -> list[Final]:
    """What the filter left, seen by nobody: also the queue that reviewers work through."""
    return [_final(name, row, seed) for row in rows if not row.dropped]


def _final(name: str, row: Filtered, seed: int) -> Final:
    """Which output stands first is drawn for each pair, so that its place tells nothing."""
    candidate = row.candidate
    turned = int(digest_value([seed, candidate.id]), 16) % 2
    return Final(
        id=candidate.id,
        subset=name,
        instruction=candidate.instruction,
        first=candidate.second if turned else candidate.first,
        second=candidate.first if turned else candidate.second,
        gold=EXCHANGED[candidate.gold] if turned else candidate.gold,
        origin=candidate.origin,
        item=candidate.item,
        related=candidate.related,
        detail=candidate.detail,
        evaluators=f"{row.agreeing} of {len(row.labels)} agree" if row.labels else "",
        state=UNREVIEWED,
        reviewers="",
        dropped="",
    )


def reviewed(queue: Sequence[Final], decisions: Sequence[Decision]) -> list[Final]:
    """The queue as people decided; what they have not agreed on is no part of the reviewed set."""
    review = apply_decisions([final.pair for final in queue], decisions)
    if review.stale:
        stale = named(review.stale)
        log.warning("%d decisions fit no pair of today's and count for nothing: %s", len(review.stale), stale)
    conflicts = {conflict.item: conflict for conflict in review.conflicts}
    return [_decided(final, said, conflicts.get(final.id)) for final, said in zip(queue, review.reviewed, strict=True)]


def named(decisions: Sequence[Decision]) -> str:
    """The pairs that decisions are about, each with who decided."""
    shown = ", ".join(f"{decision.item} ({decision.reviewer})" for decision in decisions[:SHOWN])
    return shown + (f" and {len(decisions) - SHOWN} more" if len(decisions) > SHOWN else "")


def _decided(final: Final, said: Reviewed, conflict: Conflict | None) -> Final:
    dropped = ""
    if said.status == "discarded":
        dropped = f"discarded: {said.reason}"
    elif said.status == UNREVIEWED:
        dropped = "reviewers disagree" if conflict else "not reviewed yet"
    pair = said.pair
    return replace(
        final,
        instruction=pair.instruction,
        first=pair.first,
        second=pair.second,
        gold=pair.gold,
        state=said.status,
        reviewers=", ".join(conflict.said if conflict else said.reviewers),
        dropped=dropped,
    )
