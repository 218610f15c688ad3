"""`plumbline cost`: what the answers behind each table cost, from the tokens that their servers counted."""

from __future__ import annotations

import argparse

from plumbline.commands.preview import add_config, flow_of
from plumbline.workflow.preview.cost import bills, spent, table_of


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("cost", help="what the answers behind each table cost")
    add_config(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    flow = flow_of(arguments)
    print(table_of(bills(flow, spent(flow), paid=True), stored="answered"))
    print("\nEach answer counts once, in whichever run it was asked for.")
    return 0
