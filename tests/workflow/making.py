"""A small experiment that builds sets of pairs, with scripted writers and evaluators."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from plumbline.data.journal_lines import as_line
from plumbline.data.labelled import Labelled, read_labelled
from plumbline.data.ledger import Entry, read_ledger
from plumbline.derive.review import decision_on
from project import Project

HOME = "results/construct/tiny_made"
SET, SUMS = "tiny_made/tiny_gptinst", "tiny_made/tiny_base"
FILES = {
    "config/source/tiny_pool.yaml": "{title: Pool, licence: CC0-1.0, citation: none, path: config/pool/tiny.csv}",
    "config/pool/tiny.yaml": "{source: tiny_pool, columns: {instruction: task, output: reply}}",
    "config/engine/writing.yaml": """
        kind: scripted
        answers:
          perturb: ["Task: Name another thing, please.", "I'm sorry, but I can't help with that."]
          response: [Something quite different was asked for here.]
          compare: [Output (b)]
    """,
    "config/model/writing.yaml": "{label: Writing, engine: writing}",
    "config/construct/tiny_gptinst.yaml": """
        title: Changed by a script
        strategy: gptinst
        pools: [tiny]
        size: 8
        perturb: writing
        second: writing
        filter: {evaluators: {writing: [vanilla, vanilla+rules], length: [longer]}}
    """,
    "config/construct/tiny_base.yaml": "{title: Sums, strategy: addition, base: 9, size: 5}",
    "config/benchmark/tiny_made.yaml": "{derive: together, subsets: {gptinst: tiny_gptinst, base_9: tiny_base}}",
    "config/experiment/making.yaml": "{title: Making, tables: ['making/*'], construct: ['tiny_*'], replicates: 200}",
    "config/table/making/lengths.yaml": """
        paper: making
        name: lengths
        title: Rules on what was made
        source: Plumbline
        benchmark: tiny_made
        metrics: [acc]
        columns: {MADE: [gptinst], SUMS: [base_9]}
        rows:
          Longer: {model: length, protocol: longer}
    """,
}
TARGETS = ("experiment=making", "construct", "datasets", "results/tables/making/lengths.csv")


def to_make(folder: Path) -> Project:
    """A project with a pool and two sets, nothing of it built."""
    project = Project.at(folder)
    for name, text in FILES.items():
        project.write(name, text)
    rows = [f"Name thing number {number}.,Thing {number}" for number in range(9)] + ["Name thing number 3.,Again", ",x"]
    project.write("config/pool/tiny.csv", "task,reply\n" + "\n".join(rows) + "\n")
    return project


def pairs_of(project: Project, benchmark: str) -> list[Labelled]:
    """The pairs of a benchmark with the labels that they are expected to have."""
    return read_labelled(*(project.path(f"results/{kind}/{benchmark}.parquet") for kind in ("instances", "labels")))


def ledger_of(project: Project, benchmark: str) -> list[Entry]:
    return read_ledger(project.path(f"results/ledger/{benchmark}.parquet"))


def decided(queue: list[Labelled]) -> bytes:
    """Keep the first pair, turn the second's label, discard the third, and say nothing of the rest."""
    first, second, third = queue[:3]
    other = {"first": "second", "second": "first"}[second.gold]
    decisions = [
        decision_on(first, "ada", {}),
        decision_on(second, "ada", {"gold": other}),
        replace(decision_on(third, "ada", {}), action="discard", reason="trivial"),
    ]
    return b"".join(map(as_line, decisions))
