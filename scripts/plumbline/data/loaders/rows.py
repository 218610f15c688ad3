"""A user's own file with a row for each instance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from plumbline.config.benchmark import ReadBenchmark
from plumbline.config.typed import Count
from plumbline.data.instances import Instance, Output
from plumbline.data.labels import Label
from plumbline.data.loaded import Loaded, gold
from plumbline.data.loader import loader
from plumbline.records.errors import PlumblineError, nearest, one_letter_apart
from plumbline.records.joblog import log
from plumbline.sources.archive import SourceFiles
from plumbline.sources.reading import mapping, rows_in, text_at, text_in

SHOWN = 5
"""So many subsets that a benchmark does not name are warned of one by one."""


@dataclass(frozen=True, kw_only=True)
class Options(ReadBenchmark):
    """What a benchmark of rows may say."""

    outputs: Count = 2
    """How many outputs each instance has."""
    instruction: str = "instruction"
    """The column of the instruction, or a dotted path below one: `turns.0`, `conversation.-1.content`."""
    same_instruction: str = ""
    """The instruction of every row, in place of a column: for documents about which one thing is asked."""
    unlabelled: bool = False
    """Whether nobody has said yet which output of a pair is better."""
    context: dict[str, str] = field(default_factory=dict)
    """Named texts that belong to an instruction (document, reference, …), and the column of each."""


def check(benchmark: Options, source: SourceFiles) -> None:
    """Each row has a name of its own, no column is misspelt, and subsets are those of the benchmark.

    A file may hold a part of them, so that half of a source is measured as what it is. Rows of any other subset are
    counted and warned of; where they may be what a missing one is called, they are refused.
    """
    counts: Counter[str] = Counter()
    called: dict[str, int] = {}
    columns: dict[str, str] = {}
    for number, (file, position, row) in enumerate(rows_in(source), start=1):
        where = f"{file}, row {position + 1}"
        fields = mapping(row, where)
        _refuse_second(called.setdefault(key_of(fields, number), number), number, where)
        columns |= {column: where for column in fields if column not in columns}
        counts[_subset_of(fields, benchmark)] += 1
    where = ", ".join(source.names())
    if not counts:
        raise PlumblineError(f"{where} holds no rows", where=where, expected="one row for each instance")
    _refuse_misspelt(columns, benchmark)
    _check_subsets(benchmark, counts, where)


def key_of(row: Mapping[str, Any], number: int) -> str:
    """What a row's instance is called: its `id`, or the number of the row."""
    return str(number) if row.get("id") in (None, "") else str(row["id"])


def _refuse_second(first: int, number: int, where: str) -> None:
    """Labels are joined by what an instance is called: two of one name would share them."""
    if first != number:
        raise PlumblineError(
            "two rows have one id",
            where=f"{where}, key id",
            expected="an id of its own for each row",
            found=f"that of row {first}",
            do="remove one of them, or give it another id",
        )


def _refuse_misspelt(columns: Mapping[str, str], benchmark: Options) -> None:
    """A column that may be left out, and is there with another letter, was not meant to be left out."""
    places = range(1, benchmark.outputs + 1)
    optional = ["id", "subset", "better", *(f"system_{place}" for place in places)]
    known = {
        *optional,
        *([] if benchmark.same_instruction else [benchmark.instruction.partition(".")[0]]),
        *benchmark.context.values(),
        *(f"output_{place}" for place in places),
    }
    for column, where in columns.items():
        if column not in known:
            meant = [name for name in optional if name not in columns and one_letter_apart(column.lower(), name)]
            if meant:
                raise PlumblineError(
                    f"there is no column {meant[0]!r}", where=where, found=repr(column), do=f"call it {meant[0]!r}"
                )


def _check_subsets(benchmark: Options, counts: Mapping[str, int], where: str) -> None:
    missing = [name for name in benchmark.subsets if name not in counts]
    unknown = {name: count for name, count in counts.items() if name not in benchmark.subsets}
    if missing and (unknown or len(missing) == len(benchmark.subsets)):
        raise PlumblineError(
            f"the subset {missing[0]!r} has no instances",
            where=where,
            expected="rows of " + ", ".join(benchmark.subsets),
            do=nearest(missing[0], unknown or counts),
        )
    if missing:
        there = len(benchmark.subsets) - len(missing)
        what = "only %d of %d subsets have instances, there are none of %s, %s"
        log.warning(what, there, len(benchmark.subsets), ", ".join(missing), where)
    _warn_of_unknown(benchmark.subsets, unknown, where)


def _warn_of_unknown(subsets: Collection[str], unknown: Mapping[str, int], where: str) -> None:
    for name, count in list(unknown.items())[:SHOWN]:
        are, hint = "row is" if count == 1 else "rows are", nearest(name, subsets)
        log.warning("%d %s left out: the benchmark has no subset %r (%s), %s", count, are, name, hint, where)
    if more := list(unknown.values())[SHOWN:]:
        log.warning("%d rows of %d more unknown subsets are left out, %s", sum(more), len(more), where)


def _named_subset(row: Any) -> str:
    named = row.get("subset") if isinstance(row, Mapping) else None
    return "" if named in (None, "") else str(named)


@loader(options=Options, check=check, may_be_empty=True, subset_of=_named_subset)
def rows(benchmark: Options, source: SourceFiles, subset: str) -> Iterator[Loaded]:
    """Files of your own: JSONL, JSON, CSV or Parquet with a row for each instance.

    Columns: `instruction`, unless the benchmark names another; `output_1`, `output_2`, … (as many as `outputs`) and
    perhaps the systems that wrote them, `system_1`, …; perhaps `id`, those that `context` names, and `subset`: a row
    that names none belongs to the first, and those of other subsets are left out with a warning. A benchmark that
    declares no `subsets` has those that its file names. A pair has a column `better` (1, 2 or 0 for a tie), or raters
    in a file of `labels`, unless it is `unlabelled`.
    """
    # the file is read once for each subset, so that none is held
    for number, (file, position, row) in enumerate(rows_in(source), start=1):
        if _subset_of(row, benchmark) == subset:
            where = f"{file}, row {position + 1}"
            yield _loaded(benchmark, mapping(row, where), subset, f"{file}#{position}", where, number)


def _loaded(benchmark: Options, row: Mapping[str, Any], subset: str, origin: str, where: str, number: int) -> Loaded:
    outputs = tuple(
        Output(str(row.get(f"system_{place}") or ""), text_in(row, f"output_{place}", where))
        for place in range(1, benchmark.outputs + 1)
    )
    context = {name: _texts(row, column, where) for name, column in benchmark.context.items()}
    instruction, key = _instruction(benchmark, row, where), key_of(row, number)
    instance = Instance("", subset, instruction, outputs, context, origin, key)
    return Loaded(instance, _gold(benchmark, row, where))


def _instruction(benchmark: Options, row: Mapping[str, Any], where: str) -> str:
    return benchmark.same_instruction or text_at(row, benchmark.instruction, where)


def _gold(benchmark: Options, row: Mapping[str, Any], where: str) -> tuple[Label, ...]:
    """The one agreed label of a pair; where raters have a file of their own, there need be none."""
    better = row.get("better")
    if benchmark.outputs != 2 or ((benchmark.labels or benchmark.unlabelled) and better in (None, "")):
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
    return _named_subset(row) or next(iter(benchmark.subsets))
