"""A judge: who is asked, in which wordings, and how answers are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from plumbline.asking.prompts import PromptSet
from plumbline.asking.protocols import ProtocolName, ProtocolOptions
from plumbline.config.model import Model
from plumbline.config.parsers import Parser
from plumbline.config.prompts import Template
from plumbline.config.typed import known
from plumbline.models.asking import TokenBias


@dataclass(frozen=True)
class WordedModel:
    """A model with the wordings it is asked in and its exceptions to how the authors read its answers."""

    model: Model
    wordings: Mapping[str, PromptSet]
    """By the name of the wording; those of steps by the name that a step is filed under."""

    def wording(self, options: ProtocolOptions) -> PromptSet:
        """A step has a wording of its own, which holds only what decides its texts."""
        return self.wordings[options.name if options.writes else options.wording]

    def parser(self, options: ProtocolOptions, template: Template) -> Parser:
        """How answers that are verdicts are read: the wording's parser, or the model's exception."""
        name = self.model.parsers.get(ProtocolName.parse(options.name).base, template.parser)
        wording = self.wording(options)
        known(name, wording.declared.parsers, f"prompts.{wording.name}: parser of {template.file}")
        return wording.declared.parsers[name]

    def bias(self, options: ProtocolOptions, template: Template) -> tuple[TokenBias, ...]:
        """What a template makes likelier or less likely, with the model's own tokens where its file tells them."""
        declared, ids = self.wording(options).declared.biases, self.model.known_tokens
        return tuple(
            TokenBias(text, added, tuple(ids.get(text, ())))
            for name in template.bias
            for text, added in sorted(declared[name].items())
        )
