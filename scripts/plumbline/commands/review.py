"""`plumbline review` serves the review page; `plumbline agreement` tells how far its second pass agrees."""

from __future__ import annotations

import argparse
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from plumbline.derive.review import read_decisions
from plumbline.people.agreement import agreement, assign, uninvolved
from plumbline.people.desk import Desk, Queued, assigned, read_queue
from plumbline.people.journal import Journal
from plumbline.people.review_server import ReviewServer
from plumbline.records.errors import PlumblineError

SAMPLE = 80
"""Pairs of the paper's second pass (LLMBar, section 4.2)."""


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
    second = review.add_argument_group("second pass, blind to the labels")
    second.add_argument("--blind", action="store_true", help="choose the better output of the pairs assigned to you")
    second.add_argument("--among", default="", metavar="NAME,NAME,…", help="names of all reviewers of the second pass")
    second.add_argument(
        "--first-pass", type=Path, nargs="*", default=[], metavar="FILE", help="decisions files of the first pass"
    )
    second.add_argument("--sample", type=int, default=SAMPLE, help="how many pairs are drawn (default: %(default)s)")
    second.add_argument("--each", type=int, default=2, help="how many reviewers get each pair (default: %(default)s)")
    second.add_argument("--seed", type=int, default=0, help="seed of the draw; must be the same for all reviewers")
    review.set_defaults(run=run)
    agree = subparsers.add_parser("agreement", help="how far the reviewers of the second pass agree")
    agree.add_argument("queue", type=Path, metavar="INSTANCES.parquet", help="the same pairs")
    agree.add_argument("decisions", type=Path, nargs="+", metavar="FILE", help="the reviewers' decisions files")
    agree.set_defaults(run=run_agreement)


def run(arguments: argparse.Namespace, ready: Callable[[ReviewServer], None] = lambda server: None) -> int:
    """Serve until interrupted. Everything decided is on disk by then."""
    queue = read_queue(arguments.queue)
    if arguments.blind:
        queue = second_pass(queue, arguments)
    with Journal(arguments.decisions, arguments.reviewer) as journal:
        desk = Desk(queue, journal, arguments.blind, arguments.seed)
        with ReviewServer(desk, arguments.port) as server:
            print(
                f"{len(queue)} pairs to review at\n  {server.url}\nDecisions go to {arguments.decisions}; Ctrl-C ends."
            )
            ready(server)
            if arguments.open:
                webbrowser.open(server.url)
            with suppress(KeyboardInterrupt):
                server.serve_forever()
        counts = ", ".join(f"{count} {state}" for state, count in sorted(desk.overview()["counts"].items()))
    print(f"\n{counts}")
    return 0


def second_pass(queue: list[Queued], arguments: argparse.Namespace) -> list[Queued]:
    """The part of the sample that is this reviewer's."""
    names = [name.strip() for name in arguments.among.split(",") if name.strip()]
    reviewers = uninvolved(names, read_decisions(arguments.first_pass))
    if arguments.reviewer not in reviewers:
        raise PlumblineError(
            f"{arguments.reviewer!r} has no part in the second pass",
            expected=", ".join(reviewers) or "--among with the names of all its reviewers",
            do="name all reviewers in --among; who decided in the first pass knows the labels and is left out",
        )
    shares = assign([queued.pair.id for queued in queue], reviewers, arguments.sample, arguments.each, arguments.seed)
    return assigned(queue, [item for item, names in shares.items() if arguments.reviewer in names])


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
