"""Measures of how well a judge's scores of outputs foretell people's ratings (riSum, section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean
from typing import NamedTuple

import numpy as np

from plumbline.config.scored_on import OWN_QUESTION, ScoredOn
from plumbline.data.verdicts import Reading, Showing, alone
from plumbline.measuring.bootstrap import Floats
from plumbline.measuring.cases import Case
from plumbline.measuring.cells import PERCENT
from plumbline.measuring.measure import Value, ratio, weighed
from plumbline.measuring.measures.answers import number_of, value_of
from plumbline.measuring.measures.people import RatingOptions, labels_of
from plumbline.measuring.rankings import winners
from plumbline.measuring.roc import hanley_mcneil, weighing
from plumbline.measuring.units import Observation, observer

DIVIDED = 0.5
"""The mean of yes and no where as many people say one as the other."""
UNSCORED = "some outputs without a score"
UNRATED = "some outputs that nobody rated"


class ScoredOutput(NamedTuple):
    """One output: what people say of it on average, and what the judge says of it."""

    rating: float
    as_published: float | None
    strict: float | None
    own: bool
    """Whether it is of the judge's own family."""

    def score(self, reading: Reading) -> float | None:
        return self.as_published if reading == "as_published" else self.strict


class Outputs(NamedTuple):
    """The outputs of one instance that people rated."""

    outputs: tuple[ScoredOutput, ...]
    missing: tuple[str, ...]
    marks: tuple[str, ...]
    close: int
    instance: str = ""
    """Where people are divided over an output, which is compared with those of all other instances, but not itself."""

    def describe(self, reading: Reading) -> str:
        scores = [(each.score(reading), each.rating) for each in self.outputs]
        return " | ".join(f"{'-' if score is None else f'{score:g}'} ({rating:g})" for score, rating in scores)

    def outcome(self, reading: Reading) -> list[tuple[float, float]]:
        """Rating and score of each output that has a score."""
        scores = [(each.rating, each.score(reading)) for each in self.outputs]
        return [(rating, score) for rating, score in scores if score is not None]


@cache
def places_of(outputs: int) -> dict[Showing, int]:
    """The showings of one output alone, and which that is."""
    return {alone(output): output for output in range(outputs)}


@dataclass(frozen=True)
class OutputOptions(RatingOptions):
    """Of measures that hold a judge's scores of outputs against people's ratings."""

    scored_on: ScoredOn = OWN_QUESTION
    """The judge's questions whose answers are its scores of outputs, where it is not what its protocol's program says:
    `words` where people answered yes or no, `numbers` where they answered with a number; empty: `question`."""
    family: tuple[str, ...] = ()
    """The systems of the judge's own family."""


@observer(options=OutputOptions, describes="score (mean rating) of each output")
def outputs(case: Case, seen: Observation[OutputOptions]) -> Outputs | None:
    """What a judge says of each output, beside what people say of it on average, where yes is 1 and no is 0."""
    by_output: dict[int, list[float]] = {}
    options = seen.options
    labels = labels_of(case, options)
    for label in labels:
        assert label.about is not None
        by_output.setdefault(label.about, []).append(value_of(label))
    in_words = any(label.value is None for label in labels)
    scored_on = options.scored_on.words if in_words else options.scored_on.numbers
    question, places = scored_on or options.question, places_of(len(case.instance.outputs))
    verdicts = {
        places[verdict.showing]: verdict
        for verdict in case.verdicts.get(seen.judge, ())
        if verdict.question == question and verdict.sample == seen.sample and verdict.showing in places
    }
    judged = [verdicts[output] for output in by_output if output in verdicts]
    if not judged:
        return None
    systems = [output.system for output in case.instance.outputs]
    scored = [
        ScoredOutput(
            fmean(values),
            number_of(verdicts[output], "as_published") if output in verdicts else None,
            number_of(verdicts[output], "strict") if output in verdicts else None,
            systems[output] in options.family,
        )
        for output, values in by_output.items()
    ]
    missing = tuple(verdict.strict.missing for verdict in judged if verdict.strict.missing)
    marks = (UNSCORED,) * any(each.strict is None for each in scored) + (UNRATED,) * (
        not options.systems and len(by_output) < len(systems)
    )
    divided = any(each.rating == DIVIDED for each in scored)
    close = sum(verdict.close for verdict in judged)
    return Outputs(tuple(scored), missing, marks, close, case.instance.id if divided else "")


@ratio("unscored", "Without a score", outputs, unit=PERCENT, better="lower", missing="category")
def unscored(unit: Outputs, reading: Reading) -> tuple[float, float]:
    """The share of the rated outputs that the judge gives no score: what other measures leave out."""
    return float(len(unit.outputs) - len(unit.outcome(reading))), float(len(unit.outputs))


