"""ROUGE says which output is more similar to a text of the instance, and nobody is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from plumbline.asking import rouge
from plumbline.asking.against import SIMILARITY, Against, more_similar, similarities
from plumbline.asking.ask import Ask
from plumbline.asking.program import program
from plumbline.config.scored_on import ScoredOn
from plumbline.data.instances import Instance
from plumbline.data.verdicts import Verdict

COUNTS = {"tokens": rouge.of_tokens, "words": rouge.of_words, "average": rouge.average}


@dataclass(frozen=True)
class Options(Against):
    """How words are counted."""

    counts: Literal["tokens", "words", "average"] = "tokens"
    """As the package rouge-score counts, which does as the original ROUGE-1.5.5: tokens in small letters, each as often
    as it stands there; or as the package rouge, which HREF's released code imports: words between spaces, each once.
    `average`: the geometric mean of ROUGE-1, -2 and -Lsum, by tokens (riSum, section 3.1), where -Lsum takes each line
    for a sentence and no word is stemmed."""


@program(
    options=Options,
    asks="nobody",
    shows="no outputs",
    derive=more_similar,
    scored_on=ScoredOn.always(SIMILARITY),
)
async def overlap(instance: Instance, ask: Ask, options: Options) -> Sequence[Verdict]:
    """ROUGE's F of each output with a text of the instance (HREF, section 3.2; riSum, section 3.1)."""
    count = COUNTS[options.counts]

    async def compare(output: int, text: str, part: str) -> float:
        return count(instance.texts[output], text)

    return await similarities(instance, ask, options, compare)
