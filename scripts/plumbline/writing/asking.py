"""Ask one engine for every step about every instance, and write down each call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from plumbline.asking.judge import Asked
from plumbline.asking.parser import finds_items, read_items, read_text
from plumbline.asking.prompts import PromptSet
from plumbline.config import writing as config
from plumbline.config.parsers import Parser
from plumbline.config.prompts import Template
from plumbline.data.instances import Instance
from plumbline.data.verdicts import NOTHING
from plumbline.models.asking import Completion, Engine, Place, Request
from plumbline.models.failures import Failures
from plumbline.models.flight import each_in_order
from plumbline.records.errors import PlumblineError
from plumbline.writing.step import Step
from plumbline.writing.written import Written, records, state_of


@dataclass(frozen=True)
class StepOptions:
    """A step as it is asked for."""

    name: str
    """With its wording: what texts and calls are filed under."""
    step: Step
    options: config.Step
    wording: PromptSet
    subsets: tuple[str, ...] = ()
    """About which subsets it is asked; none: about all."""

    def is_about(self, instance: Instance) -> bool:
        return not self.subsets or instance.subset in self.subsets


@dataclass
class StepAsk:
    """`ask` for one instance in one step: one run of its function."""

    instance: Instance
    options: StepOptions
    engine: Engine
    sample: int = 0
    asked: list[Asked] = field(default_factory=list)

    async def text(self, prompt: str, **values: str) -> str:
        completion = await self._call(prompt, values)
        return read_text(completion, self._parser(prompt))

    async def items(self, prompt: str, **values: str) -> tuple[str, ...]:
        completion, parser = await self._call(prompt, values), self._parser(prompt)
        if not finds_items(parser):
            raise PlumblineError(
                f"the step {self.options.name!r} takes the items of a list, and its prompt {prompt!r} has no parser "
                "of the kind 'list'",
                where=f"config/prompts/{self.options.wording.name}.yaml",
            )
        return read_items(completion, parser)

    async def _call(self, prompt: str, values: Mapping[str, str]) -> Completion:
        template, instance = self._template(prompt), self.instance
        context = {name: "\n\n".join(texts) for name, texts in instance.context.items()}
        messages = self.options.wording.render(
            template, {**context, "rules": False, "instruction": instance.instruction, **values}
        )
        temperature = self.options.options.temperature
        request = Request(messages, max_tokens=template.max_tokens, temperature=temperature, sample=self.sample)
        place = Place(instance.id, self.options.name, prompt, NOTHING, self.sample)
        completion = await self.engine.answer(request, place)
        self.asked.append(Asked(place, request, completion))
        return completion

    def _template(self, prompt: str) -> Template:
        return self.options.wording.template(prompt, "", rules=False)

    def _parser(self, prompt: str) -> Parser | None:
        return self.options.wording.declared.parsers.get(self._template(prompt).parser)


@dataclass(frozen=True)
class Run:
    """What came of one run of a step about one instance."""

    instance: str
    texts: list[Written]
    asked: list[Asked]


async def write_all(
    instances: Iterable[Instance],
    steps: Sequence[StepOptions],
    engine: Engine,
    window: int,
    keep: Callable[[Sequence[Run]], None],
    finished: Callable[[int], None] = lambda calls: None,
) -> None:
    """All instances in all steps, `window` instances in flight; `keep` is given what came of each in order."""
    failures = Failures()

    async def one(instance: Instance) -> list[Run]:
        runs = ((options, sample) for options in steps for sample in range(options.options.samples))
        asks = [StepAsk(instance, options, engine, sample) for options, sample in runs if options.is_about(instance)]
        ends = await asyncio.gather(*map(run, asks), return_exceptions=True)
        finished(sum(len(ask.asked) for ask in asks))
        for end in ends:
            if isinstance(end, BaseException):
                raise end
        return [end for end in ends if isinstance(end, Run)]

    try:
        await each_in_order(instances, one, keep, window, failures)
    finally:
        await engine.close()


async def run(ask: StepAsk) -> Run:
    texts = await ask.options.step.function(ask.instance, ask)
    states = [state_of(call.completion) for call in ask.asked]
    return Run(ask.instance.id, records(ask.instance.id, ask.options.name, ask.sample, texts, states), ask.asked)
