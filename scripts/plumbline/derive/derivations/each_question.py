"""One instance for each question of a checklist, to be asked about by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from plumbline.config.benchmark import OfOne
from plumbline.data.instances import CATEGORIES, CHECKLIST, TASK, Instance, with_outputs
from plumbline.derive.derivation import Dropped, Made, Result, derivation
from plumbline.derive.given import Given

NO_QUESTION = "its checklist has no question"


@dataclass(frozen=True, kw_only=True)
class EachQuestion(OfOne):
    """Which questions, and what may be said of them."""

    checklist: str = CHECKLIST
    """The name of the context that holds the checklist."""
    categories: list[str] = field(default_factory=list)
    """The categories that a question may belong to."""


@derivation(options=EachQuestion)
def each_question(instance: Instance, given: Given, options: EachQuestion) -> Iterator[Result]:
    """A question of a checklist becomes the instruction, without outputs; what it was asked for is its task, and the
    categories that there are stand beside it (TICK, appendix A)."""
    questions = questions_of(instance, options.checklist)
    if not questions:
        yield Dropped(NO_QUESTION)
    for number, question in enumerate(questions, start=1):
        facts = {"question": f"{number} of {len(questions)}"}
        made = as_instance(instance, question)
        context = {**made.context, CATEGORIES: tuple(options.categories)}
        yield Made(replace(made, context=context), texts={"question": question}, facts=facts)


def questions_of(instance: Instance, checklist: str) -> tuple[str, ...]:
    """Each once."""
    return tuple(dict.fromkeys(instance.context.get(checklist, ())))


def as_instance(instance: Instance, question: str) -> Instance:
    """It keeps the key of what it is a question about."""
    made = replace(with_outputs(instance, ()), instruction=question, flawed={})
    return replace(made, context={TASK: (instance.instruction,)})
