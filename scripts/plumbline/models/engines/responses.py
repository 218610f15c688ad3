"""Responses that a system wrote elsewhere, found in files by the instruction that each answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from plumbline.config.engine import Choosing, EngineSettings
from plumbline.config.model import Model
from plumbline.data.instances import Instance
from plumbline.models.asking import AMBIGUOUS, UNANSWERED, CallPlace, Completion, Request
from plumbline.models.context import EngineContext, first_shard, whole
from plumbline.models.kinds import engine
from plumbline.records.errors import PlumblineError, nearest
from plumbline.records.joblog import log
from plumbline.sources.archive import SourceFiles
from plumbline.sources.reading import mapping, rows_in, text_in

SHOWN = 60
"""So many characters of an instruction are shown."""
STEP = "response"
FILE = "responses.jsonl"


@dataclass(frozen=True, kw_only=True)
class ResponsesModel(Model):
    """A system whose responses stand in files."""

    source: str
    """The source that holds them: a file, or a folder with a `responses.jsonl` for each category, as HREF keeps
    them."""
    instruction: str = "instruction"
    """The column with the instruction, word for word as the benchmark has it."""
    output: str = "output"
    """The column with the response."""

    @property
    def sources(self) -> list[str]:
        return [self.source]


@dataclass(frozen=True)
class Settings(EngineSettings):
    """Nothing to set: how the files are read stands in the model's file."""

    @property
    def choosing(self) -> Choosing:
        return "recorded"

    @property
    def kept_steps(self) -> tuple[str, ...]:
        return (STEP,)


@dataclass
class Responses:
    """What files hold, by instruction."""

    texts: dict[str, list[str]] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)
    """Where the first response to each stands."""

    @classmethod
    def read(cls, model: ResponsesModel, source: SourceFiles) -> Responses:
        read = cls()
        for instruction, text, where in rows(model, source):
            texts = read.texts.setdefault(instruction, [])
            read.origins.setdefault(instruction, where)
            if text not in texts:
                texts.append(text)
        return read

    def to(self, instruction: str) -> Completion:
        """The response; where the files have two that differ, neither is chosen."""
        texts = self.texts.get(instruction, [])
        if len(texts) == 1:
            return Completion(texts[0])
        return Completion("", AMBIGUOUS if texts else UNANSWERED)

    def report(self, instructions: Mapping[str, str]) -> None:
        """Count what belongs to no instruction of the benchmark, and which instructions it leaves without a response.

        Where nothing belongs to any, it was written to other prompts, or to another version of these.
        """
        unknown = [instruction for instruction in self.texts if instruction not in instructions]
        if len(unknown) == len(self.texts):
            first = next(iter(self.texts), "")
            raise PlumblineError(
                "no response is to an instruction of the benchmark",
                where=self.origins.get(first, "the files of the source"),
                expected=f"an instruction word for word, e.g. {shown(next(iter(instructions), ''))}",
                found=shown(first) if first else "no rows",
                do="give the responses to this version of the instructions",
            )
        if unknown:
            log.warning(
                "%d of %d responses are to instructions that the benchmark does not have, e.g. %s (%s)",
                *(len(unknown), len(self.texts), shown(unknown[0]), self.origins[unknown[0]]),
            )
        for what, finish in (("no response", UNANSWERED), ("two responses that differ", AMBIGUOUS)):
            lacking = [text for text in instructions if self.to(text).finish == finish]
            if lacking:
                example = f"{instructions[lacking[0]]}: {shown(lacking[0])}"
                log.warning("%d of %d instructions have %s, e.g. %s", len(lacking), len(instructions), what, example)


def rows(model: ResponsesModel, source: SourceFiles) -> Iterator[tuple[str, str, str]]:
    """Each instruction, its response, and where they stand."""
    for file, position, row in rows_in(source, files_of(source)):
        where = f"{file}, row {position + 1}"
        fields = mapping(row, where)
        for column in (model.instruction, model.output):
            if column not in fields:
                raise PlumblineError(f"there is no column {column!r}", where=where, do=nearest(column, fields))
        text = "" if fields[model.output] is None else text_in(fields, model.output, where)
        yield text_in(fields, model.instruction, where), text, where


def files_of(source: SourceFiles) -> list[str]:
    """Those that HREF's layout names, where there are any: other files of its folders hold annotations."""
    names = source.names()
    return [name for name in names if name.rpartition("/")[2] == FILE] or names


def shown(instruction: str) -> str:
    return repr(instruction[:SHOWN] + ("…" if len(instruction) > SHOWN else ""))


class ResponsesEngine:
    """Looks up what the system responded to an instance's instruction."""

    stored = False

    def __init__(self, name: str, responses: Responses, instances: Mapping[str, Instance]) -> None:
        self.responses, self.instances = responses, instances
        self.identity: Mapping[str, Any] = {"responses": name}

    async def answer(self, request: Request, place: CallPlace) -> Completion:
        if place.step != STEP or place.sample:
            raise PlumblineError(
                "a file of responses holds one response to each instruction, and nothing else",
                where=f"step {place.step}, sample {place.sample}",
            )
        return self.responses.to(self.instances[place.instance].instruction)

    async def close(self) -> None:
        return None


@engine(settings=Settings, model=ResponsesModel, answers=("words",), asks=False, repeatable=True)
def open_engine(model: ResponsesModel, settings: Settings, context: EngineContext) -> ResponsesEngine:
    if not context.recorded:
        raise PlumblineError("a system that brings its responses has no source", where="model.….source")
    responses = Responses.read(model, SourceFiles(context.recorded[0]))
    instances = {instance.id: instance for instance in context.instances}
    if first_shard(context.instances):
        responses.report({one.instruction: one.origin or one.id for one in whole(context.instances)})
    return ResponsesEngine(model.source, responses, instances)
