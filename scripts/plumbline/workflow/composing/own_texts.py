"""Where a judge judges what it wrote itself, as a table's notes say."""

from __future__ import annotations

from collections.abc import Iterator

from plumbline.asking.steps import program_of
from plumbline.config.tables import Table
from plumbline.config.whole import Config
from plumbline.config.writing import WrittenText
from plumbline.derive.derivations.with_texts import WithTexts
from plumbline.measuring.plans import CellPlan, plans

NOTE = "The judge wrote itself what it judges."


def own_text_notes(table: Table, config: Config) -> list[str]:
    """One note, with the rows that it is about where it is not about all that ask a judge."""
    judged, own = dict[str, None](), dict[str, None]()
    for plan in plans(table):
        if plan.measure.judged and plan.judge.model:
            judged[plan.row] = None
            if plan.judge.model in writers(plan, config):
                own[plan.row] = None
    if not own:
        return []
    return [NOTE if own.keys() == judged.keys() else f"{', '.join(own)}: {NOTE[0].lower()}{NOTE[1:]}"]


def writers(plan: CellPlan, config: Config) -> set[str]:
    """The models that wrote the outputs that are measured in a cell."""
    systems = plan.pick.options.get("systems") or ()
    return {
        text.model
        for name, text in outputs_of(plan.pick.benchmark, config)
        if not systems or any(is_of(system, name, text) for system in systems)
    }


def is_of(system: str, name: str, text: WrittenText) -> bool:
    """Whether a system's output is made of a text: under its name, or numbered where several outputs are."""
    return system == name or system.rpartition("_")[0] == name


def outputs_of(benchmark: str, config: Config) -> Iterator[tuple[str, WrittenText]]:
    """What models write as outputs of a benchmark, and of what it is made of."""
    declared = config.benchmark.get(benchmark)
    if isinstance(declared, WithTexts):
        for name, text in declared.texts.items():
            if (text.becomes or program_of(config, text.step or name).becomes) in ("output", "outputs"):
                yield name, text
    for parent in declared.parents if declared else ():
        yield from outputs_of(parent, config)
