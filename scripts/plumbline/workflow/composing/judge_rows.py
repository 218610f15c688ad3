"""The rows of a table as they are asked: the experiment's own models beside those declared, each in a wording."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from plumbline.asking.protocols import ProtocolName
from plumbline.asking.settings import in_wording, suits
from plumbline.config.tables import Pick, Table
from plumbline.config.typed import known
from plumbline.config.whole import Config
from plumbline.measuring.picked_options import judge_options, judges_picked
from plumbline.workflow.composing.choices import in_free_text


def judges_for(model: str, table: Table, config: Config) -> list[str]:
    """The protocols of a table's `judges` that this model can be asked with."""
    known(model, config.model, "experiment.models")
    return [protocol for protocol in table.judges if suits(config, model, protocol)]


def with_judges(table: Table, models: Iterable[str], config: Config) -> Table:
    """The table with a row for each of these models under each protocol that it takes judges with."""
    rows = dict(table.rows)
    for model in models:
        for protocol in judges_for(model, table, config):
            asked = in_wording(protocol, config.experiment.wording or table.wording, config)
            asked = in_free_text(config, asked) if config.experiment.answers == "text" else asked
            label = row_title(model, asked, table.wording, config)
            samples = config.protocol[ProtocolName.parse(asked).base].samples
            rows.setdefault(label, Pick(model=model, protocol=asked, samples=samples))
    return replace(table, rows=rows)


def with_wording(table: Table, config: Config) -> Table:
    """The table with every protocol named in full, its wording included."""

    naming = judge_options(table)

    def full(protocol: str) -> str:
        declared = protocol and ProtocolName.parse(protocol).base in config.protocol
        return in_wording(protocol, table.wording, config) if declared else protocol

    def worded(pick: Pick) -> Pick:
        others = judges_picked(pick, naming, f"table.{table.paper}.{table.name}")
        if not (pick.protocol or others):
            return pick
        full_others = {name: {"model": one.model, "protocol": full(one.protocol)} for name, one in others.items()}
        return replace(pick, protocol=full(pick.protocol), options=pick.options | full_others)

    rows = {name: worded(row) for name, row in table.rows.items()}
    columns = {name: worded(column) for name, column in table.columns.items()}
    return replace(table, rows=rows, columns=columns, picks=worded(table.picks))


def row_title(model: str, protocol: str, wording: str, config: Config) -> str:
    """The label of a judge's row in a table that is worded so."""
    return f"{config.model[model].label} {protocol_title(config, protocol, wording)}"


def protocol_title(config: Config, name: str, wording: str) -> str:
    """A protocol's name in tables; one that is asked in other words than the table's says so."""
    parsed = ProtocolName.parse(name)
    title = config.protocol[parsed.base].title + ("*" if parsed.rules else "")
    title += " (free text)" if parsed.text else ""
    return title + (f" (in the wording {parsed.wording})" if parsed.wording not in ("", wording) else "")
