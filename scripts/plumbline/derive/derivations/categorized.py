"""Instances with the categories that a judge gives to each question of their checklist."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from plumbline.config.benchmark import OfOne
from plumbline.data.instances import CATEGORIES, CHECKLIST, Instance, base_id, joined_categories
from plumbline.data.labels import CATEGORY
from plumbline.data.verdicts import Verdict
from plumbline.derive.derivation import Made, Result, derivation
from plumbline.derive.derivations.each_question import as_instance
from plumbline.derive.given import Given
from plumbline.derive.needs import Needs, VerdictNeed
from plumbline.records.errors import PlumblineError

PREFIX = f"{CATEGORY} "


@dataclass(frozen=True, kw_only=True)
class Categorized(OfOne):
    """Who says which categories."""

    asked_about: str
    """The benchmark of their questions (`each_question`), which the judge is asked about."""
    model: str
    """The judge."""
    protocol: str
    """The protocol that it is asked with, named in full, e.g. `categorize@tick`."""


def needs(options: Categorized) -> Needs:
    return Needs(verdicts=[VerdictNeed(options.model, [options.protocol], about=options.asked_about)])


@derivation(options=Categorized, needs=needs)
def categorized(instance: Instance, given: Given, options: Categorized) -> Result:
    """The categories that a judge names for each question stand in the context, so that measures can count the
    questions of one (TICK, appendix A). A question for which it names none counts in no category."""
    said = named_by_question(given.verdicts[options.model])
    questions = instance.context.get(CHECKLIST, ())
    named = [said.get(id_of(instance, question)) for question in questions]
    if None in named:
        raise PlumblineError(
            f"nobody was asked for the categories of {questions[named.index(None)]!r}",
            where=f"instance {instance.id} ({instance.origin})",
            expected=f"each question of its checklist among those of {options.asked_about}",
        )
    texts = tuple(joined_categories(names or ()) for names in named)
    without = sum(not text for text in texts)
    facts = {"questions": str(len(texts)), "without a category": str(without or "")}
    return Made(replace(instance, context={**instance.context, CATEGORIES: texts}), facts=facts)


def id_of(instance: Instance, question: str) -> str:
    """What the id of a question's instance begins with: equal ones are numbered."""
    return base_id(as_instance(instance, question))


def named_by_question(verdicts: Iterable[Verdict]) -> dict[str, list[str]]:
    """By the id of a question the categories that are said to be its own."""
    named: dict[str, list[str]] = {}
    for verdict in verdicts:
        names = named.setdefault(verdict.instance.partition("-")[0], [])
        if verdict.question.startswith(PREFIX) and verdict.strict.word == "yes":
            names.append(verdict.question.removeprefix(PREFIX))
    return named
