"""`plumbline explain`: the story of one number, from the cell back to the bytes it came from."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from plumbline.cells import CELLS, READINGS
from plumbline.chain import Chain
from plumbline.errors import PlumblineError, nearest
from plumbline.instances import Pair, read_pairs
from plumbline.manifest import RESULTS, Manifest
from plumbline.parquet import Row, read_rows
from plumbline.show import block, heading, plain
from plumbline.statistics import Outcome, accuracy, agreement
from plumbline.transcripts import TRANSCRIPTS, messages_of
from plumbline.verdicts import VERDICTS


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
    cells = read_rows(Path(chain.link(path).path), CELLS)
    cell = find(cells, arguments.row, arguments.column, arguments.reading)
    show_cell(arguments.table, cell)
    if cell["value"] is None:
        return 0
    pairs = {p.id: p for p in read_pairs(RESULTS / "instances" / f"{cell['benchmark']}.parquet")}
    if cell["model"]:
        verdict_path = f"{RESULTS}/verdicts/{cell['benchmark']}/{cell['model']}.parquet"
        verdicts = counted(cell, read_rows(Path(verdict_path), VERDICTS))
        show_verdicts(cell, verdicts, pairs, None if arguments.all else 10)
        show_calls(chain, cell, verdict_path, list(verdicts), arguments.instance or next(iter(verdicts)))
        show_model(chain, verdict_path)
    show_source(chain, cell, pairs)
    show_chain(chain.behind(path))
    return 0


def find(cells: Sequence[Row], row: str, place: str, reading: str) -> Row:
    """One cell by its names; a wrong name is answered with the nearest right one."""
    column, _, metric = place.rpartition(".")
    rows = dict.fromkeys(cell["row"] for cell in cells)
    if row not in rows:
        raise PlumblineError(f"the table has no row {row!r}", do=nearest(row, rows))
    for cell in cells:
        if (cell["row"], cell["column"], cell["metric"], cell["reading"]) == (row, column, metric, reading):
            return cell
    places = dict.fromkeys(f"{cell['column']}.{cell['metric']}" for cell in cells)
    raise PlumblineError(f"the table has no column {place!r}", expected="COLUMN.METRIC", do=nearest(place, places))


def show_cell(table: str, cell: Row) -> None:
    heading(f"{table}  {cell['row']}  {cell['column']}.{cell['metric']}  ({cell['reading']})")
    value = "none yet" if cell["value"] is None else f"{cell['value']:.6g}"
    print(f"value     {value}")
    if cell["low"] is not None:
        print(f"interval  {cell['low']:.2f} to {cell['high']:.2f} (bootstrap over instances)")
    print(f"paper     {'not printed' if cell['paper'] is None else cell['paper']}")
    print(f"status    {cell['status']}" + (f": {plain(cell['reason'])}" if cell["reason"] else ""))
    print(f"n         {cell['n']} instances of {cell['benchmark']}: {', '.join(cell['subsets'])}")
    if len(cell["subsets"]) > 1 and cell["model"]:
        print("          the mean over these subsets, each with the same weight")


def counted(cell: Row, verdicts: Sequence[Row]) -> dict[str, dict[str, Row]]:
    """The verdict rows a cell counts, by instance and order."""
    found: dict[str, dict[str, Row]] = {}
    for row in verdicts:
        if row["protocol"] == cell["protocol"] and row["subset"] in cell["subsets"]:
            found.setdefault(row["instance"], {})[row["order"]] = row
    return found


def show_verdicts(cell: Row, verdicts: dict[str, dict[str, Row]], pairs: dict[str, Pair], most: int | None) -> None:
    reading = cell["reading"]
    outcomes: dict[str, Outcome] = {
        name: (orders["plain"]["gold"], orders["plain"][reading], orders["swapped"][reading])
        for name, orders in verdicts.items()
    }
    heading(f"the {len(outcomes)} instances counted (gold | verdict shown as stored | verdict shown swapped)")
    for outcome, count in Counter(outcomes.values()).most_common():
        strict = reading == "strict"
        worth = f"acc {accuracy(outcome, strict):.1f}, agr {agreement(outcome, strict):.0f}"
        print(f"{count:6}  {' | '.join(outcome):36} {worth}")
    print()
    for name in list(outcomes)[:most]:
        print(f"  {name}  {' | '.join(outcomes[name]):36} {plain(pairs[name].instruction)[:70]}")
    if most is not None and len(outcomes) > most:
        print(f"  … and {len(outcomes) - most} more (--all)")


def show_calls(chain: Chain, cell: Row, verdict_path: str, counted: Sequence[str], instance: str) -> None:
    """Every call behind one verdict: prompt, settings, tokens, answer."""
    name = next((full for full in counted if full.startswith(instance)), "")
    if not name:
        raise PlumblineError(f"the cell counts no instance {instance!r}", do=nearest(instance, counted))
    heading(f"the calls behind instance {name} (another one: --instance ID)")
    for path in chain.inputs(verdict_path, "judge"):
        for row in read_rows(path, TRANSCRIPTS):
            if row["instance"] == name and row["protocol"] == cell["protocol"]:
                show_call(row)


def show_call(row: Row) -> None:
    tokens = f", {row['prompt_tokens']} + {row['completion_tokens']} tokens" if row["prompt_tokens"] else ""
    print(f"step {row['step']}, order {row['order'] or 'none'}, request {row['key'][:16]}")
    print(f"  at most {row['max_tokens']} tokens, temperature {row['temperature']:g}{tokens}, ended: {row['finish']}")
    for message in messages_of(row):
        block(message.role, message.content)
    block("answer", row["text"])
    if row["choices"] and row["logprobs"]:
        said = ", ".join(
            f"{choice!r} {value:.3f}" for choice, value in zip(row["choices"], row["logprobs"], strict=True)
        )
        print(f"  log-probabilities: {said}")


def show_model(chain: Chain, verdict_path: str) -> None:
    heading("the model and its engine")
    for path in chain.inputs(verdict_path, "judge"):
        link = chain.link(path.as_posix())
        judge = link.settings["judge"]
        print(f"engine    {judge['engine']['kind']}, prompts {judge['model']['prompts']!r}")
        print(f"identity  {json.dumps(link.made_with, sort_keys=True)}")


def show_source(chain: Chain, cell: Row, pairs: dict[str, Pair]) -> None:
    heading("the instances' source")
    link = chain.link(f"{RESULTS}/instances/{cell['benchmark']}.parquet")
    files = dict.fromkeys(p.origin.rpartition("#")[0] for p in pairs.values() if p.subset in cell["subsets"])
    for path in chain.inputs(link.path, "source"):
        source = chain.link(path.as_posix())
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
