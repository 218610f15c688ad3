"""`plumbline best`: the better answers of one's own model, chosen among several, with why each won."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from plumbline.commands.answer_scoring import SCORERS, Scoring
from plumbline.commands.best_of_n import RESPONSES, BestOfN, Chosen, Writing
from plumbline.commands.checklist_scoring import WORDING
from plumbline.commands.instruction_files import INSTRUCTIONS, check_checklists, read_instructions
from plumbline.commands.preview import add_config, flow_of
from plumbline.commands.spending import add_spending, agreed, check_counts, show
from plumbline.data.instances import CHECKLIST
from plumbline.records.files import write_text
from plumbline.report.best_page import best_page
from plumbline.report.cut_answers import cut_answers
from plumbline.report.terminal import plain


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    best = subparsers.add_parser("best", help="the best of several answers of a model to each instruction")
    best.add_argument("--instructions", type=Path, required=True, metavar="FILE", help=f"columns {INSTRUCTIONS}")
    best.add_argument("--ignore", action="append", default=[], metavar="COLUMN", help="leave a column alone")
    best.add_argument("--model", default="", metavar="NAME", help="who writes: a file in config/model/")
    best.add_argument("--n", type=int, default=8, metavar="N", help="draw so many answers (default: %(default)s)")
    best.add_argument("--temperature", type=float, default=0.7, metavar="T", help="of the drawn (default: %(default)s)")
    best.add_argument("--wording", default=RESPONSES, metavar="NAME", help="who is asked how (default: %(default)s)")
    best.add_argument("--longest", type=int, metavar="TOKENS", help="of an answer (default: as in the wording)")
    best.add_argument("--by", choices=list(SCORERS), default="tick", help="what chooses (default: %(default)s)")
    best.add_argument("--by-model", default="", metavar="NAME", help="another judge (default: the writer itself)")
    best.add_argument("--by-wording", default="", metavar="NAME", help=f"of the judge (default: {WORDING})")
    best.add_argument("--by-longest", type=int, metavar="TOKENS", help="of what the judge writes")
    best.add_argument("--no-reasoning", action="store_true", help="judge with one word, without an analysis")
    best.add_argument("--out", type=Path, default=Path("best"), metavar="FOLDER", help="default: %(default)s")
    best.add_argument("--json", action="store_true", help="print summary.json in place of text")
    add_spending(best)
    add_config(best)
    best.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    check_counts(arguments, "n", "longest", "by_longest")
    instances = read_instructions(arguments.instructions, arguments.ignore)
    check_checklists(instances, arguments.instructions)
    writing = Writing(arguments.n, arguments.temperature, arguments.wording, arguments.longest)
    scoring = Scoring(
        arguments.by, arguments.by_model, arguments.by_wording, not arguments.no_reasoning, arguments.by_longest
    )
    given = CHECKLIST in instances[0].context
    best = BestOfN.of(flow_of(arguments), arguments.model, writing, scoring, given)
    foreseen = best.foresee(instances)
    show(foreseen, sys.stderr if arguments.json else sys.stdout)
    if arguments.preview or not agreed(foreseen, arguments.yes):
        return 0
    arguments.out.mkdir(parents=True, exist_ok=True)
    report(best, best.ask(instances, arguments.out), arguments)
    return 0


def report(best: BestOfN, chosen: Chosen, arguments: argparse.Namespace) -> None:
    """Write the answers, the page and the summary, and print it."""
    out: Path = arguments.out
    summary, writing, scoring = chosen.summary, cut_answers(chosen.written), cut_answers(chosen.scored)
    judge = "itself" if best.is_self_judged else best.judge.label
    by = arguments.by if best.scorer.model else f"{arguments.by} of {judge}"
    title = f"Best of {arguments.n} answers of {best.writer.label}, chosen by {by}"
    lines = [
        *summary.lines(),
        *(line for one in writing for line in one.lines("--longest")),
        *(line for one in scoring for line in one.lines("--by-longest")),
    ]
    write_lines(out / "best.jsonl", (choice.row for choice in summary.choices))
    write_lines(out / "responses.jsonl", (row for choice in summary.choices for row in choice.responses()))
    write_text(out / "index.html", best_page(title, summary, lines))
    data = {
        **asked_how(best, arguments),
        **summary.data(),
        "cut": [asdict(one) for one in (*writing, *scoring)],
        **{
            name: sum(getattr(tally, name) for tally in chosen.tallies)
            for name in ("asked", "reused", "prompt_tokens", "completion_tokens")
        },
    }
    written = json.dumps(data, ensure_ascii=True, indent=1)
    write_text(out / "summary.json", written + "\n")
    if arguments.json:
        print(written)
        return
    print(f"\n{plain(title)}: {data['chosen']:,} of {data['instructions']:,} instructions\n")
    for name, mean in summary.means().items():
        print(f"{name:8}mean score {mean:.3f}")
    print("\n".join(["", *map(plain, lines)]))
    print(f"To ask another judge: {plain(other_judge(arguments))}")
    tokens = f"{data['prompt_tokens']:,} prompt and {data['completion_tokens']:,} answer tokens"
    print(
        f"asked {data['asked']:,} ({tokens}), reused {data['reused']:,}; "
        f"see {out / 'index.html'} and {out / 'best.jsonl'}"
    )


def asked_how(best: BestOfN, arguments: argparse.Namespace) -> dict[str, Any]:
    """Who was asked, and how."""
    return {
        "model": best.writer.model,
        "n": arguments.n,
        "temperature": arguments.temperature,
        "wording": arguments.wording,
        "longest": arguments.longest,
        "by": arguments.by,
        "by_model": best.judge.model,
        "self_judged": best.is_self_judged,
    }


def other_judge(arguments: argparse.Namespace) -> str:
    """The command that asks another judge about the best and the greedy answers."""
    ignored = [word for name in arguments.ignore for word in ("--ignore", name)]
    words = ["--instructions", str(arguments.instructions), "--responses", str(arguments.out / "responses.jsonl")]
    return shlex.join(["plumbline", "tick", *words, *ignored, "--model", "ANOTHER"])


def write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    write_text(path, "".join(json.dumps(row, ensure_ascii=True) + "\n" for row in rows))
