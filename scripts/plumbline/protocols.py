"""Protocols: short async programs over `ask`. None of them knows which engine answers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from plumbline import schema
from plumbline.asking import Completion
from plumbline.errors import PlumblineError
from plumbline.instances import Pair
from plumbline.parsing import Reading, by_score, compare_scores, read_score

Order = Literal["plain", "swapped"]
NAMED = re.compile(r"(?<=[Oo]utput )\(([ab])\)")


@dataclass(frozen=True)
class View:
    """A pair as it is shown: in stored order or swapped."""

    pair: Pair
    order: Order

    @property
    def first(self) -> str:
        return self.pair.first if self.order == "plain" else self.pair.second

    @property
    def second(self) -> str:
        return self.pair.second if self.order == "plain" else self.pair.first


@dataclass(frozen=True)
class Preference:
    """An answer that prefers one of the outputs, in the order they are stored, not shown."""

    reading: Reading
    text: str = ""
    margin: float | None = None
    """How much more probable the first stored output's choice was, in nats."""
    gap: float | None = None
    """How far the log-probabilities that decided it are from deciding otherwise, in nats."""
    scores: tuple[float | None, float | None] = (None, None)


@dataclass(frozen=True)
class Judgment:
    """What a judge said of a pair shown both ways."""

    plain: Preference
    swapped: Preference


@dataclass(frozen=True)
class How:
    """A protocol's options, and whether the prompt spells out the evaluation rules."""

    name: str
    protocol: schema.Protocol
    rules: bool

    @property
    def variant(self) -> str:
        """The part of a template's name that these options decide."""
        aids = "_".join(self.protocol.aids)
        shots = {0: "", 1: "one_shot", 2: "two_shot"}[self.protocol.shots]
        return "cot" if self.protocol.reasoning else aids or shots


class Ask(Protocol):
    """Calls to one model about one pair under one protocol; every call is written down with its place."""

    async def text(self, step: str) -> str:
        """Free text about the instruction alone, e.g. metrics or a reference output."""
        ...

    async def preference(self, step: str, variant: str, view: View, **values: str) -> Preference:
        """Which of the two outputs shown is better, mapped back to stored order."""
        ...

    async def score(self, output: Literal["first", "second"], **values: str) -> Completion:
        """A score of one output on its own, in the model's words."""
        ...

    async def gain(self, output: Literal["first", "second"]) -> float | None:
        """By how much the instruction raises the mean log-probability of an output's tokens; none if unscorable."""
        ...


async def both_orders(pair: Pair, look: Callable[[View], Awaitable[Preference]]) -> Judgment:
    plain, swapped = await asyncio.gather(look(View(pair, "plain")), look(View(pair, "swapped")))
    return Judgment(plain, swapped)


async def aids(ask: Ask, how: How) -> dict[str, str]:
    """What the model writes for itself first (LLMBar, section 3: Metrics, Reference)."""
    texts = await asyncio.gather(*(ask.text(aid) for aid in how.protocol.aids))
    return dict(zip(how.protocol.aids, texts, strict=True))


async def compare(pair: Pair, ask: Ask, how: How) -> Judgment:
    """Show both outputs and ask which is better."""
    written = await aids(ask, how)
    return await both_orders(pair, lambda view: ask.preference("compare", how.variant, view, **written))


async def swap(pair: Pair, ask: Ask, how: How) -> Judgment:
    """Explain in both orders; where the two contradict each other, decide over the debate (LLMBar, B.6)."""
    thoughts = await both_orders(pair, lambda view: ask.preference("compare", "cot", view))
    if {thoughts.plain.reading.as_published, thoughts.swapped.reading.as_published} != {"first", "second"}:
        return thoughts

    async def synthesize(view: View) -> Preference:
        for_first, for_second = debate(thoughts, view)
        return await ask.preference("synthesize", how.variant, view, explanation_1=for_first, explanation_2=for_second)

    return await both_orders(pair, synthesize)


def debate(thoughts: Judgment, view: View) -> tuple[str, str]:
    """The explanations in favour of the output shown first and second, each worded for this view's order."""
    shown = {
        "plain": thoughts.plain.text if view.order == "plain" else exchange_names(thoughts.plain.text),
        "swapped": thoughts.swapped.text if view.order == "swapped" else exchange_names(thoughts.swapped.text),
    }
    favours_stored_first = "plain" if thoughts.plain.reading.as_published == "first" else "swapped"
    other = "swapped" if favours_stored_first == "plain" else "plain"
    stored = (shown[favours_stored_first], shown[other])
    return stored if view.order == "plain" else (stored[1], stored[0])


def exchange_names(text: str) -> str:
    """Let Output (a) and Output (b), or output (a) and output (b), change names inside an explanation."""
    return NAMED.sub(lambda name: "(b)" if name[1] == "a" else "(a)", text)


async def rate(pair: Pair, ask: Ask, how: How) -> Judgment:
    """Score each output on its own and prefer the higher score (LLMBar, appendix D)."""
    written = await aids(ask, how)
    first, second = await asyncio.gather(ask.score("first", **written), ask.score("second", **written))
    scores = read_score(first), read_score(second)
    gaps = [answer.gap for answer in (first, second) if answer.gap is not None]
    return same_either_way(Preference(compare_scores(first, second), scores=scores, gap=min(gaps, default=None)))


async def likelihood(pair: Pair, ask: Ask, how: How) -> Judgment:
    """Prefer the output that the instruction makes more likely; nothing is shown in any order."""
    first, second = await asyncio.gather(ask.gain("first"), ask.gain("second"))
    if first is None or second is None:
        return same_either_way(Preference(Reading("unparsed", "truncated"), scores=(first, second)))
    return higher(first, second, gap=abs(first - second))


async def length(pair: Pair, ask: Ask, how: How) -> Judgment:
    """Prefer the shorter or the longer output, in characters."""
    sign = 1.0 if how.protocol.prefer == "longer" else -1.0
    return higher(sign * len(pair.first), sign * len(pair.second))


def higher(first: float, second: float, gap: float | None = None) -> Judgment:
    word = by_score(first, second)
    return same_either_way(Preference(Reading(word, word), margin=first - second, gap=gap, scores=(first, second)))


def same_either_way(preference: Preference) -> Judgment:
    """Judges that never see two outputs at once have no order to be biased by."""
    return Judgment(preference, preference)


Program = Callable[[Pair, Ask, How], Awaitable[Judgment]]
PROGRAMS: dict[str, Program] = {
    "compare": compare,
    "swap": swap,
    "rate": rate,
    "likelihood": likelihood,
    "length": length,
}


def wordings(how: How) -> list[tuple[str, str]]:
    """The steps in which a program asks for words, each with the variant of its template."""
    aids = [(aid, "") for aid in how.protocol.aids]
    return {
        "compare": [*aids, ("compare", how.variant)],
        "swap": [("compare", "cot"), ("synthesize", how.variant)],
        "rate": [*aids, ("rate", how.variant)],
    }.get(how.protocol.program, [])


def how(name: str, protocol: schema.Protocol) -> How:
    """The options of a protocol as a table names it, e.g. `metrics+rules`."""
    _, _, option = name.partition("+")
    if option not in ("", "rules"):
        raise PlumblineError(f"unknown option of a protocol: {name!r}", expected="PROTOCOL or PROTOCOL+rules")
    return How(name, protocol, bool(option))
