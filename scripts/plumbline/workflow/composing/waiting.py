"""What waits for a source that nobody has pinned yet: sets of pairs, and cells of tables. The rest of a run goes on."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from plumbline.config.benchmark import OfOne, ReadBenchmark
from plumbline.config.source import Source
from plumbline.config.tables import Pick, Table
from plumbline.config.whole import Config
from plumbline.derive.derivations.together import Together
from plumbline.measuring.plans import derived
from plumbline.records.errors import PlumblineError
from plumbline.workflow.composing.nodes import is_set


@dataclass(frozen=True)
class WaitingSet:
    """A set of pairs that cannot be built yet."""

    name: str
    sources: tuple[str, ...]
    """Those that nobody has pinned."""
    reason: str
    """What to do about them, for a table."""


LeftOut = Mapping[str, Mapping[str, WaitingSet]]
"""By benchmark its subsets that cannot be built yet."""


def is_pinned(source: Source) -> bool:
    """Whether a source can be used: its digests are known, or it is a file of one's own."""
    return bool(source.pins or source.path)


def unpinned(names: Iterable[str], config: Config) -> tuple[str, ...]:
    """Those of some sources that nobody has pinned, each once."""
    return tuple(name for name in dict.fromkeys(filter(None, names)) if not is_pinned(config.source[name]))


def waits_for(names: Iterable[str], config: Config) -> str:
    """What to do about those of some sources that nobody has pinned, or nothing."""
    missing = unpinned(names, config)
    return "; ".join(f"{config.source[name].title}: pin it (plumbline pin {name})" for name in missing)


def sources_of_set(name: str, config: Config) -> list[str]:
    """All sources that a set is made of."""
    declared = config.construct[name]
    sources = [config.pool[pool].source for pool in getattr(declared, "pools", ())]
    if counterpart := getattr(declared, "counterpart", ""):
        sources += sources_of_set(counterpart.partition("/")[0], config)
    if benchmark := getattr(declared, "benchmark", ""):
        sources += sources_of_benchmark(benchmark, config)
    return sources


def sources_of_benchmark(name: str, config: Config) -> list[str]:
    """All sources that the instances of a benchmark and their labels are read from."""
    benchmark = config.benchmark[name]
    sources = [benchmark.labels]
    if isinstance(benchmark, ReadBenchmark):
        return [benchmark.source, *sources, *(joined.source for joined in benchmark.joined.values())]
    for parent in benchmark.parents:
        own = sources_of_set(parent.partition("/")[0], config) if is_set(config, parent) else None
        sources += own if own is not None else sources_of_benchmark(parent, config)
    return sources


def waiting_sets(config: Config) -> dict[str, WaitingSet]:
    """The sets that cannot be built yet, by name."""
    by_set = {name: unpinned(sources_of_set(name, config), config) for name in config.construct}
    return {name: WaitingSet(name, missing, waits_for(missing, config)) for name, missing in by_set.items() if missing}


def left_out(config: Config) -> LeftOut:
    """The subsets of constructed benchmarks, and of those derived from them, whose sets wait."""
    sets = waiting_sets(config)

    def subsets(name: str) -> dict[str, WaitingSet]:
        benchmark = config.benchmark[name]
        if isinstance(benchmark, OfOne):
            return {subset: why for subset, why in subsets(benchmark.of).items() if subset in benchmark.subsets}
        if not isinstance(benchmark, Together):
            return {}
        made = {subset: place.partition("/")[0] for subset, place in benchmark.subsets.items()}
        return {subset: sets[name] for subset, name in made.items() if name in sets}

    return {name: lacking for name in config.benchmark if (lacking := subsets(name))}


def without(config: Config, waiting: LeftOut) -> Config:
    """The configuration whose benchmarks have only the subsets that can be built."""
    benchmarks = {
        name: replace(one, subsets={s: made for s, made in one.subsets.items() if s not in waiting.get(name, {})})
        for name, one in config.benchmark.items()
    }
    return replace(config, benchmark=benchmarks)


