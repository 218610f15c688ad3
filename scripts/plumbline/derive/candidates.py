"""Candidates: (I, O1, O2, p) with how each came about, and why those that are of no use were dropped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from plumbline.asking.refusal import is_refusal
from plumbline.asking.surface import alike, normalised
from plumbline.data.instances import content_id
from plumbline.derive.pairs import Gold, Pair
from plumbline.records.parquet import columns_of, read_rows, write_rows


@dataclass(frozen=True, slots=True)
class Candidate:
    """A pair that may become an instance."""

    id: str
    instruction: str
    """I, as the pair shows it."""
    first: str
    """O1."""
    second: str
    """O2."""
    gold: Gold
    """p: the output expected to be better."""
    item: str
    """The pool's row it is made of, or what it was computed from."""
    related: str
    """The other instruction: the neighbour's, the changed one, or the one before something was added to it."""
    similarity: float | None
    """For a neighbour: cosine similarity of the two instructions."""
    first_from: str
    """Where O1 comes from: reference ITEM, asked ROLE (and its state, where that is not `written`),
    computed, or given."""
    second_from: str
    """Where O2 comes from."""
    detail: str
    """What the label can be proved from, as JSON: a constraint and its values, an addition."""
    origin: str
    """File and row in the source."""
    dropped: str = ""
    """Why it is not used, or nothing."""
    input: str = ""
    """What the instruction ends with, where its pool keeps that apart."""

    @property
    def pair(self) -> Pair:
        """As a judge sees it."""
        return Pair(self.id, "", self.instruction, self.first, self.second, self.gold, self.origin)


CANDIDATES = columns_of(Candidate)


def write_candidates(path: Path, candidates: Sequence[Candidate]) -> None:
    write_rows(path, [asdict(candidate) for candidate in candidates], CANDIDATES)


def read_candidates(path: Path) -> list[Candidate]:
    return [Candidate(**row) for row in read_rows(path, CANDIDATES, CANDIDATES.names)]


def screened(candidates: Iterable[Candidate], threshold: float | None) -> list[Candidate]:
    """Drop degenerate candidates and repeated ones, each with its reason.

    Without a threshold only identical outputs are too much alike: where a label is proved or people gave it, the
    difference may lie in a comma.
    """
    seen: set[str] = set()
    kept = []
    for candidate in candidates:
        named = candidate if candidate.id else replace(candidate, id=_name(candidate))
        reason = named.dropped or why_degenerate(named, threshold)
        if not reason and named.id in seen:
            reason = "repeated candidate"
        seen.add(named.id)
        kept.append(replace(named, dropped=reason))
    return kept


def why_degenerate(candidate: Candidate, threshold: float | None) -> str:
    """The first thing that makes a candidate useless, or nothing."""
    sides = (("O1", candidate.first, candidate.first_from), ("O2", candidate.second, candidate.second_from))
    for name, text, came_from in sides:
        if not text.strip():
            return f"{name} is missing" if came_from.endswith("missing") else f"{name} is empty"
    for name, text, came_from in sides:
        if came_from.startswith("asked") and (is_refusal(text) or came_from.endswith("refused")):
            return f"{name} is a refusal"
    if candidate.first == candidate.second:
        return "O1 equals O2"
    if threshold is None:
        return ""
    if normalised(candidate.first) == normalised(candidate.second):
        return "O1 equals O2"
    return "O1 and O2 are near-duplicates" if alike(candidate.first, candidate.second) >= threshold else ""


def _name(candidate: Candidate) -> str:
    return content_id(candidate.item, candidate.instruction, candidate.first, candidate.second)
