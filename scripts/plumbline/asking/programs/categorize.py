"""Say which categories a question belongs to, of those that there are."""

from __future__ import annotations

import re
from collections.abc import Sequence

from plumbline.asking.ask import Ask, Call
from plumbline.asking.program import ProgramStep, program
from plumbline.config.protocol import Protocol
from plumbline.data.instances import CATEGORIES, TASK, Instance
from plumbline.data.labels import CATEGORY
from plumbline.data.verdicts import NOTHING, Outcome, Verdict

STEP = "categorize"


def steps(options: Protocol) -> list[ProgramStep]:
    return [ProgramStep(STEP)]


@program(options=Protocol, asks="words", shows="no outputs", steps=steps, context=(CATEGORIES, TASK))
async def categorize(instance: Instance, ask: Ask, options: Protocol) -> Sequence[Verdict]:
    """Yes or no to each category of the instance's context, by whether the answer names it (TICK, appendix A)."""
    answer = (await ask.text(Call(STEP))).text
    known = instance.context[CATEGORIES]
    categories = named_in(answer, known)
    outcomes = {
        name: Outcome("yes" if name in categories else "no") if categories else Outcome(missing="unparsed")
        for name in known
    }
    return [ask.verdict(f"{CATEGORY} {name}", NOTHING, word, step=STEP) for name, word in outcomes.items()]


def named_in(answer: str, known: Sequence[str]) -> set[str]:
    """The categories that an answer names as whole words; of two that begin alike, the longer one where it stands."""
    names = "|".join(re.escape(name) for name in sorted(known, key=len, reverse=True))
    written = {match[0].casefold() for match in re.finditer(rf"(?<!\w)(?:{names})(?!\w)", answer, re.I)}
    return {name for name in known if name.casefold() in written}
