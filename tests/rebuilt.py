"""LLMBar rebuilt with the library alone: everything its authors recorded, judged again and read again."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from asked import judged, write_transcript
from plumbline.archive import SourceFiles
from plumbline.config import Resolved, compose
from plumbline.data.loading import load
from plumbline.engines.recorded import RecordedEngine
from plumbline.judging import JudgeSetup
from plumbline.parquet import Row, read_rows
from plumbline.replay import replay
from plumbline.transcripts import TRANSCRIPTS, Transcripts
from plumbline.wording import pack_wording

CONFIG = Path(__file__).resolve().parents[1] / "config"
BENCHMARKS = ("llmbar", "llmbar_cases", "llmbar_outside")


@dataclass(frozen=True)
class Part:
    """What one model was recorded to say of one subset."""

    benchmark: str
    subset: str
    model: str
    protocols: tuple[str, ...]
    transcript: Path


@dataclass(frozen=True)
class Rebuilt:
    """All of LLMBar: its instances, transcripts and verdicts."""

    pairs: Mapping[str, list[Any]]
    verdicts: Mapping[tuple[str, str], list[Row]]
    parts: list[Part]

    def transcripts(self, steps: tuple[str, ...]) -> Iterator[tuple[Part, Row]]:
        for part in self.parts:
            for row in read_rows(part.transcript, TRANSCRIPTS):
                if row["step"] in steps:
                    yield part, row


@functools.cache
def resolved() -> Resolved:
    return compose(CONFIG)


def kept_wording(name: str, folder: Path, archive: Path | None = None) -> Path:
    """A prompt set as the workflow keeps it, from the configuration or the archive that holds it."""
    settings = resolved().get(f"wording.{name}")
    out = folder / f"{name}.zip"
    templates = SourceFiles(archive) if archive else None
    pack_wording(settings["folder"], settings["files"], templates, CONFIG / "prompts", out)
    return out


@functools.cache
def source(path: Path) -> SourceFiles:
    return SourceFiles(path)


def evaluator(part: Part, protocol: str) -> str:
    """The authors' folder of one evaluator on one subset."""
    config = resolved().config
    home = config.benchmark[part.benchmark].subsets[part.subset]
    model = config.model[part.model]
    return f"{home}/evaluators/{model.folder}/{config.engine['recorded'].folders[protocol]}"


def parts(archive: Path, folder: Path) -> list[Part]:
    """Every (subset, model) with the protocols that were recorded for it, found by looking into the archive."""
    config = resolved().config
    names = set(source(archive).names())
    found = []
    for benchmark in BENCHMARKS:
        for subset in config.benchmark[benchmark].subsets:
            for model in [name for name, model in config.model.items() if model.engine == "recorded"]:
                empty = Part(benchmark, subset, model, (), folder / benchmark / subset / f"{model}.parquet")
                protocols = [
                    protocol
                    for protocol in config.engine["recorded"].folders
                    if f"{evaluator(empty, protocol)}/result.json" in names
                ]
                found.append(Part(benchmark, subset, model, tuple(protocols), empty.transcript))
    return [part for part in found if part.protocols]


def rebuild_part(archive: Path, pairs: list[Any], part: Part) -> list[Row]:
    """Judge with the recorded completions, write the transcript, and read the verdicts from the transcript."""
    plain = resolved().plain
    protocols = {name: asdict(resolved().config.protocol[name.partition("+")[0]]) for name in part.protocols}
    wording = kept_wording("llmbar", part.transcript.parent, archive)
    work = JudgeSetup.of(plain["judge"][part.model], plain["parsing"][part.model], protocols, [wording])
    engine = RecordedEngine(source(archive).read, work.judge.model.folder, work.engine.folders, pairs)
    write_transcript(part.transcript, judged(pairs, work.hows, work.judge, engine, window=256))
    return replay(pairs, work.hows, work.judge, Transcripts([part.transcript]))


def rebuild(archive: Path, folder: Path, workers: int = 2) -> Rebuilt:
    everything = parts(archive, folder)
    pairs = {name: list(load(resolved().config.benchmark[name], source(archive))) for name in BENCHMARKS}
    verdicts: dict[tuple[str, str], list[Row]] = {}
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        jobs: list[Any] = [
            pool.submit(rebuild_part, archive, [p for p in pairs[part.benchmark] if p.subset == part.subset], part)
            for part in everything
        ]
        for part, job in zip(everything, jobs, strict=True):
            verdicts.setdefault((part.benchmark, part.model), []).extend(job.result())
    return Rebuilt(pairs, verdicts, everything)
