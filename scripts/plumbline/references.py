"""Whether a configuration holds together: each name that one part uses of another, and what each table declares.

Found here, before anything is built: a mistake that a job would only meet once its model is loaded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from plumbline import schema
from plumbline.construct import settings
from plumbline.declarations import Table, TableRow
from plumbline.errors import PlumblineError
from plumbline.prompts import template_for
from plumbline.protocols import ProtocolName, ProtocolOptions, steps_in_words
from plumbline.typed import known


def check(config: schema.Config) -> None:
    for name, prompts in config.prompts.items():
        _prompts(config, prompts, f"prompts.{name}")
    for name, protocol in config.protocol.items():
        _length_rule(protocol, f"protocol.{name}")
    for name, model in config.model.items():
        _model(config, model, f"model.{name}")
    for name, benchmark in config.benchmark.items():
        _benchmark(config, benchmark, f"benchmark.{name}")
    settings.check(config)
    for name, declared in config.construct.items():
        known(declared.filter.wording, config.prompts, f"construct.{name}.filter.wording")
        check_wordings(config, settings.evaluators_of(config, declared))
    if config.experiment.wording:
        known(config.experiment.wording, config.prompts, "experiment.wording")
    for paper, tables in config.table.items():
        for name, table in tables.items():
            _table(config, table, f"table.{paper}.{name}")


def _prompts(config: schema.Config, prompts: schema.Prompts, where: str) -> None:
    if prompts.source:
        known(prompts.source, config.source, f"{where}.source")
    for name, parser in prompts.parsers.items():
        _expression(parser.first, f"{where}.parsers.{name}.first")
        _expression(parser.second, f"{where}.parsers.{name}.second")
    for name, template in prompts.templates.items():
        if template.parser:
            known(template.parser, prompts.parsers, f"{where}.templates.{name}.parser")


def _length_rule(protocol: schema.Protocol, where: str) -> None:
    if protocol.program == "length" and not protocol.prefer:
        raise PlumblineError("a length rule prefers neither output", where=f"{where}.prefer")


def _model(config: schema.Config, model: schema.Model, where: str) -> None:
    known(model.engine, config.engine, f"{where}.engine")
    if model.source:
        known(model.source, config.source, f"{where}.source")
    for protocol, parser in model.parsers.items():
        known(protocol, config.protocol, f"{where}.parsers")
        everywhere = {name: None for prompts in config.prompts.values() for name in prompts.parsers}
        known(parser, everywhere, f"{where}.parsers.{protocol}")


def _benchmark(config: schema.Config, benchmark: schema.Benchmark, where: str) -> None:
    if not benchmark.subsets:
        raise PlumblineError("a benchmark needs a subset", where=f"{where}.subsets")
    if benchmark.loader != "construct":
        known(benchmark.source, config.source, f"{where}.source")
        if benchmark.labels:
            known(benchmark.labels, config.source, f"{where}.labels")
        return
    for made in benchmark.subsets.values():
        known(made.partition("/")[0], config.construct, f"{where}.subsets")


def check_wordings(config: schema.Config, asked: Mapping[str, Iterable[str]]) -> None:
    """The wording of each protocol has all that it asks, and a way to read each answer."""
    for name, protocols in asked.items():
        for protocol in protocols:
            _wording(config, config.model[name], protocol)


def _wording(config: schema.Config, model: schema.Model, protocol: str) -> None:
    name = ProtocolName.parse(protocol)
    options = ProtocolOptions(protocol, config.protocol[name.base])
    for step, variant in steps_in_words(options):
        known(name.wording, config.prompts, f"protocol {protocol!r}")
        prompts = config.prompts[name.wording]
        template = template_for(name.wording, prompts, step, variant, name.rules)
        where = f"prompts.{name.wording}.templates, {step}, asked by {protocol}"
        for slot in template.slots.values():
            known(slot, dict.fromkeys(options.protocol.aids), f"{where}: slots")
        if step in ("compare", "synthesize"):
            known(model.parsers.get(name.base, template.parser), prompts.parsers, f"{where}: parser")


def _table(config: schema.Config, table: Table, where: str) -> None:
    known(table.benchmark, config.benchmark, f"{where}.benchmark")
    known(table.wording, config.prompts, f"{where}.wording")
    if not table.columns or not table.metrics:
        raise PlumblineError("a table needs columns and metrics", where=where)
    for name, column in table.columns.items():
        benchmark = column.benchmark or table.benchmark
        known(benchmark, config.benchmark, f"{where}.columns.{name}.benchmark")
        _subsets(config, benchmark, column.subsets, f"{where}.columns.{name}")
    for name, row in table.rows.items():
        _row(config, table, row, f"{where}.rows.{name}")
    for protocol in table.judges:
        _protocol(config, protocol, f"{where}.judges")
    _figures(table, where)


def _row(config: schema.Config, table: Table, row: TableRow, where: str) -> None:
    for name, column in table.columns.items():
        _subsets(config, column.benchmark or table.benchmark, row.subsets, f"{where}.subsets")
        if not column.subsets and not row.subsets:
            raise PlumblineError(f"neither the row nor the column {name!r} names a subset", where=where)
    _expression(row.matching, f"{where}.matching")
    counts_only = table.metrics == ["count"] and not row.model and not row.protocol
    if row.model or not (counts_only or row.waits.weights):
        known(row.model, config.model, f"{where}.model")
    if row.protocol or not (counts_only or row.waits.program):
        _protocol(config, row.protocol, f"{where}.protocol")


def _figures(table: Table, where: str) -> None:
    """The printed numbers and the reasons are about cells that the table has."""
    wanted = len(table.columns) * len(table.metrics)
    for name, numbers in table.printed.items():
        known(name, table.rows, f"{where}.printed")
        if len(numbers) != wanted:
            expected = f"{wanted}: columns in order, within each the metrics"
            raise PlumblineError(
                "a row's printed numbers do not fit the table's cells",
                where=f"{where}.printed.{name}",
                expected=expected,
                found=str(len(numbers)),
            )
    for number, reason in enumerate(table.reasons):
        known(reason.row, table.rows, f"{where}.reasons[{number}].row")
        for column in reason.columns:
            known(column, table.columns, f"{where}.reasons[{number}].columns")
        for metric in reason.metrics:
            known(metric, dict.fromkeys(table.metrics), f"{where}.reasons[{number}].metrics")


def _subsets(config: schema.Config, benchmark: str, subsets: Iterable[str], where: str) -> None:
    for subset in subsets:
        known(subset, config.benchmark[benchmark].subsets, where)


def _protocol(config: schema.Config, name: str, where: str) -> None:
    parsed = ProtocolName.parse(name)
    known(parsed.base, config.protocol, where)
    if parsed.wording:
        known(parsed.wording, config.prompts, where)


def _expression(pattern: str, where: str) -> None:
    try:
        re.compile(pattern)
    except re.error as error:
        raise PlumblineError(f"a regular expression is not one ({error})", where=where, found=pattern) from error
