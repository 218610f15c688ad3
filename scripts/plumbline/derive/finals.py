"""The pairs of a finished set, and the benchmark that sets make up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from plumbline.config.benchmark import ConstructedBenchmark
from plumbline.data.instances import pair
from plumbline.data.loaded import Loaded, gold, named
from plumbline.derive.pairs import Gold, Pair
from plumbline.records.joblog import log
from plumbline.records.parquet import columns_of, read_rows, write_rows

UNREVIEWED = "unreviewed"


@dataclass(frozen=True, slots=True)
class Final:
    """A pair that judges may be shown, or one that was discarded."""

    id: str
    subset: str
    instruction: str
    first: str
    second: str
    gold: Gold
    origin: str
    item: str
    """What its candidate was made of."""
    related: str
    """The candidate's other instruction."""
    detail: str
    """What the label can be proved from, as JSON."""
    evaluators: str
    """How many of the evaluators' labels agree with the label."""
    state: str
    """unreviewed; or what people made of it: kept, edited, swapped, discarded."""
    reviewers: str
    """Who decided, separated by commas."""
    dropped: str
    """Why it is not used, or nothing."""

    @property
    def pair(self) -> Pair:
        return Pair(self.id, self.subset, self.instruction, self.first, self.second, self.gold, self.origin)


FINAL = columns_of(Final)


def assemble(benchmark: ConstructedBenchmark, files: Sequence[Path]) -> Iterator[Loaded]:
    """A benchmark's instances and labels from the finished sets behind its subsets, in the same order.

    A set may come out empty, and its subset with it.
    """
    return named(_unnamed(benchmark, files))


def _unnamed(benchmark: ConstructedBenchmark, files: Sequence[Path]) -> Iterator[Loaded]:
    empty = []
    for subset, path in zip(benchmark.subsets, files, strict=True):
        found = [
            Loaded(
                pair(row.instruction, row.first, row.second, subset, f"{path.as_posix()}#{position}"),
                (gold(row.gold, f"{path}, row {position + 1}"),),
            )
            for position, row in enumerate(read_finals(path))
            if not row.dropped
        ]
        empty += [] if found else [f"{subset!r} (see {path.with_name('funnel.md')})"]
        yield from found[: benchmark.limit or None]
    if empty:
        log.warning("came out empty, so that no table can have them as a column: %s", ", ".join(empty))


def write_finals(path: Path, rows: Sequence[Final]) -> None:
    write_rows(path, [asdict(row) for row in rows], FINAL)


def read_finals(path: Path) -> list[Final]:
    return [Final(**row) for row in read_rows(path, FINAL)]
