"""What the stages of a set tell its datasheet."""

from __future__ import annotations

from collections.abc import Sequence

from plumbline.construct.filtering import Filtered
from plumbline.construct.finals import Final
from plumbline.construct.funnel import Count
from plumbline.construct.profile import LIKELIHOOD, Known
from plumbline.construct.review import EXCHANGED
from plumbline.parquet import Row

TURNED: dict[str, str] = dict(EXCHANGED.items())
"""Labels once the outputs have changed places; a reason for having none stays what it is."""


def known_of(name: str, filtered: Sequence[Filtered], finals: Sequence[Final], counts: Sequence[Count]) -> Known:
    """Similarities and likelihoods by pair, and the funnel."""
    by_id = {row.candidate.id: row for row in filtered}
    kept = [(by_id[final.id], final) for final in finals if not final.dropped]
    verdicts: dict[str, list[Row]] = {}
    for row, final in kept:
        for model, verdict in _likelihoods(row, final):
            verdicts.setdefault(model, []).append(verdict)
    similarity = {final.id: row.candidate.similarity for row, final in kept if row.candidate.similarity is not None}
    return Known(verdicts, similarity, {name: counts})


def _likelihoods(row: Filtered, final: Final) -> list[tuple[str, Row]]:
    """The evaluators' likelihood labels, turned with the outputs; an edited pair has none."""
    outputs, shown = (row.candidate.first, row.candidate.second), (final.first, final.second)
    if shown not in (outputs, outputs[::-1]):
        return []
    return [
        (
            label.model,
            {
                "instance": final.id,
                "protocol": label.protocol,
                "order": label.order,
                "strict": label.label if shown == outputs else TURNED.get(label.label, label.label),
            },
        )
        for label in row.labels
        if label.protocol == LIKELIHOOD
    ]
