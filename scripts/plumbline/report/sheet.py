"""What the stages of a set tell its datasheet."""

from __future__ import annotations

from collections.abc import Sequence

from plumbline.data.verdicts import MISSING, Said
from plumbline.derive.filtering import Filtered
from plumbline.derive.finals import Final
from plumbline.derive.funnel import Count
from plumbline.derive.review import EXCHANGED
from plumbline.measuring.bootstrap import Bootstrap
from plumbline.report.nearness import nearness
from plumbline.report.origins import origins, remarks
from plumbline.report.profile import LIKELIHOOD, Known, Profile, profile

TURNED: dict[str, str] = dict(EXCHANGED.items())
"""Labels once the outputs have changed places; a reason for having none stays what it is."""


def profile_of(
    name: str, filtered: Sequence[Filtered], finals: Sequence[Final], counts: Sequence[Count], bootstrap: Bootstrap
) -> Profile:
    """A finished set in numbers."""
    pairs = [final.pair for final in finals if not final.dropped]
    return profile(pairs, bootstrap, known_of(name, filtered, finals, counts))


def known_of(name: str, filtered: Sequence[Filtered], finals: Sequence[Final], counts: Sequence[Count]) -> Known:
    """Similarities and likelihoods by pair, those of all neighbours, and the funnel."""
    by_id = {row.candidate.id: row for row in filtered}
    kept = [(by_id[final.id], final) for final in finals if not final.dropped]
    likelihoods: dict[str, dict[str, Said]] = {}
    for row, final in kept:
        for model, said in _likelihoods(row, final):
            likelihoods.setdefault(model, {})[final.id] = said
    similarity = {final.id: row.candidate.similarity for row, final in kept if row.candidate.similarity is not None}
    made = origins(filtered), remarks(filtered)
    return Known(likelihoods, similarity, nearness(filtered), *made, {name: counts})


def _likelihoods(row: Filtered, final: Final) -> list[tuple[str, Said]]:
    """The evaluators' likelihood labels, turned with the outputs; an edited pair has none."""
    outputs, shown = (row.candidate.first, row.candidate.second), (final.first, final.second)
    if shown not in (outputs, outputs[::-1]):
        return []
    turned = shown != outputs
    return [
        (label.model, said(TURNED.get(label.label, label.label) if turned else label.label))
        for label in row.labels
        if label.protocol == LIKELIHOOD
    ]


def said(label: str) -> Said:
    """A label as a verdict says it."""
    return Said(missing=label) if label in MISSING else Said(label)
