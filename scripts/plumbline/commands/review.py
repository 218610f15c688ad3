"""`plumbline review` serves the review page; `plumbline agreement` tells how far its second pass agrees."""

from __future__ import annotations

import argparse
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from plumbline.derive.review import read_decisions
from plumbline.people.agreement import agreement
from plumbline.people.journal import DECISIONS, Journal
from plumbline.people.label_server import LabelServer, new_token
from plumbline.people.pairs_desk import PairsDesk, read_queue


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    review = subparsers.add_parser("review", help="decide on pairs in the browser: keep, edit, swap the label, discard")
    review.add_argument(
        "queue",
        type=Path,
        metavar="INSTANCES.parquet",
        help="the pairs: results/instances/SET/unreviewed.parquet",
    )
    review.add_argument(
        "--decisions", type=Path, required=True, metavar="FILE", help="the file your decisions are added to (JSONL)"
    )
    review.add_argument("--reviewer", required=True, metavar="NAME", help="your name, kept with each decision")
    review.add_argument("--port", type=int, default=0, help="port of the page (default: any free one)")
    review.add_argument("--open", action="store_true", help="open the page in the browser")
    review.set_defaults(run=run)
    agree = subparsers.add_parser("agreement", help="how far the reviewers of the second pass agree")
    agree.add_argument("queue", type=Path, metavar="INSTANCES.parquet", help="the same pairs")
    agree.add_argument("decisions", type=Path, nargs="+", metavar="FILE", help="the reviewers' decisions files")
    agree.set_defaults(run=run_agreement)


def run(arguments: argparse.Namespace, ready: Callable[[LabelServer], None] = lambda server: None) -> int:
    """Serve until interrupted. Everything decided is on disk by then."""
    queue = read_queue(arguments.queue)
    with Journal(arguments.decisions, arguments.reviewer, DECISIONS) as journal:
        desk = PairsDesk(queue, journal, arguments.queue.parent.name)
        with LabelServer({new_token(): desk}, port=arguments.port) as server:
            url = server.urls[desk.rater]
            print(f"{len(queue)} pairs to review at\n  {url}\nDecisions go to {arguments.decisions}; Ctrl-C ends.")
            ready(server)
            if arguments.open:
                webbrowser.open(url)
            with suppress(KeyboardInterrupt):
                server.serve_forever()
        counts = ", ".join(f"{count} {state}" for state, count in sorted(desk.overview()["counts"].items()))
    print(f"\n{counts}")
    return 0


def run_agreement(arguments: argparse.Namespace) -> int:
    pairs = [queued.pair for queued in read_queue(arguments.queue)]
    groups = {subset: [subset] for subset in dict.fromkeys(pair.instance.subset for pair in pairs)}
    print(f"{'subset':<20}{'pairs':>7}{'agree':>9}{'kappa':>9}{'alpha':>9}{'right':>9}")
    for row in agreement(pairs, read_decisions(arguments.decisions), groups):
        shares = [percent(row.share), decimal(row.kappa), decimal(row.alpha), percent(row.right)]
        print(f"{row.group:<20}{row.items:>7}" + "".join(f"{share:>9}" for share in shares))
    return 0


def percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"


def decimal(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
