"""The page of a set that was built here: its funnel, what it is made of, and what became of every row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import pandas as pd

from plumbline.data.ledger import KEPT
from plumbline.derive.history import History
from plumbline.records.manifest import RESULTS
from plumbline.report.datasheet import BOTH_NOTE, STAGES, MadeBy, Writer, parts, written
from plumbline.report.funnel import ROWS, Count, emptied
from plumbline.report.origins import SIDES
from plumbline.report.profile import BenchmarkProfile
from plumbline.report.rendering import render

FUNNEL = "funnel.svg"
LIST = "rows"
"""Under this name a set's data file holds the list, and under its number what there is to know of each row."""
SHOWN = 200
"""So many letters of an instruction stand in the list."""


@dataclass(frozen=True)
class InTable:
    """A table that measures on a set, and the columns that count it."""

    place: str
    title: str
    columns: list[str]


@dataclass(frozen=True)
class Stage:
    """One stage of the funnel: what came in, and how it ended."""

    name: str
    rows: int
    kept: int
    reasons: list[Count]


@dataclass(frozen=True)
class SheetTable:
    """A table of the datasheet, written out."""

    heads: list[tuple[str, bool]]
    """Each with whether numbers stand below it."""
    lines: list[list[str]]


def set_page(
    place: str,
    title: str,
    counts: Sequence[Count],
    profile: BenchmarkProfile,
    notes: Sequence[str],
    made_by: MadeBy,
    tables: Sequence[InTable],
    files: Sequence[Path],
    listed: Iterable[History],
) -> str:
    """`files` are what was built of the set: they are linked, and pictures shown."""
    return render(
        "set.html",
        1 + place.count("/"),
        place=place,
        title=title,
        stages=stages(counts),
        listed={(one.stage, one.outcome) for one in listed},
        emptied=emptied(counts),
        left=int(profile.pairs["pairs"].sum()),
        notes=notes,
        made_by=made_by,
        both_note=BOTH_NOTE,
        parts=[(part.title, part.sentences, [sheet(*table) for table in part.tables]) for part in shown_parts(profile)],
        tables=tables,
        funnel=next((below(path.with_suffix("")) for path in files if path.name == FUNNEL), ""),
        similarities=[below(path) for path in files if path.suffix == ".svg" and path.name != FUNNEL],
        files=[(linked(path), below(path)) for path in files if path.suffix in (".md", ".csv", ".parquet")],
        kept=KEPT,
    )


def shown_parts(profile: BenchmarkProfile) -> list[Any]:
    """The datasheet's own parts; the funnel stands on the page already."""
    return [part for part in parts(profile) if part.title != STAGES]


def stages(counts: Sequence[Count]) -> list[Stage]:
    stages_of_set = []
    for name, group in groupby(counts, lambda count: count.stage):
        there = list(group)
        by_outcome = {count.outcome: count.count for count in there}
        reasons = [count for count in there if count.outcome not in (ROWS, KEPT)]
        stages_of_set.append(Stage(name, by_outcome[ROWS], by_outcome[KEPT], reasons))
    return stages_of_set


def sheet(frame: pd.DataFrame, number: Writer) -> SheetTable:
    heads = [(str(name), pd.api.types.is_numeric_dtype(frame[name])) for name in frame.columns]
    return SheetTable(heads, [[written(value, number) for value in row] for row in frame.itertuples(index=False)])


def below(path: Path) -> str:
    """A file as pages name it: as seen from the results folder."""
    return path.relative_to(RESULTS).as_posix()


def linked(path: Path) -> str:
    """How a file is called where it is linked: a stage has a ledger, instances and labels of one name."""
    return below(path) if path.suffix == ".parquet" else path.name


def set_data(listed: Sequence[History]) -> dict[str, Any]:
    """By part of the page's data file: the list of rows, and each of them."""
    rows = [[one.stage, one.outcome, next(iter(one.texts.values()), "")[:SHOWN]] for one in listed]
    return {LIST: rows} | {str(number): row_data(one) for number, one in enumerate(listed)}


def row_data(history: History) -> dict[str, Any]:
    """What there is to know of one row: its texts by what they are, and what evaluators said."""
    sources = {side: history.facts.get(f"{side} from") for side in SIDES}
    texts = {f"{name} ({sources[name]})" if sources.get(name) else name: text for name, text in history.texts.items()}
    return {
        "stage": history.stage,
        "outcome": history.outcome,
        "origin": history.origin,
        "texts": texts,
        "expected": history.facts.get("expected", ""),
        "votes": [asdict(vote) for vote in history.votes],
    }
