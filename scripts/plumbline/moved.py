"""What moved: the verdicts that the strict reading reads otherwise, and what each of them is worth in a cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from plumbline.cells import Reading
from plumbline.statistics import NONE, PERCENT, SCORES, STORED_ORDER, Outcome, agreement, right

NO_VERDICT = "no verdict"
IN_NEITHER_ORDER = "no verdict in either order"
"""Why a pair agrees only as published, which takes two missing verdicts for the same one."""


class Said(NamedTuple):
    """One verdict in both readings, and what the strict one goes by where they differ."""

    as_published: str
    strict: str
    why: str


class Judged(NamedTuple):
    """What a judge said of one instance."""

    gold: str
    plain: Said
    swapped: Said

    def outcome(self, reading: Reading) -> Outcome:
        return self.gold, getattr(self.plain, reading), getattr(self.swapped, reading)


class Move(NamedTuple):
    """From what to what, in the words that matter to a metric, and why."""

    was: str
    now: str
    why: str


@dataclass
class Moved:
    """How many verdicts made one move, or instances for agreement, and by how much that changes the value."""

    count: int = 0
    worth: float = 0.0


def moves(metric: str, parts: Sequence[Mapping[Judged, int]]) -> dict[Move, Moved]:
    """All that moved, in the subsets that a cell averages. Where the metric is a mean, the worths add up to the
    whole difference between the readings; kappa is none, and what moved is worth nothing by itself."""
    found: dict[Move, Moved] = {}
    for part in parts:
        weight = (100.0 if metric in PERCENT else 1.0) / sum(part.values()) / len(parts)
        for judged, count in part.items():
            for move, worth in _moves_of(metric, judged):
                moved = found.setdefault(move, Moved())
                moved.count += count
                moved.worth += count * worth * weight
    return dict(sorted(found.items(), key=lambda item: (-item[1].count, item[0])))


def why_strict_differs(metric: str, parts: Sequence[Mapping[Judged, int]], difference: float) -> str:
    """In one sentence: by how much the strict value differs, how many verdicts moved, from what to what, and why."""
    found = moves(metric, parts)
    instances = sum(sum(part.values()) for part in parts)
    by_instance = metric == "agr" or metric in STORED_ORDER
    whole, unit = (instances, "instances") if by_instance else (2 * instances, "verdicts")
    total = sum(moved.count for moved in found.values())
    anew = " (computed anew)" if metric == "kappa" else ""
    reasons = dict.fromkeys(move.why for move in found)
    listed = "; ".join(_listed(found, why) for why in reasons)
    return f"strictly {difference:+.3g}{anew} by {total:,} of {whole:,} {unit}: {listed}"


def _listed(found: Mapping[Move, Moved], why: str) -> str:
    same = [f"{moved.count:,} {move.was} to {move.now}" for move, moved in found.items() if move.why == why]
    return ", ".join(same) + (f" ({why})" if why else "")


def _moves_of(metric: str, judged: Judged) -> Iterator[tuple[Move, float]]:
    if metric == "agr":
        yield from _agreement_moves(judged)
        return
    gold, *read = judged.outcome("as_published")
    for place, said in enumerate((judged.plain,) if metric in STORED_ORDER else (judged.plain, judged.swapped)):
        before = (gold, read[0], read[1])
        read[place] = said.strict
        was, now = (_state(metric, word, gold) for word in (said.as_published, said.strict))
        if was != now:
            yield Move(was, now, said.why), _gain(metric, before, (gold, read[0], read[1]))


def _gain(metric: str, before: Outcome, after: Outcome) -> float:
    score = SCORES.get(metric)
    return score(after, True) - score(before, False) if score else 0.0


def _state(metric: str, verdict: str, gold: str) -> str:
    """What a verdict is to a metric."""
    if verdict in NONE:
        return NO_VERDICT
    if metric == "kappa":
        return verdict
    if metric == "acc":
        return {1.0: "right", 0.5: "tie", 0.0: "wrong"}[right(verdict, gold)]
    return "tie" if verdict == "tie" else "preference"


def _agreement_moves(judged: Judged) -> Iterator[tuple[Move, float]]:
    published, strict = judged.outcome("as_published"), judged.outcome("strict")
    was, now = agreement(published, False), agreement(strict, True)
    if was == now:
        return
    orders = (judged.plain, judged.swapped)
    if was and published[1] in NONE and {strict[1], strict[2]} <= NONE:
        why = IN_NEITHER_ORDER
    else:
        why = " and ".join(sorted({said.why for said in orders if said.as_published != said.strict} - {""}))
    words = {1.0: "agreeing", 0.0: "not agreeing"}
    yield Move(words[was], words[now], why), now - was
