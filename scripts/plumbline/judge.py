"""Judging: run every protocol over every pair against one engine, and write down each call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from plumbline import schema
from plumbline.asking import Completion, Engine, Message, Place, Request
from plumbline.failures import Failures
from plumbline.flight import each_in_order
from plumbline.instances import Pair
from plumbline.parsing import read_preference
from plumbline.prompts import PromptSet
from plumbline.protocols import PROGRAMS, How, Judgment, Preference, View


@dataclass(frozen=True, slots=True)
class Asked:
    """One call, as it is kept in a transcript."""

    place: Place
    request: Request
    completion: Completion


@dataclass(frozen=True)
class Judge:
    """A model with the wording it is asked in and its exceptions to how the authors read its answers."""

    model: schema.Model
    prompts: PromptSet

    def parser(self, how: How, template: schema.Template) -> schema.Parser:
        """The patterns of the published reading; the strict one knows no exceptions."""
        base = how.name.partition("+")[0]
        return self.prompts.declared.parsers[self.model.parsers.get(base, template.parser)]


@dataclass
class Asking:
    """`ask` for one pair under one protocol."""

    pair: Pair
    how: How
    judge: Judge
    engine: Engine
    asked: list[Asked] = field(default_factory=list)

    async def text(self, step: str) -> str:
        template = self.judge.prompts.template(step, "", self.how.rules)
        completion = await self._call(step, "", template, self._values())
        return completion.text.strip()

    async def preference(self, step: str, variant: str, view: View, **values: str) -> Preference:
        template = self.judge.prompts.template(step, variant, self.how.rules)
        shown = self._values(first=view.first, second=view.second, reasoning=variant == "cot", **values)
        completion = await self._call(step, view.order, template, shown)
        reading = read_preference(completion, self.judge.parser(self.how, template), self.judge.prompts.declared.names)
        margin = completion.logprobs[0] - completion.logprobs[1] if len(completion.logprobs) == 2 else None
        if view.order == "swapped":
            reading, margin = reading.swapped(), None if margin is None else -margin
        return Preference(reading, text=completion.text.strip(), margin=margin, gap=completion.gap)

    async def score(self, output: Literal["first", "second"], **values: str) -> Completion:
        template = self.judge.prompts.template("rate", self.how.variant, self.how.rules)
        text = self.pair.first if output == "first" else self.pair.second
        return await self._call("rate", output, template, self._values(output=text, **values))

    async def gain(self, output: Literal["first", "second"]) -> float | None:
        text = self.pair.first if output == "first" else self.pair.second
        told, untold = await asyncio.gather(
            self._answer("told", output, Request((Message("user", self.pair.instruction),), scored=text)),
            self._answer("untold", output, Request((), scored=text)),
        )
        given, alone = mean_logprob(told), mean_logprob(untold)
        return None if given is None or alone is None else given - alone

    def _values(self, **values: str | bool) -> dict[str, Any]:
        """What templates may use: our names, the options, and the LLMBar authors' names for the same."""
        known = {"instruction": self.pair.instruction, "rules": self.how.rules} | values
        authors = {"input": "instruction", "output_1": "first", "output_2": "second"}
        return known | {theirs: known[ours] for theirs, ours in authors.items() if ours in known}

    async def _call(self, step: str, order: str, template: schema.Template, values: dict[str, Any]) -> Completion:
        slots = {f"auxiliary_input_{number}": values[aid] for number, aid in enumerate(template.slots)}
        messages = self.judge.prompts.render(template, values | slots)
        request = Request(messages, max_tokens=template.max_tokens, choices=tuple(template.choices))
        return await self._answer(step, order, request)

    async def _answer(self, step: str, order: str, request: Request) -> Completion:
        place = Place(self.pair.id, self.how.name, step, order, request.sample)
        completion = await self.engine.answer(request, place)
        self.asked.append(Asked(place, request, completion))
        return completion


def mean_logprob(completion: Completion) -> float | None:
    """Per token; none for a text that could not be scored, e.g. because it did not fit."""
    if not completion.logprobs or not completion.completion_tokens:
        return None
    return completion.logprobs[0] / completion.completion_tokens


class Judged(NamedTuple):
    """What came of one pair under one protocol."""

    pair: Pair
    how: How
    judgment: Judgment
    asked: list[Asked]


async def judge_all(
    pairs: Iterable[Pair],
    hows: Sequence[How],
    judge: Judge,
    engine: Engine,
    window: int,
    keep: Callable[[Sequence[Judged]], None],
    finished: Callable[[int], None] = lambda calls: None,
) -> None:
    """All pairs under all protocols, `window` pairs in flight at a time; `keep` is given what came of each in order."""
    failures = Failures()

    async def one(pair: Pair) -> list[Judged]:
        asks = [Asking(pair, how, judge, engine) for how in hows]
        programs = (PROGRAMS[how.protocol.program](pair, ask, how) for how, ask in zip(hows, asks, strict=True))
        ends = await asyncio.gather(*programs, return_exceptions=True)
        finished(sum(len(ask.asked) for ask in asks))
        for end in ends:
            if isinstance(end, BaseException):
                failures.add(end)
        done = [(ask, end) for ask, end in zip(asks, ends, strict=True) if isinstance(end, Judgment)]
        return [Judged(pair, ask.how, judgment, ask.asked) for ask, judgment in done]

    try:
        await each_in_order(pairs, one, keep, window, failures)
    finally:
        await engine.close()
