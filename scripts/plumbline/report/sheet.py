"""What the ledgers of a set tell its datasheet."""

from __future__ import annotations

from collections.abc import Sequence

from plumbline.data.labelled import Labelled
from plumbline.data.verdicts import MISSING, Outcome
from plumbline.derive.history import History
from plumbline.derive.review import EXCHANGED
from plumbline.measuring.bootstrap import Bootstrap
from plumbline.report.funnel import Count
from plumbline.report.nearness import nearness
from plumbline.report.origins import SIDES, origins, remarks
from plumbline.report.profile import LIKELIHOOD, BenchmarkProfile, KnownFacts, profile

TURNED: dict[str, str] = dict(EXCHANGED.items())
"""Labels once the outputs have changed places; a reason for having none stays what it is."""


def profile_of(
    name: str, pairs: Sequence[Labelled], histories: Sequence[History], counts: Sequence[Count], bootstrap: Bootstrap
) -> BenchmarkProfile:
    """A finished set in numbers."""
    return profile(pairs, bootstrap, known_of(name, pairs, histories, counts))


def known_of(name: str, pairs: Sequence[Labelled], histories: Sequence[History], counts: Sequence[Count]) -> KnownFacts:
    """Similarities and likelihoods by pair, those of all neighbours, and the funnel."""
    by_id = {one.id: one for one in histories if one.id}
    likelihoods: dict[str, dict[str, Outcome]] = {}
    similarity: dict[str, float] = {}
    for pair in pairs:
        history = by_id[pair.id]
        for model, outcome in _likelihoods(history, pair):
            likelihoods.setdefault(model, {})[pair.id] = outcome
        if history.similarity is not None:
            similarity[pair.id] = history.similarity
    made = origins(histories), remarks(histories)
    return KnownFacts(likelihoods, similarity, nearness(histories), *made, {name: counts})


def _likelihoods(history: History, pair: Labelled) -> list[tuple[str, Outcome]]:
    """What evaluators said by likelihood, turned with the outputs; a pair whose outputs were edited has none."""
    outputs, shown = tuple(history.texts.get(side, "") for side in SIDES), (pair.first, pair.second)
    if shown not in (outputs, outputs[::-1]):
        return []
    turned = shown != outputs
    return [
        (vote.model, outcome_of(TURNED.get(vote.word, vote.word) if turned else vote.word))
        for vote in history.votes
        if vote.protocol == LIKELIHOOD
    ]


def outcome_of(label: str) -> Outcome:
    """A label as a verdict says it."""
    return Outcome(missing=label) if label in MISSING else Outcome(label)
