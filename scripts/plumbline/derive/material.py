"""What the earlier stages made for one set, and how a candidate is put together from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from plumbline.asking.surface import normalised
from plumbline.data.texts import State
from plumbline.derive.candidates import Candidate
from plumbline.derive.finals import Final
from plumbline.derive.pairs import Gold, Pair
from plumbline.derive.pools import Item
from plumbline.derive.strategy import FIRST
from plumbline.records.files import canonical
from plumbline.records.parquet import Row

Wording = Callable[..., str]
"""Renders a template of the set's wording with the values given."""


@dataclass(frozen=True)
class Text:
    """What a model wrote about one item."""

    text: str
    state: State = "written"


@dataclass(frozen=True)
class Side:
    """O1 or O2, and where it comes from."""

    text: str
    source: str


@dataclass(frozen=True)
class Material:
    """What a set's candidates are made of."""

    wording: Wording
    items: Sequence[Item] = ()
    texts: Mapping[str, Mapping[str, Text]] = field(default_factory=dict)
    """What models wrote, by role and item."""
    neighbours: Mapping[str, Row] = field(default_factory=dict)
    finals: Sequence[Final] = ()
    """The counterpart's pairs."""
    pairs: Sequence[Pair] = ()
    """The benchmark's pairs."""

    @property
    def drawn(self) -> list[Item]:
        return [item for item in self.items if item.drawn]

    def first(self, item: Item) -> Side:
        """O1: a model's answer where one was asked, else the reference output."""
        return self.asked(FIRST, item) if FIRST in self.texts else reference(item)

    def asked(self, role: str, item: Item) -> Side:
        """What a model wrote; a text that is not as it was asked for says so."""
        written = self.texts[role].get(item.id, Text("", "missing"))
        state = "" if written.state == "written" else f", {written.state}"
        return Side(written.text, f"asked {role}{state}")


def reference(item: Item) -> Side:
    """The reference output; of two compared ones the one that people preferred, or the first of equal ones."""
    return Side(item.other if item.gold == "second" else item.output, f"reference {item.id}")


def why_useless(changed: Text, instruction: str) -> str:
    """Why no pair can be made of a changed instruction, or nothing."""
    if changed.state == "refused":
        return "changing the instruction was refused"
    if changed.state == "missing":
        return "no changed instruction was written"
    if not changed.text:
        return "the changed instruction is empty"
    return "same instruction back" if normalised(changed.text) == normalised(instruction) else ""


def candidate_of(
    item: Item,
    first: Side,
    second: Side,
    gold: Gold = "first",
    instruction: str = "",
    related: str = "",
    similarity: float | None = None,
    detail: Mapping[str, Any] | None = None,
    dropped: str = "",
) -> Candidate:
    """A candidate made of a drawn item, shown under its own instruction or under another."""
    return Candidate(
        id="",
        instruction=instruction or item.instruction,
        first=first.text,
        second=second.text,
        gold=gold,
        item=item.id,
        related=related,
        similarity=similarity,
        first_from=first.source,
        second_from=second.source,
        detail=canonical(detail) if detail else "",
        origin=item.origin,
        dropped=dropped,
        input=item.input if instruction in ("", item.instruction) else "",
    )
