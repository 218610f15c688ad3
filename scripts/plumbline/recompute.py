"""Recompute verdicts, cells and tables from the transcripts, with nothing but `results/` at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from plumbline.cells import CELLS
from plumbline.chain import Chain
from plumbline.declarations import Table
from plumbline.errors import PlumblineError
from plumbline.files import as_written, read_bytes
from plumbline.instances import PairFile
from plumbline.judging import Judging
from plumbline.measure import Bootstrap, Computing, Counts, Evidence
from plumbline.noise import noise_of
from plumbline.parquet import Row, read_rows
from plumbline.replay import replay
from plumbline.tables import WRITERS
from plumbline.transcripts import Transcripts
from plumbline.typed import build
from plumbline.verdicts import VERDICTS


def verdicts(chain: Chain, path: str) -> list[Row]:
    """The verdicts that the transcripts behind a verdict file give today."""
    link = chain.link(path)
    transcripts = chain.inputs(path, "judge")
    others = {name for name in link.recipe.inputs if not name.startswith(("results/judge/", "results/instances/"))}
    work = Judging.of(
        link.settings["judge"], link.settings["parsing"], link.settings["protocols"], [Path(p) for p in sorted(others)]
    )
    pairs = PairFile.whole(chain.inputs(path, "instances")[0])
    noise = noise_of(work.engine.kind, work.judge.model.dtype)
    return replay(pairs, work.hows, work.judge, Transcripts(transcripts), noise)


def cells(chain: Chain, path: str, judged: Mapping[str, Sequence[Row]]) -> list[Row]:
    """The cells that given verdict rows (by verdict file) make."""
    link = chain.link(path)
    pairs = {file.stem: PairFile.whole(file) for file in chain.inputs(path, "instances")}
    files = chain.inputs(path, "verdicts")
    counts = {(file.parent.name, file.stem): Counts.of(judged[file.as_posix()], file.as_posix()) for file in files}
    evidence = Evidence(pairs, counts)
    table = build(Table, link.settings["table"], f"table of {path}")
    return Computing(table, build(Bootstrap, link.settings["bootstrap"], "bootstrap"), evidence).rows()


def differing(path: str, stored: Sequence[Row], again: Sequence[Row]) -> str:
    """Where two lists of rows part, in words; nothing where they are equal."""
    if len(stored) != len(again):
        return f"{path} holds {len(stored)} rows, recomputed {len(again)}"
    for number, (was, now) in enumerate(zip(stored, again, strict=True), start=1):
        for name in was:
            if not same(was[name], now[name]):
                return f"{path}, row {number}, column {name}: stored {was[name]!r}, recomputed {now[name]!r}"
    return ""


def same(was: Any, now: Any) -> bool:
    """Equal, or floats that differ only by the order of additions."""
    if isinstance(was, float) and isinstance(now, float):
        return abs(was - now) <= 1e-9 * max(1.0, abs(was))
    return bool(was == now)


def check_all(chain: Chain, paths: Sequence[str]) -> list[tuple[str, str]]:
    """Recompute every verdict, cell and table file among `paths`; what does not come out the same, with the reason."""
    wrong: list[tuple[str, str]] = []
    judged: dict[str, list[Row]] = {}
    for path in [path for path in paths if path.startswith("results/verdicts/")]:
        judged[path] = _attempt(wrong, path, lambda path=path: verdicts(chain, path), VERDICTS)
    for path in [path for path in paths if path.startswith("results/cells/")]:
        for file in chain.inputs(path, "verdicts"):
            judged.setdefault(file.as_posix(), read_rows(file, VERDICTS))
        _attempt(wrong, path, lambda path=path: cells(chain, path, judged), CELLS)
    for path in [path for path in paths if path.startswith("results/tables/")]:
        if difference := rewritten(chain, path):
            wrong.append((path, difference))
    return wrong


def rewritten(chain: Chain, path: str) -> str:
    """Whether a table is what its cells give; in words where it is not."""
    link = chain.link(path)
    table = build(Table, link.settings["table"], f"table of {path}")
    text = WRITERS[Path(path).suffix[1:]](table, read_rows(chain.inputs(path, "cells")[0], CELLS))
    return "" if as_written(text) == read_bytes(Path(path)) else f"{path} is not what its cells give"


def _attempt(wrong: list[tuple[str, str]], path: str, make: Any, shape: Any) -> list[Row]:
    try:
        again: list[Row] = make()
        difference = differing(path, read_rows(Path(path), shape), again)
    except PlumblineError as error:
        again, difference = [], str(error)
    if difference:
        wrong.append((path, difference))
    return again
