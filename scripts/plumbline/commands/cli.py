"""`plumbline`: questions about results that Snakemake does not answer."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from plumbline.commands import cost, explain, preview, schema, status, tick, verify
from plumbline.commands import review as review_command
from plumbline.records.errors import PlumblineError


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="plumbline", description=__doc__, allow_abbrev=False)
    subparsers = top.add_subparsers(required=True, metavar="COMMAND")
    for command in (explain, verify, status, preview, cost, tick, review_command, schema):
        command.add(subparsers)
    return top


def main(words: Sequence[str] | None = None) -> int:
    arguments = parser().parse_args(words)
    try:
        code: int = arguments.run(arguments)
        sys.stdout.flush()
        return code
    except PlumblineError as error:
        print(f"plumbline: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader of a pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


if __name__ == "__main__":
    sys.exit(main())
