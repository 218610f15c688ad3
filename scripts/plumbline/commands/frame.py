"""`plumbline frame`: for whoever edits Plumbline's own code: which files of the frame changed, and what that means."""

from __future__ import annotations

import argparse

from plumbline.records.frame import FILE, declare, declared, files

HELP = "for who edits Plumbline itself: which files around the code that decides results changed, and what that means"


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("frame", help=HELP)
    meaning = parser.add_mutually_exclusive_group()
    meaning.add_argument("--harmless", metavar="WHY", help="no result comes out otherwise, for this reason")
    meaning.add_argument(
        "--new-version", action="store_true", help="results may come out otherwise: all that rests on it is made again"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    before, now = declared(), files()
    changed = before.undeclared(now)
    if not changed:
        print(f"The frame is as {FILE.name} declares it.")
        return 0
    print("\n".join(changed))
    if arguments.new_version:
        after = before.with_new_versions(now)
        declare(after)
        raised = sorted(after.versions.items() - before.versions.items())
        print(f"New versions: {', '.join(f'{package} {version}' for package, version in raised)}.")
    elif arguments.harmless:
        declare(before.with_harmless(now, arguments.harmless))
        print("Declared harmless.")
    else:
        print("Not declared yet. May results come out otherwise? --new-version; if not: --harmless WHY.")
        return 1
    return 0
