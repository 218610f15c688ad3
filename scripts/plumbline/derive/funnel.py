"""The funnel of a set: how many rows each stage took, kept, and dropped for which reason."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from plumbline.derive.candidates import CANDIDATES
from plumbline.derive.filtering import SEEN_THROUGH
from plumbline.derive.finals import FINAL
from plumbline.derive.pools import POOL
from plumbline.records.parquet import read_rows

ROWS = "rows"
"""As an outcome: all that came to the stage."""
KEPT = "kept"


@dataclass(frozen=True)
class Count:
    """So many rows met the same end at the same stage."""

    stage: str
    outcome: str
    count: int


def counted(stages: Sequence[Path]) -> list[Count]:
    """Stage by stage; within one the rows that go on come first, then the reasons, the commonest first."""
    counts: list[Count] = []
    for path in stages:
        counts += COUNTERS[path.stem](path)
    return counts


def _pool(path: Path) -> list[Count]:
    rows = read_rows(path, POOL, ["drawn", "dropped"])
    return _stage("pool", [row["dropped"] or (KEPT if row["drawn"] else "not drawn") for row in rows])


def _filtered(path: Path) -> list[Count]:
    """The file of the filter tells of two stages: what candidates came to, and which of them the filter took."""
    reasons = [row["dropped"] for row in read_rows(path, CANDIDATES, ["dropped"])]
    made = [reason if reason and reason != SEEN_THROUGH else KEPT for reason in reasons]
    judged = [reason or KEPT for reason in reasons if reason in ("", SEEN_THROUGH)]
    return _stage("candidates", made) + _stage("filter", judged)


def _reviewed(path: Path) -> list[Count]:
    return _stage("review", [row["dropped"] or KEPT for row in read_rows(path, FINAL, ["dropped"])])


COUNTERS = {"pool": _pool, "filtered": _filtered, "reviewed": _reviewed}


def _stage(name: str, outcomes: Sequence[str]) -> list[Count]:
    found = Counter(outcomes)
    kept = found.pop(KEPT, 0)
    reasons = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    return [Count(name, ROWS, len(outcomes)), Count(name, KEPT, kept), *(Count(name, *pair) for pair in reasons)]


def emptied(counts: Sequence[Count]) -> str:
    """In words at which stage the last rows went; nothing where some are left."""
    rows = {count.stage: count.count for count in counts if count.outcome == ROWS}
    for count in counts:
        if count.outcome == KEPT and not count.count:
            came = rows[count.stage]
            return f"none of the {came:,} rows got through the {count.stage} stage" if came else "no row was there"
    return ""


def as_csv(counts: Sequence[Count]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, ["stage", "outcome", "count"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(count) for count in counts)
    return out.getvalue()


def from_csv(text: str) -> list[Count]:
    rows = csv.DictReader(io.StringIO(text))
    return [Count(row["stage"], row["outcome"], int(row["count"])) for row in rows]


def as_markdown(name: str, counts: Sequence[Count]) -> str:
    lines = [f"# {name}: from pool to pairs", "", "| stage | outcome | rows |", "|---|---|---:|"]
    lines += [f"| {count.stage} | {count.outcome} | {count.count:,} |" for count in counts]
    return "\n".join(lines) + "\n"
