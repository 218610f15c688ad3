"""How far those agree who labelled a benchmark: Krippendorff's alpha of each question, with its interval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from plumbline.config.benchmark import Question
from plumbline.data.instances import DOCUMENT, Instance, Output
from plumbline.data.labels import GOLD, Label
from plumbline.measuring.alpha import Level
from plumbline.measuring.bootstrap import Bootstrap
from plumbline.measuring.cases import Case, Judge
from plumbline.measuring.estimates import Estimate, estimate_of, without
from plumbline.measuring.measure import named
from plumbline.measuring.measured import measured
from plumbline.measuring.measures.people import AlphaOptions, ratings
from plumbline.measuring.sampling import Sampling, Stratum
from plumbline.measuring.units import InstanceFilter, Observation, observe

ALPHA = "alpha_as_share"
PEOPLE = Judge("", "")
Labelled = tuple[Instance, Sequence[Label]]
"""An instance with what was said of it."""


@dataclass(frozen=True)
class Agreement:
    """How far people agree on one question."""

    question: str
    raters: int
    labels: int
    """Their answers."""
    shared: int
    """What two or more of them answered about; nothing where one may give several answers."""
    level: str
    """What distances between answers mean: nominal for words, interval for numbers."""
    alpha: Estimate
    """Where instances share a document these are drawn together."""


def agreement(labelled: Sequence[Labelled], question: str, asked: Question, bootstrap: Bootstrap) -> Agreement:
    """On one question. Known answers are nobody's opinion and left out."""
    level: Level = "nominal" if asked.words else "interval"
    cases = [_case(instance, list(said_to(question, asked, instance, labels)), asked) for instance, labels in labelled]
    answers = [label for case in cases for label in case.labels]
    said = Counter((label.instance, label.about) for label in answers)
    several = len({(label.instance, label.about, label.rater) for label in answers}) < len(answers)
    shared = 0 if several else sum(count > 1 for count in said.values())
    alpha = _alpha(cases, question, level, bootstrap) if shared else without(float("nan"))
    return Agreement(question, len({label.rater for label in answers}), len(answers), shared, level, alpha)


def _alpha(cases: Sequence[Case], question: str, level: Level, bootstrap: Bootstrap) -> Estimate:
    observation = Observation(ratings, PEOPLE, AlphaOptions(question=question, level=level))
    cluster = DOCUMENT if all(case.instance.context.get(DOCUMENT) for case in cases) else ""
    sampling = Sampling(question, observe(cases, [observation], clusters=[cluster] if cluster else []), bootstrap)
    part = sampling.part(observation, Stratum("", InstanceFilter(), cluster))
    return estimate_of(named(ALPHA), measured(named(ALPHA), [part], "strict"), bootstrap.level)


def said_to(question: str, asked: Question, instance: Instance, labels: Iterable[Label]) -> Iterable[Label]:
    """What people answered to a question, or to each question of the checklist that it names; `about` tells apart what
    was answered about."""
    lines = instance.context.get(question, ()) if asked.is_about(question) == "checklist" else (question,)
    places = {line: place for place, line in enumerate(lines)}
    outputs = len(instance.outputs) + 1
    for label in labels:
        if label.question in places and label.rater != GOLD:
            about = places[label.question] * outputs + (0 if label.about is None else label.about + 1)
            yield replace(label, question=question, about=about)


def _case(instance: Instance, labels: Sequence[Label], asked: Question) -> Case:
    """In place of outputs as many things as are answered about, and numbers in place of words."""
    numbers: Mapping[str, float] = {word: float(place) for place, word in enumerate(asked.words)}
    things = max((label.about or 0 for label in labels), default=0) + 1
    valued = [label if not asked.words else replace(label, word="", value=numbers[label.word]) for label in labels]
    return Case(replace(instance, outputs=(Output("", ""),) * things), valued, {})
