"""`plumbline explain`: the story of one number, from the cell back to the bytes it came from."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from plumbline.audit.chain import Chain
from plumbline.config.tables import Table
from plumbline.config.typed import build
from plumbline.data.instances import Instance, InstanceFile
from plumbline.data.verdicts import READINGS, Verdict
from plumbline.judging.protocols import ProtocolName
from plumbline.judging.transcripts import TRANSCRIPTS, messages_of
from plumbline.measuring.cases import CaseFiles, Judge
from plumbline.measuring.cells import Cell, read_cells
from plumbline.measuring.counted import Counted, counted, worth
from plumbline.measuring.plans import Plan, is_built, plans, sources
from plumbline.records.errors import PlumblineError, nearest
from plumbline.records.manifest import RESULTS, Manifest
from plumbline.records.parquet import Row, read_rows
from plumbline.report.terminal import block, heading, plain

SHOWN = 10
"""So many instances are listed without `--all`."""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("explain", help="where one number comes from")
    parser.add_argument("table", help="PAPER/TABLE, e.g. llmbar/table2")
    parser.add_argument("row", help="row as printed, e.g. 'Vanilla*'")
    parser.add_argument("column", help="COLUMN.METRIC, e.g. NEIGHBOR.acc")
    parser.add_argument("--reading", choices=READINGS, default="as_published", help="default: %(default)s")
    parser.add_argument(
        "--instance", default="", help="show every call about this instance (its id or the first letters of it)"
    )
    parser.add_argument("--all", action="store_true", help="list every verdict, not only the first ten")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    chain = Chain.read(RESULTS)
    path = f"{RESULTS}/cells/{arguments.table}.parquet"
    link = chain.link(path)
    cell = find(read_cells(Path(link.path)), arguments.row, arguments.column, arguments.reading)
    table = build(Table, link.settings["table"], f"table.{arguments.table}")
    plan = next(p for p in plans(table) if (p.row, p.column, p.metric) == (cell.row, cell.column, cell.metric))
    show_cell(arguments.table, cell, plan)
    if cell.value is None:
        return 0
    if not is_built(table, plan):
        show_followed(table, plan)
        show_chain(chain.behind(path))
        return 0
    files = {name: [Path(file) for file in paths] for name, paths in link.job.inputs.items()}
    cases = CaseFiles.by_benchmark(files["instances"], files["labels"], files["verdicts"])
    if plan.judges:
        show_judged(chain, cell, plan, cases[cell.benchmark], arguments)
    show_source(chain, cell)
    show_chain(chain.behind(path))
    return 0


def show_judged(chain: Chain, cell: Cell, plan: Plan, cases: CaseFiles, arguments: argparse.Namespace) -> None:
    """From the instances that a cell counts to the calls and the models behind one of them."""
    found = list(counted(plan, cases, cell.reading))
    chosen = one_of(found, arguments.instance)
    show_counted(cell, plan, found, None if arguments.all else SHOWN)
    heading(f"the verdicts on instance {chosen.case.instance.id} (another one: --instance ID)")
    for judge in plan.judges:
        show_verdicts(judge, chosen.case.verdicts.get(judge, ()))
    heading(f"the calls behind instance {chosen.case.instance.id}")
    for judge in plan.judges:
        show_calls(chain, verdict_path(cell, judge), judge, chosen.case.instance)
    for judge in plan.judges:
        show_model(chain, verdict_path(cell, judge), judge)


def verdict_path(cell: Cell, judge: Judge) -> str:
    return f"{RESULTS}/verdicts/{cell.benchmark}/{judge.model}.parquet"


def find(cells: Sequence[Cell], row: str, place: str, reading: str) -> Cell:
    """One cell by its names; a wrong name is answered with the nearest right one."""
    column, _, metric = place.rpartition(".")
    rows = dict.fromkeys(cell.row for cell in cells)
    if row not in rows:
        raise PlumblineError(f"the table has no row {row!r}", do=nearest(row, rows))
    for cell in cells:
        if (cell.row, cell.column, cell.metric, cell.reading) == (row, column, metric, reading):
            return cell
    places = dict.fromkeys(f"{cell.column}.{cell.metric}" for cell in cells if cell.row == row)
    raise PlumblineError(f"the table has no column {place!r}", expected="COLUMN.METRIC", do=nearest(place, places))


def show_cell(table: str, cell: Cell, plan: Plan) -> None:
    heading(f"{table}  {cell.row}  {cell.column}.{cell.metric}  ({cell.reading})")
    print(f"value     {'none yet' if cell.value is None else f'{cell.value:.6g}'}")
    if cell.low is not None and cell.high is not None:
        print(f"interval  {cell.low:.2f} to {cell.high:.2f}" + (f" ({cell.se_name})" if cell.se_name else ""))
    print(f"paper     {'not printed' if cell.paper is None else cell.paper}")
    print(f"status    {cell.status}" + (f": {plain(cell.reason)}" if cell.reason else ""))
    print(f"n         {cell.n} instances of {cell.benchmark}: {', '.join(cell.subsets) or 'all as one'}")
    if len(cell.subsets) > 1 and not (plan.pick.pooled or plan.measure.adds):
        print("          the mean over these subsets, each with the same weight")
    for mark in cell.marks:
        print(f"marked    {plain(mark)}")


def show_followed(table: Table, plan: Plan) -> None:
    heading("what it follows from (explain each of them)")
    way, group, names = sources(table, plan)
    for name in names:
        row, column = (name, plan.column) if group == "rows" else (plan.row, name)
        print(f"  {way}: {plain(row)}  {plain(column)}.{plan.metric}")


def show_counted(cell: Cell, plan: Plan, found: Sequence[Counted], most: int | None) -> None:
    """What the instances give to the measure, and the first of them."""
    heading(f"the {len(found)} instances counted, each with what it gives ({plan.measure.observer.describes})")
    tally = Counter((each.unit.describe(cell.reading), worth(plan.measure, each.unit, cell.reading)) for each in found)
    for (given, value), count in tally.most_common(most):
        print(f"{count:6}  {plain(given):36} {'' if value is None else f'{cell.metric} {value:g}'}")
    if most is not None and len(tally) > most:
        print(f"        … and {len(tally) - most} more that are different (--all)")
    print()
    for each in found[:most]:
        instance = each.case.instance
        print(f"  {instance.id}  {plain(each.unit.describe(cell.reading)):36} {plain(instance.instruction)[:70]}")
    if most is not None and len(found) > most:
        print(f"  … and {len(found) - most} more (--all)")


def one_of(found: Sequence[Counted], instance: str) -> Counted:
    for each in found:
        if each.case.instance.id.startswith(instance):
            return each
    names = [each.case.instance.id for each in found]
    raise PlumblineError(f"the cell counts no instance {instance!r}", do=nearest(instance, names))


def show_verdicts(judge: Judge, verdicts: Iterable[Verdict]) -> None:
    """All that a judge stated, and what follows from it."""
    for verdict in verdicts:
        said = str(verdict.as_published)
        if verdict.strict != verdict.as_published:
            said += f" as published, {verdict.strict} strictly" + (f" ({verdict.why})" if verdict.why else "")
        margin = "" if verdict.margin is None else f", by {verdict.margin:+.4f} nats"
        close = ", closer than the arithmetic's noise" if verdict.close else ""
        flawed = "".join(f", with the {name} {state}" for name, state in verdict.flawed.items())
        line = f"{verdict.question}, shown {verdict.showing}: {said}{margin}{close}{flawed}; {origin(verdict)}"
        print(f"  {plain(judge.protocol)}  {plain(line)}")


def origin(verdict: Verdict) -> str:
    if verdict.derived_from:
        return f"follows from {', '.join(verdict.derived_from)}"
    return f"step {verdict.step}" if verdict.step else "nobody was asked"


def show_calls(chain: Chain, path: str, judge: Judge, instance: Instance) -> None:
    """Every call behind the verdicts of a judge: prompt, settings, tokens, answer."""
    for transcript in chain.inputs(path, "judge"):
        for row in read_rows(transcript, TRANSCRIPTS):
            if row["instance"] == instance.id and row["protocol"] == judge.protocol:
                show_call(row)


def show_call(row: Row) -> None:
    tokens = f", {row['prompt_tokens']} + {row['completion_tokens']} tokens" if row["prompt_tokens"] else ""
    print(f"step {row['step']}, shown {row['showing']}, request {row['key'][:16]}")
    print(f"  at most {row['max_tokens']} tokens, temperature {row['temperature']:g}{tokens}, ended: {row['finish']}")
    for message in messages_of(row):
        block(message.role, message.content)
    block("answer", row["text"])
    if row["choices"] and row["logprobs"]:
        said = ", ".join(
            f"{choice!r} {value:.3f}" for choice, value in zip(row["choices"], row["logprobs"], strict=True)
        )
        print(f"  log-probabilities: {said}")


def show_model(chain: Chain, path: str, judge: Judge) -> None:
    heading(f"the model {judge.model} and its engine")
    wording = ProtocolName.parse(judge.protocol).wording
    for transcript in chain.inputs(path, "judge"):
        link = chain.link(transcript.as_posix())
        engine = link.settings["judge"]["engine"]["kind"]
        print(f"engine    {engine}" + (f", asked in the wording {wording!r}" if wording else ""))
        print(f"identity  {json.dumps(link.made_with, sort_keys=True)}")


def show_source(chain: Chain, cell: Cell) -> None:
    heading("the instances' source")
    link = chain.link(f"{RESULTS}/instances/{cell.benchmark}.parquet")
    instances = InstanceFile.whole(Path(link.path))
    here = (i for i in instances if not cell.subsets or i.subset in cell.subsets)
    files = dict.fromkeys(instance.origin.rpartition("#")[0] for instance in here)
    for source in (link for link in chain.behind(link.path) if link.recipe.rule == "source"):
        declared = source.settings["source"]
        print(f"{declared['title']} ({declared['licence']})\n{declared['citation']}")
        print(f"url       {declared['url'] or declared['path']}  revision {declared['revision'] or '-'}")
        print(f"came from {source.made_with.get('origin', '?')}\nsha256    {source.sha256}  {source.path}")
    for file in files:
        print(f"file      {file}")


def show_chain(links: Iterable[Manifest]) -> None:
    heading("the chain of files")
    for link in links:
        code = f"{len(link.recipe.code)} files of code"
        commit = f"{link.commit[:12] or 'no commit'}{' + changes' if link.dirty else ''}"
        print(
            f"{link.sha256[:16]}  {link.path}\n{'':18}rule {link.recipe.rule}, {code}, {commit}, {surroundings(link)}"
        )


def surroundings(link: Manifest) -> str:
    return ", ".join(
        f"{name} {version}" for name, version in link.versions.items() if name in ("python", "torch", "vllm")
    )
