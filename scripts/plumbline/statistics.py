"""Statistics of verdicts. Everything is a function of how often each outcome occurs.

An outcome is what one instance gave: (gold, verdict in stored order, verdict swapped). There are few different
ones, so a bootstrap that resamples whole instances is a multinomial draw of their counts: the same distribution
as drawing instances one by one, at a thousandth of the cost.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Outcome = tuple[str, str, str]
NONE = frozenset({"unparsed", "truncated", "refused"})


@dataclass(frozen=True)
class Outcomes:
    """The different outcomes of some instances under one reading, and how often each occurred."""

    kinds: tuple[Outcome, ...]
    counts: NDArray[np.int64]
    strict: bool

    @classmethod
    def of(cls, outcomes: Iterable[Outcome] | Mapping[Outcome, int], strict: bool) -> Outcomes:
        """From each instance's outcome, or from how often each occurred."""
        counted = sorted(Counter(outcomes).items())
        return cls(tuple(kind for kind, _ in counted), np.array([n for _, n in counted], dtype=np.int64), strict)

    @property
    def n(self) -> int:
        return int(self.counts.sum())

    def resampled(self, replicates: int, generator: np.random.Generator) -> Floats:
        """Counts of `replicates` bootstrap samples of the instances, one sample a row."""
        return generator.multinomial(self.n, self.counts / self.n, size=replicates).astype(np.float64)


@dataclass(frozen=True)
class BothReadings:
    """The outcomes of the same instances under each reading, and the same bootstrap samples of these instances.

    The published outcomes are drawn first, and what is drawn of each is shared out among the strict outcomes of its
    instances. So two readings that read alike have equal intervals, and a change of the strict rules moves no
    interval of the published reading.
    """

    as_published: tuple[Outcomes, Floats]
    strict: tuple[Outcomes, Floats]

    @classmethod
    def drawn(
        cls, read: Mapping[tuple[Outcome, Outcome], int], replicates: int, seed: int, *names: str
    ) -> BothReadings:
        """From how often each pair of outcomes, as published and strict, occurred; `names` say what is drawn for."""
        together: Counter[Outcome] = Counter()
        for (published, _), count in read.items():
            together[published] += count
        outcomes = Outcomes.of(together, strict=False)
        samples = outcomes.resampled(replicates, generator(seed, *names, "as_published"))
        parts = [sorted((new, n) for (old, new), n in read.items() if old == kind) for kind in outcomes.kinds]
        flat = [part for found in parts for part in found]
        strict = Outcomes(tuple(kind for kind, _ in flat), np.array([n for _, n in flat], dtype=np.int64), strict=True)
        sizes = [np.array([n for _, n in found], dtype=np.int64) for found in parts]
        return cls((outcomes, samples), (strict, shared_out(samples, sizes, generator(seed, *names, "strict"))))


def shared_out(samples: Floats, sizes: Sequence[NDArray[np.int64]], random: np.random.Generator) -> Floats:
    """Counts of each kind (one sample a row), shared out at random among its parts in proportion to their sizes."""
    columns = zip(samples.T.astype(np.int64), sizes, strict=True)
    shared = [random.multinomial(drawn, part / part.sum()) for drawn, part in columns]
    return np.concatenate(shared, axis=1).astype(np.float64)


Metric = Callable[[Outcomes, Floats], Floats]
"""From counts of each outcome (one sample a row) to one value a sample, as a fraction."""


def mean_of(score: Callable[[Outcome, bool], float]) -> Metric:
    def metric(outcomes: Outcomes, counts: Floats) -> Floats:
        scores = np.array([score(kind, outcomes.strict) for kind in outcomes.kinds])
        return np.asarray(counts @ scores / counts.sum(axis=1))

    return metric


def right(verdict: str, gold: str) -> float:
    """A tie is half right where people preferred one output; no verdict is wrong."""
    if verdict == gold:
        return 1.0
    return 0.5 if verdict == "tie" and gold != "tie" else 0.0


def accuracy(outcome: Outcome, strict: bool) -> float:
    gold, plain, swapped = outcome
    return (right(plain, gold) + right(swapped, gold)) / 2


def agreement(outcome: Outcome, strict: bool) -> float:
    """Same verdict in both orders. As published, two missing verdicts are the same; strictly they are none."""
    _, plain, swapped = outcome
    return float(plain == swapped and not (strict and plain in NONE))


def difference(outcome: Outcome, strict: bool) -> float:
    return float(outcome[1] in ("first", "second"))


def hedging(outcome: Outcome, strict: bool) -> float:
    return float(outcome[1] == "tie")


def no_verdict(outcome: Outcome, strict: bool) -> float:
    return sum(verdict in NONE for verdict in outcome[1:]) / 2


def kappa(outcomes: Outcomes, counts: Floats) -> Floats:
    """Cohen's kappa between verdict and gold label, over both orders."""
    words = sorted({word for kind in outcomes.kinds for word in kind})
    table = np.zeros((len(counts), len(words), len(words)))
    for index, (gold, plain, swapped) in enumerate(outcomes.kinds):
        for verdict in (plain, swapped):
            table[:, words.index(gold), words.index(verdict)] += counts[:, index]
    return cohen_kappa(table)


def cohen_kappa(table: Floats) -> Floats:
    """Kappa of contingency tables (…, k, k); 1 where both raters use one and the same category throughout."""
    total = table.sum(axis=(-2, -1))
    observed = np.trace(table, axis1=-2, axis2=-1) / total
    expected = (table.sum(axis=-1) * table.sum(axis=-2)).sum(axis=-1) / total**2
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(expected == 1.0, 1.0, (observed - expected) / (1.0 - expected))


SCORES: dict[str, Callable[[Outcome, bool], float]] = {
    "acc": accuracy,
    "agr": agreement,
    "dif": difference,
    "hedge": hedging,
    "unparsed": no_verdict,
}
"""Metrics that are means over the instances."""
METRICS: dict[str, Metric] = {**{name: mean_of(score) for name, score in SCORES.items()}, "kappa": kappa}
STORED_ORDER = frozenset({"dif", "hedge"})
"""Metrics that look at the verdict in stored order alone."""
PERCENT = frozenset({"acc", "agr", "dif", "hedge", "unparsed"})
"""Metrics that papers print in percent."""


@dataclass(frozen=True)
class Estimate:
    value: float
    low: float
    high: float
    n: int


def macro(metric: Metric, parts: Sequence[Outcomes], samples: Sequence[Floats], level: float) -> Estimate:
    """The mean over subsets, each with the same weight, and its bootstrap interval."""
    value = np.mean([metric(part, part.counts[None, :].astype(np.float64))[0] for part in parts])
    draws = np.mean([metric(part, sample) for part, sample in zip(parts, samples, strict=True)], axis=0)
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    return Estimate(float(value), float(low), float(high), sum(part.n for part in parts))


def generator(seed: int, *names: str) -> np.random.Generator:
    """Random numbers that depend on the seed and on what they are for, never on what was drawn before."""
    digest = hashlib.sha256("\0".join([str(seed), *names]).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))
