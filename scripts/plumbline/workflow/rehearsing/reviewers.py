"""What two reviewers choose blind of made-up pairs: they read what the outputs are worth, and are mostly right."""

from __future__ import annotations

from pathlib import Path

from plumbline.config.benchmark import ReadBenchmark
from plumbline.config.whole import Config
from plumbline.data.journal_lines import as_line
from plumbline.data.labelled import labelled
from plumbline.data.loading import load
from plumbline.data.planted import worths
from plumbline.derive.review import Decision, shown_digest
from plumbline.measuring.measures.reviewers import SAME_CHOICE
from plumbline.measuring.plans import plans
from plumbline.records.files import write_bytes
from plumbline.sources.archive import SourceFiles
from plumbline.workflow.rehearsing.plan import Plan

REVIEWERS = ("first", "second")
FOLDER = Path("stand_ins", "reviewers")


def reviewed(config: Config) -> list[str]:
    """The benchmarks of which a table measures how far reviewers agree."""
    tables = (table for named in config.table.values() for table in named.values())
    names = dict.fromkeys(
        plan.pick.benchmark for table in tables for plan in plans(table) if plan.metric == SAME_CHOICE
    )
    return [name for name in names if isinstance(config.benchmark.get(name), ReadBenchmark)]


def files_of(benchmark: str) -> list[str]:
    """A file a reviewer."""
    return [str(FOLDER / f"{benchmark}-{name}.jsonl") for name in REVIEWERS]


def write(plan: Plan, source: Path, files: list[str]) -> None:
    """Choices on all pairs of a benchmark, as they are read from its stand-in."""
    loaded = [one for entry in load(plan.benchmark, SourceFiles(source)) for one in entry.loaded]
    pairs = list(labelled((one.instance for one in loaded), (label for one in loaded for label in one.labels)))
    for file, reviewer in zip(files, REVIEWERS, strict=True):
        chosen = plan.dealt([plan.preferred([worths(pair.first)[-1], worths(pair.second)[-1]]) for pair in pairs])
        lines = (
            as_line(Decision(pair.id, shown_digest(pair), reviewer, "prefer", choice="first" if one == 1 else "second"))
            for pair, one in zip(pairs, chosen, strict=True)
        )
        write_bytes(Path(file), b"".join(lines))
