"""A small project to run on the test cluster: this checkout's code, two scripted judges, a rule, one table."""

from __future__ import annotations

import collections
import hashlib
import json
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from plumbline.records.manifest import RECORDS

REPOSITORY = Path(__file__).resolve().parents[2]
CODE = ("Snakefile", "rules", "scripts", "profiles", "envs")
CONFIG = ("prompts/plumbline", "prompts/plumbline.yaml", "protocol", "engine/none.yaml", "model/length.yaml")
PARTITIONS = """\
partitions:
  cpu: {max_runtime: 60, max_mem_mb: 16000, max_threads: 4}
  gpu: {max_runtime: 60, max_mem_mb: 32000, max_threads: 4, max_gpu: 2, available_gpu_models: [h200]}
"""
MODEL = """\
label: {name}
engine: {name}
resources: {{{resources}}}
"""
ENGINE = """\
kind: scripted
window: {window}
delay: {delay}
journal: {journal}
answers:
  compare: ["Output (a)", "Output (b)", "neither {name} can tell"]
  metrics: ["Is it right?"]
"""
TABLE = """\
paper: small
name: judges
title: Scripted judges
source: Plumbline
benchmark: small
metrics: [acc, agr]
columns: {ALL: [all]}
rows:
  Alpha: {model: alpha, protocol: vanilla}
  Alpha metrics: {model: alpha, protocol: metrics}
  Beta: {model: beta, protocol: vanilla}
  Longer: {model: length, protocol: longer}
"""
SOURCE = "title: Pairs\nlicence: CC0-1.0\ncitation: none\npath: config/benchmark/small.jsonl\n"
WINDOW = 2
SURROUNDINGS = (".log", ".tally.json", ".times.js", ".manifest.json")
"""Beside the data: these tell when, where and how, and differ from run to run."""


@dataclass(frozen=True)
class Project:
    """`alpha` judges on a GPU, `beta` on a CPU, and a length rule wherever one typed."""

    folder: Path

    @classmethod
    def make(cls, folder: Path, pairs: int = 12, delay: float = 0.0) -> Project:
        """A copy that asks `pairs` questions of each judge, each answered after `delay` seconds."""
        folder.mkdir(parents=True)
        for name in CODE:
            copy(REPOSITORY / name, folder / name)
        (folder / "slurm").symlink_to("profiles/slurm")
        for name in CONFIG:
            copy(REPOSITORY / "config" / name, folder / "config" / name)
        project = cls(folder)
        (folder / "profiles/slurm/partitions.yaml").write_text(PARTITIONS)
        project.write("experiment/papers.yaml", 'title: A rehearsal\ntables: ["small/*"]\n')
        project.write("table/small/judges.yaml", TABLE)
        project.write("source/small.yaml", SOURCE)
        project.write("benchmark/small.yaml", 'source: small\nloader: rows\nsubsets: {all: ""}\n')
        lines = [json.dumps(pair(number)) for number in range(pairs)]
        project.write("benchmark/small.jsonl", "\n".join(lines) + "\n")
        project.model("alpha", delay, "gpu: 1, gpu_model: h200, mem_mb: 1000, runtime: 5")
        project.model("beta", delay, "mem_mb: 1000, runtime: 5")
        return project

    def write(self, name: str, text: str) -> None:
        path = self.folder / "config" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def model(self, name: str, delay: float, resources: str) -> None:
        self.write(f"model/{name}.yaml", MODEL.format(name=name, resources=resources))
        self.write(f"engine/{name}.yaml", ENGINE.format(name=name, window=WINDOW, delay=delay, journal=self.journal))

    @property
    def journal(self) -> Path:
        return self.folder / "asks"

    def asks(self) -> list[str]:
        """Every ask that reached a model, whatever became of the answer."""
        return self.journal.read_text().split() if self.journal.exists() else []

    def asked_again(self) -> int:
        return sum(count - 1 for count in collections.Counter(self.asks()).values())

    def data(self) -> dict[str, str]:
        """Digest of every data file built, and none of the records: those say what this run and machine had."""
        results = self.folder / "results"
        files = (path for path in sorted(results.rglob("*")) if path.is_file() and not path.name.endswith(SURROUNDINGS))
        return {str(path.relative_to(results)): digest(path) for path in files if path.name not in RECORDS}

    def run(
        self, environment: Mapping[str, str], *words: str, largest_file: int = resource.RLIM_INFINITY
    ) -> subprocess.Popen[str]:
        """Start snakemake as a terminal would: Ctrl-C reaches it, and it alone."""

        def prepare() -> None:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, resource.RLIM_INFINITY))

        with (self.folder / "output").open("w") as output:
            return subprocess.Popen(
                [sys.executable, "-m", "snakemake", *words],
                cwd=self.folder,
                env={name: value for name, value in environment.items() if name != "PYTHONPATH"},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,
                preexec_fn=prepare,
            )

    @property
    def output(self) -> str:
        """What the latest snakemake has printed so far."""
        return (self.folder / "output").read_text()


def copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)


def pair(number: int) -> dict[str, object]:
    return {
        "subset": "all",
        "instruction": f"Say the number {number}.",
        "output_1": f"{number}",
        "output_2": f"It is not {number + 1}.",
        "better": 1 + number % 2,
    }


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
