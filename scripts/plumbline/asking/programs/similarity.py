"""An encoder says which output is more similar to a text of the instance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plumbline.asking.against import SIMILARITY, Against, more_similar, similarities
from plumbline.asking.ask import Ask
from plumbline.asking.program import program
from plumbline.config.scored_on import ScoredOn
from plumbline.data.instances import Instance
from plumbline.data.verdicts import Verdict
from plumbline.models.similarity import By


@dataclass(frozen=True, kw_only=True)
class Options(Against):
    """How similarity is computed."""

    by: By
    """BERTScore's F1, which HREF's released code takes, or the cosine of two embeddings, as its paper says."""


@program(
    options=Options,
    asks="similarities",
    shows="each output alone",
    derive=more_similar,
    scored_on=ScoredOn.always(SIMILARITY),
)
async def similarity(instance: Instance, ask: Ask, options: Options) -> Sequence[Verdict]:
    """How similar each output is to a text of the instance by an encoder (HREF, appendix D.3)."""
    return await similarities(
        instance, ask, options, lambda output, text, part: ask.similarity(options.by, output, text, part)
    )
