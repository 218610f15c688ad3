"""Which tokens of many texts are read in one pass, so that what texts begin with alike is read once.

In the order of their tokens texts are the branches of a tree. A pack holds the new tokens of some branches that follow
one another, one behind the other in a single row; each token looks only at those before it in its own text. What the
next pack begins with as the last text did stays in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

Ids = tuple[int, ...]

MOST_TOKENS, MOST_ON_GPU = 512, 4096
"""New tokens in a pack. Each looks at a row as long as the pack, so that larger ones take longer for each token; but a
GPU that is given fewer waits for the next pass longer than it works."""


class Text(NamedTuple):
    """Tokens to be read."""

    ids: Ids
    wanted: int
    """From this place on what the network answers is wanted: these tokens are new in the pack that holds the text."""


class Branch(NamedTuple):
    """A text and in which slots of the memory its tokens stand."""

    ids: Ids
    slots: Ids


@dataclass(frozen=True)
class Pack:
    """Tokens that are new, behind those that stay in memory."""

    kept: Ids
    """Slots of the memory as it was that stay: they come first now, in this order."""
    ids: Ids
    places: Ids
    """Where in its text each new token stands."""
    branches: Mapping[int, Branch]
    """By the number of their text."""

    @property
    def last(self) -> Branch:
        return list(self.branches.values())[-1]


def packs(texts: Sequence[Text], last: Branch, most_texts: int, most_tokens: int) -> Iterator[Pack]:
    """All texts, in the order of their tokens, behind the one that was read last."""
    for group in groups(texts, last.ids, most_texts, most_tokens):
        pack = packed({number: texts[number] for number in group}, last)
        yield pack
        last = pack.last


def groups(texts: Sequence[Text], before: Ids, most_texts: int, most_tokens: int) -> Iterator[list[int]]:
    """Numbers of the texts that are read in one pass: as many as may be, or one that alone is longer."""
    group: list[int] = []
    tokens = 0
    for number in sorted(range(len(texts)), key=lambda number: texts[number].ids):
        ids = texts[number].ids
        new = len(ids) - alike(before, ids)
        if group and (len(group) == most_texts or tokens + new > most_tokens):
            yield group
            group, tokens = [], 0
        group.append(number)
        tokens += new
        before = ids
    if group:
        yield group


def packed(texts: Mapping[int, Text], last: Branch) -> Pack:
    kept = kept_of(list(texts.values()), last.ids)
    branch = Branch(last.ids[:kept], tuple(range(kept)))
    ids: list[int] = []
    places: list[int] = []
    branches = {}
    for number, text in texts.items():
        shared = alike(branch.ids, text.ids)
        first = kept + len(ids)
        new = text.ids[shared:]
        branch = Branch(text.ids, (*branch.slots[:shared], *range(first, first + len(new))))
        branches[number] = branch
        ids.extend(new)
        places.extend(range(shared, len(text.ids)))
    return Pack(last.slots[:kept], tuple(ids), tuple(places), branches)


def kept_of(texts: Sequence[Text], last: Ids) -> int:
    """How many tokens of the last text the next ones need not read again."""
    kept = shared = alike(last, texts[0].ids)
    before = texts[0].ids
    for text in texts:
        shared = min(shared, alike(before, text.ids))
        before = text.ids
        if shared > text.wanted:
            kept = min(kept, text.wanted)
    return kept


def alike(one: Ids, other: Ids) -> int:
    """With how many equal tokens both begin."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
