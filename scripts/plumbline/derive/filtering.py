"""Adversarial filtering: a candidate goes when most evaluators prefer what they should (LLMBar, section 2.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import pyarrow as pa

from plumbline.data.instances import INPUT, Instance
from plumbline.data.labels import BETTER
from plumbline.data.verdicts import Reading, Verdict, stream_verdicts
from plumbline.derive.candidates import CANDIDATES, Candidate
from plumbline.records.parquet import Row, columns_of, read_rows, write_rows


@dataclass(frozen=True, slots=True)
class EvaluatorLabel:
    """What one evaluator said of a candidate shown one way, about O1 and O2 as they stand in it."""

    model: str
    protocol: str
    showing: str
    label: str
    """first (O1), second (O2), tie; or why there is none: unparsed, truncated, refused."""


@dataclass(frozen=True, slots=True)
class Filtered:
    """A candidate with its labels; one that goes says why."""

    candidate: Candidate
    labels: tuple[EvaluatorLabel, ...]

    @property
    def dropped(self) -> str:
        return self.candidate.dropped

    @property
    def agreeing(self) -> int:
        return sum(label.label == self.candidate.gold for label in self.labels)


SEEN_THROUGH = "most evaluators see through it"
LABEL = pa.struct(columns_of(EvaluatorLabel))
FILTERED = pa.schema(
    [*CANDIDATES, pa.field("labels", pa.list_(LABEL), nullable=False), pa.field("agreeing", pa.int32(), nullable=False)]
)


def is_seen_through(gold: str, labels: Sequence[str], majority: float) -> bool:
    """Whether more than the `majority` share of the labels agrees with the expected one; a tie agrees with nothing."""
    return bool(labels) and sum(label == gold for label in labels) > majority * len(labels)


def filtered(
    candidates: Sequence[Candidate],
    verdicts: Mapping[str, Sequence[Verdict]],
    majority: float,
    reading: Reading = "strict",
) -> list[Filtered]:
    """Every candidate with the labels each evaluator gave it; verdicts come by model.

    An evaluator that is shown both outputs gives a label for each order. One that looks at each output alone, as a
    likelihood or a length does, knows no order: what it says would be the same label twice, and counts once.
    """
    labels: dict[str, list[EvaluatorLabel]] = {}
    for model, rows in verdicts.items():
        for verdict in rows:
            if verdict.question == BETTER:
                label = EvaluatorLabel(model, verdict.protocol, verdict.showing, str(verdict.said(reading)))
                labels.setdefault(verdict.instance, []).append(label)
    return [_judged(candidate, tuple(labels.get(candidate.id, ())), majority) for candidate in candidates]


def _judged(candidate: Candidate, labels: tuple[EvaluatorLabel, ...], majority: float) -> Filtered:
    if candidate.dropped:
        return Filtered(candidate, ())
    goes = is_seen_through(candidate.gold, [label.label for label in labels], majority)
    return Filtered(replace(candidate, dropped=SEEN_THROUGH if goes else ""), labels)


def write_filtered(path: Path, rows: Sequence[Filtered]) -> None:
    write_rows(path, [_row(row) for row in rows], FILTERED)


def read_filtered(path: Path) -> list[Filtered]:
    return [_of(row) for row in read_rows(path, FILTERED)]


def _row(row: Filtered) -> Row:
    return asdict(row.candidate) | {
        "labels": [asdict(label) for label in row.labels],
        "agreeing": row.agreeing,
    }


def _of(row: Row) -> Filtered:
    labels = tuple(EvaluatorLabel(**label) for label in row["labels"])
    candidate = Candidate(**{name: row[name] for name in Candidate.__dataclass_fields__})
    return Filtered(candidate, labels)


def shown(name: str, candidates: Iterable[Candidate]) -> Iterator[Instance]:
    """The candidates of a set that are of use, as evaluators are shown them: without a label."""
    for candidate in candidates:
        if not candidate.dropped:
            context = {INPUT: (candidate.input,)} if candidate.input else {}
            yield replace(candidate.pair.instance, subset=name, context=context)


def verdicts_on(
    name: str, candidates: Sequence[Candidate], instances: Iterable[Instance], verdicts: Mapping[str, Path]
) -> dict[str, list[Verdict]]:
    """Each evaluator's verdicts on a set's candidates; `instances` are all that evaluators were shown, in order."""
    ours = [instance for instance in instances if instance.subset == name]
    kept = [candidate for candidate in candidates if not candidate.dropped]
    names = {one.id: candidate.id for one, candidate in zip(ours, kept, strict=True)}
    return {
        model: [
            replace(verdict, instance=names[verdict.instance])
            for verdict in stream_verdicts(path)
            if verdict.instance in names
        ]
        for model, path in verdicts.items()
    }
