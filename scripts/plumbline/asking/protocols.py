"""Protocols: a program with its options, the wording it is asked in, and how a table names them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from plumbline.asking.program import Program, ProgramStep, named, names
from plumbline.config.engine import EngineSettings
from plumbline.config.model import Model
from plumbline.config.protocol import Protocol
from plumbline.config.typed import build, lacking
from plumbline.records.errors import PlumblineError

RULES, TEXT = "rules", "text"
OPTIONS: tuple[list[str], ...] = ([], [RULES], [TEXT], [RULES, TEXT])


@dataclass(frozen=True)
class ProtocolName:
    """A protocol as a table names it: `metrics+rules@llmbar` is metrics with the rules, in LLMBar's wording."""

    base: str
    rules: bool
    wording: str
    """Which prompt set; empty where the table's default is meant, or where nobody is asked in words."""
    text: bool = False
    """Whether a prompt that offers choices is answered in free text all the same (`+text`)."""

    @classmethod
    def parse(cls, name: str) -> ProtocolName:
        asked, _, wording = name.partition("@")
        base, *options = asked.split("+")
        if options not in OPTIONS or not base or name.endswith("@"):
            raise PlumblineError(
                f"{name!r} does not name a protocol",
                expected="PROTOCOL, PROTOCOL+rules, PROTOCOL+text or PROTOCOL+rules+text, perhaps with @WORDING",
            )
        return cls(base, RULES in options, wording, TEXT in options)

    @property
    def asked(self) -> str:
        """Without the wording."""
        return self.base + (f"+{RULES}" if self.rules else "") + (f"+{TEXT}" if self.text else "")

    def __str__(self) -> str:
        return self.asked + (f"@{self.wording}" if self.wording else "")


@dataclass(frozen=True)
class ProtocolOptions:
    """A protocol with its options, and whether the prompt spells out the evaluation rules."""

    name: str
    """As a table names it, with its wording: what verdicts and transcripts are filed under."""
    protocol: Protocol
    """The options, in the class of its program."""
    subsets: tuple[str, ...] = ()
    """About which subsets it is asked; none: about all."""

    @property
    def rules(self) -> bool:
        return ProtocolName.parse(self.name).rules

    @property
    def text(self) -> bool:
        """Whether prompts that offer choices are answered in free text."""
        return ProtocolName.parse(self.name).text

    @property
    def wording(self) -> str:
        return ProtocolName.parse(self.name).wording

    @property
    def program(self) -> Program[Any]:
        return named(self.protocol.program, f"protocol {self.name!r}")

    @property
    def steps(self) -> list[ProgramStep]:
        """The templates that it asks with, or may ask with."""
        return list(self.program.steps(self.protocol))

    @property
    def context(self) -> list[str]:
        """The named texts of an instance that it needs."""
        return list(dict.fromkeys([*self.program.context, *self.protocol.texts]))


def protocol_of(options: Mapping[str, Any], where: str) -> Protocol:
    """A protocol's options in the class of its program."""
    if not isinstance(options, Mapping) or "program" not in options:
        raise lacking("program", names(), options, where)
    made: Protocol = build(named(str(options["program"]), f"{where}.program").options, options, where)
    return made


def full_name(name: str, protocols: Mapping[str, Protocol], wording: str) -> str:
    """A protocol with the wording it is asked in; one that asks nobody in words has none."""
    parsed = ProtocolName.parse(name)
    if not ProtocolOptions(name, protocols[parsed.base]).steps:
        return parsed.asked
    return str(replace(parsed, wording=parsed.wording or wording))


def program_of_records(model: Model, engine: EngineSettings) -> str:
    """The program that reads what a file records of a judge; empty for a judge that is asked."""
    if engine.kind != "recorded_rows":
        return ""
    return "recorded_text" if "text" in model.recorded.columns else "recorded"


def is_asked_with(model: Model, engine: EngineSettings, protocol: Protocol) -> bool:
    """Whether a protocol is one for this judge: a file of records is read by its own program, and no other is; an
    encoder compares texts, and no other model does; systems' own models are held together by their perplexities."""
    if engine.kind == "by_system":
        return protocol.program == "perplexity"
    program, asks = program_of_records(model, engine), named(protocol.program).asks
    if program:
        return protocol.program == program
    return asks != "records" and (asks == "nobody" or (asks == "similarities") == (engine.kind == "encoder"))


def wordings_of(names: Iterable[str]) -> list[str]:
    """The wordings that these protocols are asked in, each once."""
    return sorted({ProtocolName.parse(name).wording for name in names} - {""})
