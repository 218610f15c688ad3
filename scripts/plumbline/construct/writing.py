"""Texts that models write for a set under construction: one step, one model, one transcript."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from plumbline.config.engine import EngineSettings
from plumbline.config.model import Model
from plumbline.config.prompts import Prompts
from plumbline.config.typed import build
from plumbline.construct.pools import Item
from plumbline.judging.judge import Asked
from plumbline.judging.parsing.answers import REFUSED
from plumbline.judging.prompts import PromptSet
from plumbline.judging.transcripts import TRANSCRIPTS, row_of
from plumbline.judging.wording import wording_reader
from plumbline.models.asking import Engine, Place, Request
from plumbline.models.failures import Failures
from plumbline.models.flight import each_in_order
from plumbline.models.kinds import named, settings_of
from plumbline.models.session import Done, EngineContext, ask_through, open_engine
from plumbline.records.errors import PlumblineError
from plumbline.records.parquet import RowWriter, read_rows, writing_rows
from plumbline.records.tally import Tally, tally_path
from plumbline.writing.surface import bare, is_refusal, normalised

PERTURBED, FIRST, SECOND = "perturbed", "first", "second"
STEPS = (PERTURBED, FIRST, SECOND)
"""What a model may be asked for: another instruction, O1, O2."""


@dataclass(frozen=True)
class Text:
    """What a model wrote about one item."""

    text: str
    refused: bool


@dataclass(frozen=True)
class Writing:
    """A step: who is asked for it, and in which words."""

    step: str
    model: Model
    engine: EngineSettings
    wording: PromptSet
    template: str

    @classmethod
    def of(cls, step: str, settings: Mapping[str, Any], files: Sequence[Path]) -> Writing:
        model = build(Model, settings["model"] | {"label": ""}, "model")
        prompts = build(Prompts, settings["prompts"] | {"title": "", "parsers": {}}, "prompts")
        wording = PromptSet(settings["wording"], prompts, wording_reader(settings["wording"], files))
        engine = settings_of(settings["engine"], "engine")
        return cls(step, model, engine, wording, settings["template"])

    def request(self, instruction: str) -> Request:
        template = self.wording.template(self.template, "", rules=False)
        messages = self.wording.render(template, {"instruction": instruction})
        return Request(messages, max_tokens=template.max_tokens)


def write(
    writing: Writing, asked: Mapping[str, str], out: Path, store: Path, tuning: Mapping[str, Any], threads: int
) -> Done:
    """Ask about each item's instruction, and write the transcript in the items' order."""
    if not named(writing.engine.kind).asks:
        raise PlumblineError(
            f"a model with the engine {writing.engine.kind!r} writes no new texts",
            where=f"step {writing.step!r}",
            do="name a model that can be asked, or none: O1 is then the reference output",
        )
    settings, model = replace(writing.engine, **tuning["engine"]), replace(writing.model, **tuning["model"])
    tally = Tally("/".join(out.with_suffix("").parts[-2:]), len(asked))
    context = EngineContext((), (), threads, store / "models")

    def ask(engine: Engine) -> None:
        with writing_rows(out, TRANSCRIPTS) as writer:
            asyncio.run(_ask_all(writing, asked, engine, settings.window, tally, writer))

    return ask_through(open_engine(model, settings, context), store, ask, tally, tally_path(out))


async def _ask_all(
    writing: Writing,
    asked: Mapping[str, str],
    engine: Engine,
    window: int,
    tally: Tally,
    writer: RowWriter,
) -> None:
    async def one(item: tuple[str, str]) -> Asked:
        name, instruction = item
        request, place = writing.request(instruction), Place(name, "construct", writing.step, "")
        try:
            return Asked(place, request, await engine.answer(request, place))
        finally:
            tally.finish(1)

    try:
        await each_in_order(asked.items(), one, lambda call: writer.add([row_of(call)]), window, Failures())
    finally:
        await engine.close()


def asked_of(step: str, items: Sequence[Item], perturbed: Mapping[str, Text] | None) -> dict[str, str]:
    """The instruction that each drawn item is asked about in a step; a changed one only where it is of use."""
    drawn = {item.id: item.instruction for item in items if item.drawn}
    if step != SECOND or perturbed is None:
        return drawn
    usable = {name: bare(text.text) for name, text in perturbed.items() if not why_useless(text, drawn[name])}
    return {name: usable[name] for name in drawn if name in usable}


def why_useless(perturbed: Text, instruction: str) -> str:
    """Why no pair can be made of a changed instruction, or nothing."""
    if perturbed.refused:
        return "changing the instruction was refused"
    if not bare(perturbed.text):
        return "the changed instruction is empty"
    return "same instruction back" if normalised(bare(perturbed.text)) == normalised(instruction) else ""


def read_texts(path: Path) -> dict[str, Text]:
    """What was written about each item, from a transcript."""
    rows = read_rows(path, TRANSCRIPTS, ["instance", "text", "finish"])
    return {
        row["instance"]: Text(row["text"].strip(), row["finish"] in REFUSED or is_refusal(row["text"])) for row in rows
    }
