"""Statistics of a benchmark: its lengths, and how far the cues get that a good adversarial set defeats."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from plumbline.construct.embeddings import embed
from plumbline.construct.funnel import Count
from plumbline.construct.neighbours import paired_similarity
from plumbline.construct.pairs import Pair
from plumbline.measure import Bootstrap
from plumbline.parquet import Row
from plumbline.parsing import by_score
from plumbline.schema import Model
from plumbline.statistics import METRICS, Outcome, Outcomes, generator, macro

AVERAGE = "average"
"""The mean over several subsets, each with the same weight, as the papers average."""
LIKELIHOOD = "likelihood"
CUES: dict[str, Callable[[Pair], float]] = {
    "longer": lambda pair: len(pair.first) - len(pair.second),
    "shorter": lambda pair: len(pair.second) - len(pair.first),
    "first": lambda pair: 1.0,
}
"""What a judge that looks at nothing else would go by: positive where it prefers the first output."""
QUARTILES = {"min": 0.0, "25 %": 0.25, "median": 0.5, "75 %": 0.75, "max": 1.0}


@dataclass(frozen=True)
class Profile:
    """A benchmark in numbers."""

    pairs: pd.DataFrame
    """By subset: how many pairs, and how often each label."""
    lengths: pd.DataFrame
    """By subset and part: characters and words."""
    cues: pd.DataFrame
    """By subset and cue: accuracy in percent with its interval."""
    similarity: pd.DataFrame
    """By subset: cosine similarity of the two instructions a pair was made from; empty where none is known."""
    stages: pd.DataFrame
    """By set, stage and outcome: how many rows."""


@dataclass(frozen=True)
class Known:
    """What is known of a benchmark besides its pairs."""

    verdicts: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    """Verdict rows by model; those of the likelihood protocol count as a cue."""
    similarity: Mapping[str, float] = field(default_factory=dict)
    """Of I and I', by pair."""
    stages: Mapping[str, Sequence[Count]] = field(default_factory=dict)
    """What became of the rows of each set the benchmark is built from."""


def profile(pairs: Sequence[Pair], bootstrap: Bootstrap, known: Known | None = None) -> Profile:
    known = known or Known()
    return Profile(
        labels(pairs), lengths(pairs), cues(pairs, bootstrap, known), similarities(pairs, known), stages(known)
    )


def labels(pairs: Sequence[Pair]) -> pd.DataFrame:
    frame = pd.DataFrame({"subset": [p.subset for p in pairs], "gold": [p.gold for p in pairs]}, dtype="str")
    counts = pd.crosstab(frame["subset"], frame["gold"]).reindex(_subsets(pairs), columns=["first", "second", "tie"])
    counts = counts.fillna(0).astype(int)
    counts.insert(0, "pairs", counts.sum(axis=1))
    return counts.reset_index()


def lengths(pairs: Sequence[Pair]) -> pd.DataFrame:
    """Characters and words of the instructions, and of the outputs by their label."""
    rows = [
        (pair.subset, part, unit, length)
        for pair in pairs
        for part, text in _parts(pair)
        for unit, length in (("characters", len(text)), ("words", len(text.split())))
    ]
    frame = pd.DataFrame(rows, columns=["subset", "part", "unit", "length"])
    return _spread(frame, ["subset", "part", "unit"], "length")


def _parts(pair: Pair) -> list[tuple[str, str]]:
    outputs = {
        "first": [("better output", pair.first), ("worse output", pair.second)],
        "second": [("better output", pair.second), ("worse output", pair.first)],
        "tie": [("equal output", pair.first), ("equal output", pair.second)],
    }
    return [("instruction", pair.instruction), *outputs[pair.gold]]


def cues(pairs: Sequence[Pair], bootstrap: Bootstrap, known: Known) -> pd.DataFrame:
    """A tie of a cue is half right. Of the models asked for likelihoods each makes a cue of its own."""
    judged = {name: _by_rule(pairs, rule) for name, rule in CUES.items()}
    for model, rows in known.verdicts.items():
        outcomes = _by_likelihood(pairs, rows)
        if outcomes:
            judged[f"{LIKELIHOOD}, {model}"] = outcomes
    found = [_measured(name, outcomes, bootstrap) for name, outcomes in judged.items()]
    columns = ["cue", "subset", "accuracy", "low", "high", "n"]
    return pd.DataFrame([row for rows in found for row in rows], columns=columns)


