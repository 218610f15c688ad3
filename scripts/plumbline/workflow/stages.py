"""What the stages of an experiment ask, load and cost: perturbing, writing, evaluating candidates, judging."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from plumbline.derive.asked import FILTERING, PERTURBING
from plumbline.models.kinds import named
from plumbline.workflow.cost import Asks, Bill, asked_needs, bill, figures, heading
from plumbline.workflow.flow import Flow

TITLES = {PERTURBING: "perturb", FILTERING: "evaluate"}
"""What a stage is called, by the part of a build that it is about; else `write` or `judge`."""
ORDER = ("perturb", "write", "evaluate", "judge")


@dataclass(frozen=True)
class StageBill:
    """What one stage asks of one model."""

    stage: str
    model: str
    loads: int
    """How often its weights are loaded; of a model at a server, never."""
    bill: Bill


def by_stage(flow: Flow, asks: Asks) -> list[StageBill]:
    """A bill for each stage and model; a job all of whose answers are stored loads nothing."""
    config = flow.config
    needs: dict[tuple[str, str], dict[str, list[tuple[str, str, str]]]] = {}
    for (stage, benchmark, model), names in asked_needs(flow).items():
        title = TITLES.get(benchmark.partition("/")[2], stage)
        there = [(benchmark, model, name) for name in names if (benchmark, model, name) in asks]
        needs.setdefault((title, model), {}).setdefault(benchmark, []).extend(there)
    found = []
    for (title, model), by_benchmark in needs.items():
        loads = named(config.engine[config.model[model].engine].kind).loads
        missing = [
            benchmark
            for benchmark, wanted in by_benchmark.items()
            if any(not ask.stored for need in wanted for ask in asks[need].values())
        ]
        wanted = [need for every in by_benchmark.values() for need in every]
        total = bill(f"{title}, {model}", wanted, asks, config.model, paid=False)
        shards = sum(shards_of(flow, benchmark) for benchmark in missing)
        found.append(StageBill(title, model, shards if loads else 0, total))
    return sorted(found, key=lambda one: (ORDER.index(one.stage), one.model))


def shards_of(flow: Flow, benchmark: str) -> int:
    declared = flow.config.benchmark.get(benchmark.partition("/")[0])
    return declared.shards if declared else 1


def table_of_stages(found: Iterable[StageBill]) -> str:
    """The bills as people read them."""
    stages = list(found)
    width = max([28, *(len(one.bill.name) for one in stages)])
    lines = [f"{one.bill.name:{width}}{one.loads:>7}{figures(one.bill)}" for one in stages]
    return "\n".join([f"{'':{width}}{'loads':>7}{heading('stored')}", *lines])
