"""Runs of Snakemake that rehearse, and what they built."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from plumbline.measuring.cells import Cell, read_cells

REPOSITORY = Path(__file__).resolve().parents[2]
PERMUTED = ("llmbar/table2", "href/table1", "risum/table2", "risum/table4")
"""The tables that are rehearsed with people's words dealt out anew."""


@dataclass(frozen=True)
class Rehearsal:
    """A folder in which a rehearsal was run."""

    folder: Path

    def cells(self, table: str) -> dict[tuple[str, str, str], Cell]:
        """Those of a table as published, by row, column and measure."""
        read = read_cells(self.folder / f"results/cells/{table}.parquet")
        return {cell.place: cell for cell in read if cell.reading == "as_published"}

    @property
    def tables(self) -> list[str]:
        """All that were built."""
        files = sorted(self.folder.glob("results/cells/*/*.parquet"))
        return [f"{file.parent.name}/{file.stem}" for file in files]


def run(folder: Path, *targets: str, hydra: str = "") -> Rehearsal:
    """Snakemake, as a user starts it in that folder; what is built already is not made again."""
    settings = ["experiment=rehearsal", *([f"hydra={hydra}"] if hydra else [])]
    snakefile = [] if folder == REPOSITORY else ["--snakefile", str(REPOSITORY / "Snakefile")]
    words = [sys.executable, "-m", "snakemake", *snakefile, "--cores", "2", *targets, "--config", *settings]
    made = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    return Rehearsal(folder / "rehearsal")
