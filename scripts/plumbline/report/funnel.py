"""The funnel of a set: how many rows each stage took, kept, and dropped for which reason."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from plumbline.data.ledger import KEPT
from plumbline.derive.history import Ledgers, outcomes

ROWS = "rows"
"""As an outcome: all that came to the stage."""


@dataclass(frozen=True)
class Count:
    """So many rows met the same end at the same stage."""

    stage: str
    outcome: str
    count: int


def counted(ledgers: Ledgers) -> list[Count]:
    """Stage by stage; within one the rows that go on come first, then the reasons, the commonest first."""
    return [count for stage, ended in outcomes(ledgers).items() for count in _stage(stage, ended)]


def _stage(name: str, ended: Sequence[str]) -> list[Count]:
    counts = Counter(ended)
    kept = counts.pop(KEPT, 0)
    reasons = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return [Count(name, ROWS, len(ended)), Count(name, KEPT, kept), *(Count(name, *pair) for pair in reasons)]


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
