"""What tables cost: the asks they stand on, their tokens, and money at the prices in the models' files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from plumbline.config.model import Model
from plumbline.judging.transcripts import TRANSCRIPTS
from plumbline.measuring.plans import needs
from plumbline.models.engines.budget import Cost, money
from plumbline.models.kinds import named
from plumbline.records.manifest import RESULTS
from plumbline.records.parquet import stream_rows
from plumbline.workflow.flow import Flow
from plumbline.workflow.writing_settings import writing_needs

COLUMNS = ("protocol", "key", "prompt_tokens", "completion_tokens")

Need = tuple[str, str, str]
"""Benchmark, model and protocol, or the step in which the model writes."""


@dataclass(frozen=True)
class Ask:
    """One ask, with its tokens as foreseen or as counted."""

    cost: Cost
    stored: bool


Asks = Mapping[Need, Mapping[str, Ask]]
"""What each need stands on, by the request's key: equal asks are paid for once."""


@dataclass(frozen=True)
class Bill:
    """What some asks come to. Tokens and money are those of asks not yet in the store, or of all that were made."""

    name: str
    asks: int
    stored: int
    cost: Cost
    money: float


def bills(flow: Flow, asks: Asks, paid: bool) -> list[Bill]:
    """A bill for each table, for each model and for all. Tables share asks, so the last is not the sum of the first."""
    models = flow.config.model
    tables = {f"{p}/{n}": table_needs(flow, p, n) & set(asks) for p, n in flow.resolved.tables}
    named = {name: wanted for name, wanted in tables.items() if wanted}
    named |= {f"model {model}": {need for need in asks if need[1] == model} for _, model, _ in sorted(asks)}
    return [bill(name, wanted, asks, models, paid) for name, wanted in (named | {"all": set(asks)}).items()]


def bill(name: str, wanted: Iterable[Need], asks: Asks, models: Mapping[str, Model], paid: bool) -> Bill:
    once = {(need[1], key): ask for need in wanted for key, ask in asks[need].items()}
    counted = {key: ask.cost for key, ask in once.items() if paid or not ask.stored}
    total = sum(money(cost, models[model]) for (model, _), cost in counted.items())
    return Bill(name, len(once), sum(ask.stored for ask in once.values()), sum(counted.values(), Cost()), total)


def table_needs(flow: Flow, paper: str, name: str) -> set[Need]:
    """What a table stands on: what its judges are asked, and what was written for the benchmarks before."""
    judged = needs(flow.resolved.table(paper, name))
    written = [need for benchmark in {need[0] for need in judged} for need in writing_needs(flow.config, benchmark)]
    return {*judged, *written}


def asked_needs(flow: Flow) -> dict[tuple[str, str], list[str]]:
    """The benchmarks and models of the experiment's tables that somebody is asked for, with the job's protocols."""
    config = flow.config
    return {
        (benchmark, model): list(protocols)
        for benchmark, models in flow.resolved.asked.items()
        for model, protocols in models.items()
        if (benchmark, model) in flow.resolved.judged and named(config.engine[config.model[model].engine].kind).asks
    }


def written_needs(flow: Flow) -> dict[tuple[str, str], list[str]]:
    """The benchmarks and models of the write jobs behind the experiment's tables, with the steps of those jobs."""
    benchmarks = {benchmark for benchmark, _ in flow.resolved.judged}
    found = {need[:2] for benchmark in benchmarks for need in writing_needs(flow.config, benchmark)}
    return {(of, model): list(flow.resolved.get("writing")[of][model]) for of, model in sorted(found)}


def spent(flow: Flow) -> Asks:
    """The asks in the transcripts written so far, with the tokens that were counted when they were answered."""
    asks: dict[Need, dict[str, Ask]] = {}
    stages = (("judge", asked_needs(flow)), ("write", written_needs(flow)))
    jobs = [(stage, job, asked) for stage, needed in stages for job, asked in needed.items()]
    for stage, (benchmark, model), protocols in jobs:
        for path in transcripts(stage, benchmark, model):
            for row in stream_rows(path, TRANSCRIPTS, COLUMNS):
                if row["protocol"] in protocols:
                    ask = Ask(Cost(1, row["prompt_tokens"] or 0, row["completion_tokens"] or 0), stored=True)
                    asks.setdefault((benchmark, model, row["protocol"]), {})[row["key"]] = ask
    return asks


def transcripts(stage: str, benchmark: str, model: str) -> list[Path]:
    return sorted((RESULTS / stage / benchmark / model).glob("*.parquet"))


def table_of(bills: Iterable[Bill], stored: str) -> str:
    """Bills as people read them."""
    lines = [f"{'':28}{'asks':>12}{stored:>12}{'prompt tok.':>15}{'answer tok.':>15}{'money':>14}"]
    for each in bills:
        tokens = f"{each.cost.prompt_tokens:>15,}{each.cost.completion_tokens:>15,}"
        lines.append(f"{each.name:28}{each.asks:>12,}{each.stored:>12,}{tokens}{each.money:>14,.4f}")
    return "\n".join(lines)