def _by_rule(pairs: Sequence[Pair], rule: Callable[[Pair], float]) -> dict[str, list[Outcome]]:
    outcomes: dict[str, list[Outcome]] = {subset: [] for subset in _subsets(pairs)}
    for pair in pairs:
        word = by_score(rule(pair), 0.0)
        outcomes[pair.subset].append((pair.gold, word, word))
    return outcomes


def _by_likelihood(pairs: Sequence[Pair], rows: Sequence[Row]) -> dict[str, list[Outcome]]:
    """The strict verdicts in both orders; nothing unless every pair has them."""
    said = {(row["instance"], row["order"]): row["strict"] for row in rows if row["protocol"] == LIKELIHOOD}
    if any((pair.id, order) not in said for pair in pairs for order in ("plain", "swapped")):
        return {}
    outcomes: dict[str, list[Outcome]] = {subset: [] for subset in _subsets(pairs)}
    for pair in pairs:
        outcomes[pair.subset].append((pair.gold, said[pair.id, "plain"], said[pair.id, "swapped"]))
    return outcomes


def _measured(cue: str, outcomes: Mapping[str, Sequence[Outcome]], bootstrap: Bootstrap) -> list[dict[str, Any]]:
    parts = {subset: Outcomes.of(found, strict=True) for subset, found in outcomes.items()}
    samples = {
        subset: part.resampled(bootstrap.replicates, generator(bootstrap.seed, "cues", cue, subset))
        for subset, part in parts.items()
    }
    rows = []
    groups = {subset: [subset] for subset in parts} | ({AVERAGE: list(parts)} if len(parts) > 1 else {})
    for name, subsets in groups.items():
        of_these, drawn = [parts[subset] for subset in subsets], [samples[subset] for subset in subsets]
        found = macro(METRICS["acc"], of_these, drawn, bootstrap.level)
        percent = {"accuracy": 100 * found.value, "low": 100 * found.low, "high": 100 * found.high}
        rows.append({"cue": cue, "subset": name, **percent, "n": found.n})
    return rows


def similarities(pairs: Sequence[Pair], known: Known) -> pd.DataFrame:
    rows = [(pair.subset, known.similarity[pair.id]) for pair in pairs if pair.id in known.similarity]
    return _spread(pd.DataFrame(rows, columns=["subset", "similarity"]), ["subset"], "similarity")


def _spread(frame: pd.DataFrame, by: list[str], value: str) -> pd.DataFrame:
    """Count, mean and quartiles of a column in each group, the groups in the order they come."""
    groups = frame.astype({value: float}).groupby(by, sort=False)[value]
    quartiles = {name: groups.quantile(share) for name, share in QUARTILES.items()}
    return pd.DataFrame({"n": groups.size(), "mean": groups.mean(), **quartiles}).reset_index()


def related_similarity(texts: Mapping[str, tuple[str, str]], model: Model, prefix: str = "") -> dict[str, float]:
    """Similarity of I and I', by pair: for sets whose construction measured none, as where a model wrote I'."""
    if not texts:
        return {}
    rows, _ = embed([text for two in texts.values() for text in two], model, prefix)
    found = paired_similarity(np.ascontiguousarray(rows[0::2]), np.ascontiguousarray(rows[1::2]))
    return dict(zip(texts, found.tolist(), strict=True))


def stages(known: Known) -> pd.DataFrame:
    rows = [(name, c.stage, c.outcome, c.count) for name, counts in known.stages.items() for c in counts]
    return pd.DataFrame(rows, columns=["set", "stage", "outcome", "rows"])


def _subsets(pairs: Sequence[Pair]) -> list[str]:
    return list(dict.fromkeys(pair.subset for pair in pairs))
