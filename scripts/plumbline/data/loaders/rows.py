"""A user's own file with a row for each instance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from plumbline.config.benchmark import ReadBenchmark
from plumbline.config.typed import Count
from plumbline.data.instances import Instance, Output
from plumbline.data.labels import Label
from plumbline.data.loaded import Loaded, gold
from plumbline.data.loader import loader
from plumbline.records.errors import PlumblineError, nearest
from plumbline.records.joblog import log
from plumbline.sources.archive import SourceFiles
from plumbline.sources.reading import mapping, rows_in, text_in

SHOWN = 5
"""So many subsets that a benchmark does not name are warned of one by one."""


@dataclass(frozen=True, kw_only=True)
class Options(ReadBenchmark):
    """What a benchmark of rows may say."""

    outputs: Count = 2
    """How many outputs each instance has."""
    context: dict[str, str] = field(default_factory=dict)
    """Named texts that belong to an instruction (document, reference, …), and the column of each."""


def check(benchmark: Options, source: SourceFiles) -> None:
    """Each subset of the benchmark has rows; rows of any other subset are counted and warned of."""
    counts = Counter(_subset_of(row, benchmark) for _, _, row in rows_in(source))
    where = ", ".join(source.names())
    if not counts:
        raise PlumblineError(f"{where} holds no rows", where=where, expected="one row for each instance")
    for subset in benchmark.subsets:
        if subset not in counts:
            raise PlumblineError(f"the subset {subset!r} has no instances", where=where, do=nearest(subset, counts))
    unknown = [(name, count) for name, count in counts.items() if name not in benchmark.subsets]
    for name, count in unknown[:SHOWN]:
        are, hint = "row is" if count == 1 else "rows are", nearest(name, benchmark.subsets)
        log.warning("%d %s left out: the benchmark has no subset %r (%s), %s", count, are, name, hint, where)
    if more := unknown[SHOWN:]:
        rows_left = sum(count for _, count in more)
        log.warning("%d rows of %d more unknown subsets are left out, %s", rows_left, len(more), where)


@loader(options=Options, check=check)
def rows(benchmark: Options, source: SourceFiles, subset: str) -> Iterator[Loaded]:
    """Files of your own: JSONL, JSON, CSV or Parquet with a row for each instance.

    Columns: `instruction`; `output_1`, `output_2`, … (as many as `outputs`) and perhaps the systems that wrote them,
    `system_1`, …; perhaps `id`, those that `context` names, and `subset`: a row that names none belongs to the first,
    and those of other subsets are left out with a warning. A pair has a column `better` (1, 2 or 0 for a tie), or
    raters in a file of `labels`.
    """
    # the file is read once for each subset, so that none is held
    for number, (file, position, row) in enumerate(rows_in(source), start=1):
        if _subset_of(row, benchmark) == subset:
            where = f"{file}, row {position + 1}"
            yield _loaded(benchmark, mapping(row, where), subset, f"{file}#{position}", where, str(number))


def _loaded(benchmark: Options, row: Mapping[str, Any], subset: str, origin: str, where: str, number: str) -> Loaded:
    outputs = tuple(
        Output(str(row.get(f"system_{place}") or ""), text_in(row, f"output_{place}", where))
        for place in range(1, benchmark.outputs + 1)
    )
    context = {name: _texts(row, column, where) for name, column in benchmark.context.items()}
    key = number if row.get("id") in (None, "") else str(row["id"])
    instance = Instance("", subset, text_in(row, "instruction", where), outputs, context, origin, key)
    return Loaded(instance, _gold(benchmark, row, where))


def _gold(benchmark: Options, row: Mapping[str, Any], where: str) -> tuple[Label, ...]:
    """The one agreed label of a pair; where raters have a file of their own, there need be none."""
    better = row.get("better")
    if benchmark.outputs != 2 or (benchmark.labels and better in (None, "")):
        return ()
    return (gold(better, f"{where}, key better"),)


def _texts(row: Mapping[str, Any], column: str, where: str) -> tuple[str, ...]:
    """One text, or a list of them; none where the row leaves it empty."""
    value = row.get(column)
    if value is None or value == "":
        if column not in row:
            raise PlumblineError(f"there is no column {column!r}", where=where, do=nearest(column, row))
        return ()
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return tuple(value)
    return (text_in(row, column, where),)


def _subset_of(row: Any, benchmark: Options) -> str:
    named = row.get("subset") if isinstance(row, Mapping) else None
    return next(iter(benchmark.subsets)) if named in (None, "") else str(named)
