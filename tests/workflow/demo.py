"""What the demo is expected to give, and how to write that down anew:

    make demo && .venv/bin/python tests/workflow/demo.py

writes `tests/expected/verdicts.csv` (every verdict of `demo/judges`) and `tests/expected/judges.csv` (the table) from
`results/`. Do it after a change that is meant to move them, and read the difference before you commit it.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from plumbline.data.instances import read_instances
from plumbline.data.labels import BETTER
from plumbline.data.verdicts import read_verdicts
from plumbline.judging.transcripts import TranscriptRow
from plumbline.records.rows import read_records

REPOSITORY = Path(__file__).resolve().parents[2]
EXPECTED = REPOSITORY / "tests/expected"
TABLE = "results/tables/demo/judges.csv"
COLUMNS = ("model", "protocol", "subset", "instance", "showing", "word", "margin", "close")


@dataclass(frozen=True)
class Cost:
    """Prompts read and tokens written by the embedded model."""

    reads: int
    tokens: int


def verdicts(project: Path) -> list[dict[str, str]]:
    """Every preference between the demo's outputs, stated or derived, as it is kept."""
    subsets = {each.id: each.subset for each in read_instances(project / "results/instances/demo.parquet")}
    found = []
    for path in sorted((project / "results/verdicts/demo").glob("*.parquet")):
        for verdict in filter(lambda verdict: verdict.question == BETTER, read_verdicts(path)):
            margin = "" if verdict.margin is None else f"{verdict.margin:.4f}"
            place = (path.stem, verdict.protocol, subsets[verdict.instance], verdict.instance, verdict.showing)
            kept = (*place, str(verdict.strict), margin, str(verdict.close))
            found.append(dict(zip(COLUMNS, kept, strict=True)))
    return found


def cost(project: Path) -> Cost:
    """What a run from an empty store asks of the embedded model: equal prompts are read once."""
    paths = [
        path for stage in ("judge", "write") for path in (project / "results" / stage).glob("**/smollm2/*.parquet")
    ]
    asked = {call.key: call for path in paths for call in read_records(path, TranscriptRow)}
    free = [call for call in asked.values() if not call.choices and call.scored is None]
    return Cost(len(asked), sum(call.completion_tokens or 0 for call in free))


def allowed() -> Cost:
    """The sum of all shares."""
    shares = rows_of(EXPECTED / "shares.csv")
    return Cost(sum(int(share["reads"]) for share in shares), sum(int(share["tokens"]) for share in shares))


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write_rows(path: Path, rows: Sequence[Mapping[str, str]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main() -> None:
    write_rows(EXPECTED / "verdicts.csv", verdicts(REPOSITORY))
    (EXPECTED / "judges.csv").write_bytes((REPOSITORY / TABLE).read_bytes())
    print(f"{EXPECTED} written; {cost(REPOSITORY)}, at most {allowed()}")


if __name__ == "__main__":
    main()
