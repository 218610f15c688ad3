"""Protocols: short async programs over `ask`. None of them knows which engine answers."""

from __future__ import annotations

import re
from asyncio import gather
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from plumbline.config import schema
from plumbline.data.instances import Instance
from plumbline.data.recorded import RecordedPlace
from plumbline.data.verdicts import PLAIN, SWAPPED, Showing, Verdict, shown
from plumbline.records.errors import PlumblineError

NAMED = re.compile(r"(?<=[Oo]utput )\(([ab])\)")
RULES = "rules"


@dataclass(frozen=True)
class ProtocolName:
    """A protocol as a table names it: `metrics+rules@llmbar` is metrics with the rules, in LLMBar's wording."""

    base: str
    rules: bool
    wording: str
    """Which prompt set; empty where the table's default is meant, or where nobody is asked in words."""

    @classmethod
    def parse(cls, name: str) -> ProtocolName:
        asked, _, wording = name.partition("@")
        base, _, option = asked.partition("+")
        if option not in ("", RULES) or not base or name.endswith("@"):
            raise PlumblineError(
                f"{name!r} does not name a protocol", expected="PROTOCOL or PROTOCOL+rules, perhaps with @WORDING"
            )
        return cls(base, bool(option), wording)

    @property
    def asked(self) -> str:
        """Without the wording."""
        return self.base + (f"+{RULES}" if self.rules else "")

    def __str__(self) -> str:
        return self.asked + (f"@{self.wording}" if self.wording else "")


@dataclass(frozen=True)
class ProtocolOptions:
    """A protocol with its options, and whether the prompt spells out the evaluation rules."""

    name: str
    """As a table names it, with its wording: what verdicts and transcripts are filed under."""
    protocol: schema.Protocol

    @property
    def rules(self) -> bool:
        return ProtocolName.parse(self.name).rules

    @property
    def wording(self) -> str:
        return ProtocolName.parse(self.name).wording

    @property
    def variant(self) -> str:
        """The part of a template's name that these options decide."""
        aids = "_".join(self.protocol.aids)
        shots = {0: "", 1: "one_shot", 2: "two_shot"}[self.protocol.shots]
        return "cot" if self.protocol.reasoning else aids or shots


class Answer(NamedTuple):
    """A verdict, and the words it was read from."""

    verdict: Verdict
    text: str


class Ask(Protocol):
    """Calls to one model about one instance under one protocol; every call is written down with its place."""

    async def text(self, step: str) -> str:
        """Free text about the instruction alone, e.g. metrics or a reference output."""
        ...

    async def preference(self, step: str, variant: str, showing: Showing, **values: str) -> Answer:
        """Which of the two outputs shown is better, mapped back to the order in which they are stored."""
        ...

    async def answer(self, question: str, step: str, variant: str, output: int, **values: str) -> Verdict:
        """What is said about one output on its own: a word or a number, as the step's parser reads it."""
        ...

    async def gain(self, output: int) -> Verdict:
        """By how much the instruction raises the mean log-probability of an output's tokens."""
        ...

    async def recorded(self) -> list[RecordedPlace]:
        """Which statements about the instance were recorded."""
        ...

    async def recorded_answer(self, place: RecordedPlace) -> Verdict:
        """A recorded word or number."""
        ...

    async def recorded_text(self, place: RecordedPlace, variant: str) -> Verdict:
        """A recorded completion, read as one to a prompt of this variant is."""
        ...

    def number(self, question: str, output: int, value: float) -> Verdict:
        """A number about one output that nobody is asked for."""
        ...


Program = Callable[[Instance, Ask, ProtocolOptions], Awaitable[Sequence[Verdict]]]


async def both_orders(look: Callable[[Showing], Awaitable[Answer]]) -> tuple[Answer, Answer]:
    return await gather(look(PLAIN), look(SWAPPED))


async def aids(ask: Ask, options: ProtocolOptions) -> dict[str, str]:
    """What the model writes for itself first (LLMBar, section 3: Metrics, Reference)."""
    texts = await gather(*(ask.text(aid) for aid in options.protocol.aids))
    return dict(zip(options.protocol.aids, texts, strict=True))


async def compare(instance: Instance, ask: Ask, options: ProtocolOptions) -> list[Verdict]:
    """Show both outputs and ask which is better."""
    written = await aids(ask, options)
    answers = await both_orders(lambda showing: ask.preference("compare", options.variant, showing, **written))
    return [answer.verdict for answer in answers]


