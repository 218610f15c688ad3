"""Who rated a benchmark, as far as files say so before anything is made of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from plumbline.config.whole import Config
from plumbline.records.errors import PlumblineError
from plumbline.sources.source import rows_at


def raters_of(name: str, config: Config) -> list[str]:
    """Those that the file of its labels names, in the order in which it does; and a number for each journal of a person
    who labels."""
    benchmark = config.benchmark[name]
    source = config.source.get(benchmark.labels)
    path = Path(source.path) if source and source.path else None
    raters = _named(path, path.stat().st_mtime_ns) if path and path.exists() else ()
    journals = Path(benchmark.labelling.folder_of(name)).glob("*.jsonl") if benchmark.labelling else ()
    return list(dict.fromkeys([*raters, *(str(number) for number, _ in enumerate(journals, start=1))]))


@cache
def _named(path: Path, changed: int) -> tuple[str, ...]:
    """Read once, until the file changes."""
    try:
        rows = (row for _, _, row in rows_at(path) if isinstance(row, Mapping) and row.get("rater"))
        return tuple(dict.fromkeys(str(row["rater"]) for row in rows))
    except PlumblineError:
        return ()  # whoever joins the labels says what is wrong with the file
