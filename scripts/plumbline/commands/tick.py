"""`plumbline checklist` and `plumbline tick`: a checklist for an instruction, and how far responses pass theirs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from plumbline.commands.checklist_scoring import GIVEN, OWN, Ticking, read_responses
from plumbline.commands.preview import add_config, flow_of
from plumbline.data.instances import CHECKLIST, Instance, identified
from plumbline.records.errors import PlumblineError
from plumbline.records.files import write_text
from plumbline.records.rows import write_records
from plumbline.report.terminal import plain
from plumbline.report.ticked import Ticked, summary, ticked, to_page
from plumbline.workflow.preview.cost import table_of

DEFAULT_MODEL = "smollm2"


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    checklist = subparsers.add_parser("checklist", help="a checklist of yes/no questions for an instruction")
    checklist.add_argument("instruction", help="the instruction, or - to read it from the standard input")
    _add_model(checklist)
    checklist.set_defaults(run=run_checklist)
    tick = subparsers.add_parser("tick", help="score responses by checklists (TICK)")
    tick.add_argument(
        "--instructions", type=Path, required=True, metavar="FILE", help="columns instruction, perhaps id and checklist"
    )
    tick.add_argument(
        "--responses", type=Path, required=True, metavar="FILE", help="columns instance, response, perhaps system"
    )
    tick.add_argument(
        "--out", type=Path, default=Path("ticked"), metavar="FOLDER", help="gets answers.parquet and index.html"
    )
    tick.add_argument("--no-reasoning", action="store_true", help="answer with one word, without an analysis")
    tick.add_argument("--preview", action="store_true", help="say what it would ask and cost, and ask nothing")
    tick.add_argument("--yes", action="store_true", help="spend money without being asked")
    _add_model(tick)
    tick.set_defaults(run=run_tick)


def _add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", default=DEFAULT_MODEL, metavar="NAME", help="a file in config/model/")
    add_config(parser)


def run_checklist(arguments: argparse.Namespace) -> int:
    text = sys.stdin.read() if arguments.instruction == "-" else arguments.instruction
    if not text.strip():
        raise PlumblineError("the instruction is empty")
    ticking = Ticking.of(flow_of(arguments), arguments.model, OWN)
    instances = list(identified([Instance("", "", text, ())]))
    (judged,), _ = ticking.ask(instances, ticking.store / "checklist.tally.json")
    questions = ticking.checklist(judged)
    for number, question in enumerate(questions, start=1):
        print(f"{number}. {plain(question)}")
    if not questions:
        print("plumbline: the model wrote no question", file=sys.stderr)
    return 0 if questions else 1


def run_tick(arguments: argparse.Namespace) -> int:
    instances = read_responses(arguments.instructions, arguments.responses)
    given = CHECKLIST in instances[0].context
    protocol = (GIVEN if given else OWN) + ("_direct" if arguments.no_reasoning else "")
    ticking = Ticking.of(flow_of(arguments), arguments.model, protocol)
    bill = ticking.preview(instances)
    print(table_of([bill], stored="stored"))
    if arguments.preview or not _agreed(bill.money, arguments.yes):
        return 0
    out: Path = arguments.out
    out.mkdir(parents=True, exist_ok=True)
    judged, done = ticking.ask(instances, out / "tally.json")
    answers = [answer for each in judged for answer in ticked(each)]
    write_records(out / "answers.parquet", Ticked, answers)
    title = f"Checklists answered by {ticking.flow.config.model[arguments.model].label}"
    write_text(out / "index.html", to_page(title, instances, answers))
    print("\n".join(map(plain, summary(answers))))
    print(f"asked {done.asked:,}, reused {done.reused:,}; see {out / 'index.html'} and {out / 'answers.parquet'}")
    return 0


def _agreed(money: float, yes: bool) -> bool:
    """Whether money may be spent."""
    if not money or yes:
        return True
    if not sys.stdin.isatty():
        raise PlumblineError(f"this may cost up to {money:,.4f}", do="say --yes to go on, or --preview to see it only")
    return input(f"This may cost up to {money:,.4f}. Go on? [y/N] ").strip().lower() in ("y", "yes")