def tables(units: Sequence[Outputs], reading: Reading) -> tuple[Floats, Floats]:
    """Ratings and scores, (instances, outputs); NaN where an output has no score."""
    width = max((len(unit.outputs) for unit in units), default=0)
    ratings, scores = np.full((len(units), width), np.nan), np.full((len(units), width), np.nan)
    for number, unit in enumerate(units):
        for place, output in enumerate(unit.outputs):
            score = output.score(reading)
            ratings[number, place] = output.rating
            scores[number, place] = np.nan if score is None else score
    return ratings, scores


def majority(ratings: Floats) -> Floats:
    """1 where most people say yes, 0 where most say no, 0.5 where as many say one as the other."""
    return (np.sign(ratings - 0.5) + 1.0) / 2.0


def score_features(units: Sequence[Outputs], reading: Reading) -> Floats:
    """Scores and majorities, 0 where there is none; NaN where an instance has no score."""
    ratings, scores = tables(units, reading)
    scored = ~np.isnan(scores)
    features = np.concatenate([np.where(scored, scores, 0.0), np.where(scored, majority(ratings), 0.0), scored], axis=1)
    return np.where(scored.any(axis=1, keepdims=True), features, np.nan)


def curve(units: Sequence[Outputs], reading: Reading) -> Value:
    """From how often each instance was drawn to the area and how many outputs are positive and negative."""
    ratings, scores = tables(units, reading)
    owner, place = np.nonzero(~np.isnan(scores))
    area = weighing(scores[owner, place], majority(ratings[owner, place]), owner)
    return lambda weights: np.stack(area(weights), axis=-1)


def smaller_class(units: Sequence[Outputs], reading: Reading) -> Value:
    """How many outputs there are of the class, positive or negative, that there are fewer of."""
    area = curve(units, reading)
    return lambda weights: area(weights)[..., 1:].min(axis=-1)


@weighed(
    "auc_se",
    "SE (Hanley–McNeil)",
    outputs,
    score_features,
    unit=PERCENT,
    better="lower",
    missing="dropped",
    kind="percentiles",
)
def area_error(units: Sequence[Outputs], reading: Reading) -> Value:
    """Hanley and McNeil's standard error of the area under the ROC curve."""
    area = curve(units, reading)
    return lambda weights: hanley_mcneil(*np.moveaxis(area(weights), -1, 0))


@weighed(
    "auc",
    "AUC ROC",
    outputs,
    score_features,
    unit=PERCENT,
    error="auc_se",
    undefined="no output with a score",
    missing="dropped",
    kind="area",
    classes=smaller_class,
)
def area_under_curve(units: Sequence[Outputs], reading: Reading) -> Value:
    """The macro-averaged area under the ROC curve of the scores, against what most people answer.

    Of two classes both have the same area. Where as many say yes as no, the output counts half on each side.
    """
    area = curve(units, reading)
    return lambda weights: area(weights)[..., 0]


def best(unit: Outputs, reading: Reading) -> tuple[set[int], set[int]] | None:
    """The outputs that people rate highest, and those that the judge scores highest; nothing without a score."""
    ratings, scores = tables([unit], reading)
    if np.isnan(scores).all():
        return None
    return set(np.flatnonzero(winners(ratings)[0])), set(np.flatnonzero(winners(scores)[0]))


@ratio("perfect", "Perfect agreement", outputs, unit=PERCENT, missing="dropped")
def perfect_agreement(unit: Outputs, reading: Reading) -> tuple[float, float] | None:
    """How often the judge's best outputs are exactly people's (riSum, Table 5)."""
    favourites = best(unit, reading)
    return None if favourites is None else (float(favourites[0] == favourites[1]), 1.0)


@ratio("disagreement", "Disagreement", outputs, unit=PERCENT, better="lower", missing="dropped")
def disagreement(unit: Outputs, reading: Reading) -> tuple[float, float] | None:
    """How often none of the judge's best outputs is one of people's (riSum, Table 5)."""
    favourites = best(unit, reading)
    return None if favourites is None else (float(not favourites[0] & favourites[1]), 1.0)


@ratio("own_family", "Prefers own family", outputs, unit=PERCENT, better="neither", missing="dropped")
def own_family(unit: Outputs, reading: Reading) -> tuple[float, float] | None:
    """Where they disagree, how often one of the judge's best outputs is of its own family (riSum, Table 5)."""
    favourites = best(unit, reading)
    if favourites is None or favourites[0] & favourites[1]:
        return None
    return float(any(unit.outputs[output].own for output in favourites[1])), 1.0