async def swap(instance: Instance, ask: Ask, options: ProtocolOptions) -> list[Verdict]:
    """Explain in both orders; where the two contradict each other, decide over the debate (LLMBar, B.6)."""
    thoughts = await both_orders(lambda showing: ask.preference("compare", "cot", showing))
    if {thought.verdict.as_published.word for thought in thoughts} != {"first", "second"}:
        return [thought.verdict for thought in thoughts]

    async def synthesize(showing: Showing) -> Answer:
        for_first, for_second = debate(thoughts, showing)
        return await ask.preference(
            "synthesize", options.variant, showing, explanation_1=for_first, explanation_2=for_second
        )

    return [answer.verdict for answer in await both_orders(synthesize)]


def debate(thoughts: Sequence[Answer], showing: Showing) -> tuple[str, str]:
    """The explanations in favour of the output shown first and second, each worded for this showing."""
    in_favour = {
        thought.verdict.as_published.word: (
            thought.text if thought.verdict.showing == showing else exchange_names(thought.text)
        )
        for thought in thoughts
    }
    for_first, for_second = in_favour["first"], in_favour["second"]
    return (for_first, for_second) if shown(showing) == (0, 1) else (for_second, for_first)


def exchange_names(text: str) -> str:
    """Let Output (a) and Output (b), or output (a) and output (b), change names inside an explanation."""
    return NAMED.sub(lambda name: "(b)" if name[1] == "a" else "(a)", text)


async def rate(instance: Instance, ask: Ask, options: ProtocolOptions) -> list[Verdict]:
    """Score each output on its own (LLMBar, appendix D); which is preferred follows from the scores."""
    written = await aids(ask, options)
    outputs = range(len(instance.outputs))
    return await gather(*(ask.answer("rating", "rate", options.variant, output, **written) for output in outputs))


async def likelihood(instance: Instance, ask: Ask, options: ProtocolOptions) -> list[Verdict]:
    """By how much the instruction makes each output more likely; nothing is shown in any order."""
    return await gather(*(ask.gain(output) for output in range(len(instance.outputs))))


async def length(instance: Instance, ask: Ask, options: ProtocolOptions) -> list[Verdict]:
    """How long each output is, in characters; as a negative number where the shorter one is to be preferred."""
    sign = 1.0 if options.protocol.prefer == "longer" else -1.0
    return [ask.number("length", output, sign * len(text)) for output, text in enumerate(instance.texts)]


async def recorded(instance: Instance, ask: Ask, options: ProtocolOptions) -> list[Verdict]:
    """The words and numbers that were recorded of a judge, to whatever questions and in whatever showings."""
    return await gather(*(ask.recorded_answer(place) for place in await ask.recorded()))


async def recorded_text(instance: Instance, ask: Ask, options: ProtocolOptions) -> list[Verdict]:
    """The completions that were recorded of a judge, read as those to a comparison or a rating are."""
    return await gather(*(ask.recorded_text(place, options.variant) for place in await ask.recorded()))


PROGRAMS: dict[str, Program] = {
    "compare": compare,
    "swap": swap,
    "rate": rate,
    "likelihood": likelihood,
    "length": length,
    "recorded": recorded,
    "recorded_text": recorded_text,
}


def full_name(name: str, protocols: Mapping[str, schema.Protocol], wording: str) -> str:
    """A protocol with the wording it is asked in; one that asks nobody in words has none."""
    parsed = ProtocolName.parse(name)
    if not steps_in_words(ProtocolOptions(name, protocols[parsed.base])):
        return parsed.asked
    return str(replace(parsed, wording=parsed.wording or wording))


RECORDED = ("recorded", "recorded_text")
"""The programs that ask nobody and read what was recorded."""


def program_of_records(model: schema.Model, engine: schema.Engine) -> str:
    """The program that reads what a file records of a judge; empty for a judge that is asked."""
    if engine.kind != "recorded_rows":
        return ""
    return "recorded_text" if "text" in model.recorded.columns else "recorded"


def is_asked_with(model: schema.Model, engine: schema.Engine, protocol: schema.Protocol) -> bool:
    """Whether a protocol is one for this judge: a file of records is read by its own program, and no other is."""
    program = program_of_records(model, engine)
    return protocol.program == program if program else protocol.program not in RECORDED


def wordings_of(names: Iterable[str]) -> list[str]:
    """The wordings that these protocols are asked in, each once."""
    return sorted({ProtocolName.parse(name).wording for name in names} - {""})


def steps_in_words(options: ProtocolOptions) -> list[tuple[str, str]]:
    """The steps in which a program asks for words, each with the variant of its template."""
    aids = [(aid, "") for aid in options.protocol.aids]
    return {
        "compare": [*aids, ("compare", options.variant)],
        "swap": [("compare", "cot"), ("synthesize", options.variant)],
        "rate": [*aids, ("rate", options.variant)],
        "recorded_text": [("compare", options.variant)],
    }.get(options.protocol.program, [])