def waiting_cells(table: Table, config: Config, waiting: LeftOut) -> Table:
    """The table, whose cells wait where nobody has pinned a source of what they are measured on, or of their judge.

    What is measured on all subsets of a benchmark waits when one of them is left out.
    """

    @cache
    def unpinned_data(benchmark: str) -> str:
        return waits_for(sources_of_benchmark(benchmark, config), config) if benchmark else ""

    @cache
    def unpinned_judge(model: str) -> str:
        return waits_for(config.model[model].sources, config) if model in config.model else ""

    everywhere = table.picks.benchmark or table.benchmark
    picks = [table.picks, *table.rows.values(), *table.columns.values()]
    named = list(dict.fromkeys(filter(None, [everywhere, *(pick.benchmark for pick in picks)])))

    def marked(pick: Pick, others: Iterable[Pick] = ()) -> Pick:
        """`others` also pick what this one is measured on."""
        reasons = [unpinned_data(pick.benchmark), unpinned_judge(pick.model)]
        whole = not (derived(pick) or any(one.subsets for one in (pick, *others)))
        for name in [pick.benchmark] if pick.benchmark else named:
            left = waiting.get(name, {}).items()
            reasons += [one.reason for subset, one in left if whole or subset in pick.subsets]
        return _with_data(pick, reasons)

    below = _with_data(table.picks, [unpinned_data(everywhere)])
    if everywhere and not config.benchmark[everywhere].subsets:
        below = _with_data(below, [one.reason for one in waiting.get(everywhere, {}).values()])
    return replace(
        table,
        rows={name: marked(row, [table.picks, *table.columns.values()]) for name, row in table.rows.items()},
        columns={name: marked(column, [table.picks, *table.rows.values()]) for name, column in table.columns.items()},
        picks=marked(below, picks) if below.subsets else below,
    )


def _with_data(pick: Pick, reasons: Sequence[str]) -> Pick:
    if not any(reasons):
        return pick
    data = "; ".join(dict.fromkeys(filter(None, [pick.waits.data, *reasons])))
    return replace(pick, waits=replace(pick.waits, data=data))


def of_experiment(config: Config, tables: Iterable[Table], waiting: LeftOut) -> list[WaitingSet]:
    """The sets that an experiment builds, or measures on in one of its tables, and that are left out."""
    chosen = re.compile("|".join(map(fnmatch.translate, config.experiment.construct)) or r"\Z.")
    named = [one for name, one in waiting_sets(config).items() if chosen.match(name)]
    own = (one for name in sorted(waiting) if chosen.match(name) for one in waiting[name].values())
    return list(dict.fromkeys([*named, *own, *of_tables(tables, waiting)]))


def of_tables(tables: Iterable[Table], waiting: LeftOut) -> list[WaitingSet]:
    """The sets that tables would measure on, and that are left out."""
    used: set[str] = set()
    for table in tables:
        picks = (table.picks, *table.rows.values(), *table.columns.values())
        used |= {table.benchmark, *(pick.benchmark for pick in picks)}
    return list(dict.fromkeys(one for name in sorted(used & waiting.keys()) for one in waiting[name].values()))


def lines(sets: Iterable[WaitingSet]) -> list[str]:
    """A line about the sets that wait for the same sources."""
    together: dict[tuple[str, ...], list[str]] = {}
    for one in sets:
        together.setdefault(one.sources, []).append(one.name)
    return [
        f"plumbline: left out of this run: {', '.join(names)}; nobody has pinned the data yet: "
        + ", ".join(f"plumbline pin {source}" for source in sources)
        for sources, names in together.items()
    ]


def refuse_waiting(name: str, config: Config, waiting: LeftOut) -> None:
    """A benchmark of which nothing can be built yet says what it waits for."""
    if waiting.get(name) and not config.benchmark[name].subsets:
        raise PlumblineError(
            f"nothing of the benchmark {name!r} can be built yet",
            where=f"config/benchmark/{name}.yaml",
            found="; ".join(dict.fromkeys(one.reason for one in waiting[name].values())),
        )


def refuse_unpinned(name: str, benchmark: ReadBenchmark, config: Config) -> None:
    """A benchmark of whose source nobody knows the digest cannot be read."""
    if missing := unpinned([benchmark.source], config):
        waiting = [other for other, pool in config.pool.items() if not is_pinned(config.source[pool.source])]
        raise PlumblineError(
            f"the benchmark {name!r} waits: nobody has pinned the digest of its source yet",
            where=f"config/source/{missing[0]}.yaml",
            found="pools that wait: " + ", ".join(waiting) if waiting else "",
            do=f"run `plumbline pin {missing[0]}`: it fetches {config.source[missing[0]].url or 'it'}, shows what "
            "came, and writes the digests",
        )
