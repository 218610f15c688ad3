"""`plumbline pin`: fetch a source, see what came, and write its digests into the register of sources."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Sequence
from pathlib import Path

from plumbline.commands.preview import add_config, flow_of
from plumbline.config.source import Source
from plumbline.config.typed import known
from plumbline.records.errors import PlumblineError
from plumbline.report.terminal import plain
from plumbline.sources.pinning import Arrival, Change, changes, fetch_as_it_is, file_name, files_in, new_pins
from plumbline.sources.register import register
from plumbline.sources.source import read_pins
from plumbline.workflow.rehearsing.shapes import differences
from plumbline.workflow.rehearsing.stand_ins import StandIns

STORE = Path(".store")
FILES_SHOWN = 20
WITH_ROWS = 3
"""Files of which rows are shown."""
WIDE = 160


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("pin", help="fetch a source, see what came, and write down its digests")
    parser.add_argument("source", metavar="SOURCE", help="a file in config/source/, by its name")
    parser.add_argument(
        *("--files",),
        nargs="+",
        default=[],
        metavar="PATTERN",
        help="which files of an archive are pinned (default: all)",
    )
    parser.add_argument(
        "--revision", default="", metavar="COMMIT", help="takes the place of the URL's branch or commit"
    )
    parser.add_argument("--look", action="store_true", help="show what came, and write nothing")
    parser.add_argument("--change", action="store_true", help="pin what came in place of what was pinned before")
    add_config(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    flow, name = flow_of(arguments), arguments.source
    known(name, flow.config.source, "plumbline pin SOURCE")
    source, folder = flow.config.source[name], flow.folder / "source"
    pins = read_pins(folder / source.pins) if source.pins else {}
    fetched = STORE / "pinning" / name
    try:
        arrival = fetch_as_it_is(name, source, flow.config.mirror, arguments.revision, fetched, arguments.files)
        show(name, source, arrival)
        show_layout(name, StandIns(flow.config), arrival)
        differing = changes(pins, arrival.files)
        if pins and not differing and arrival.source == source and not arguments.files:
            print(f"\n{name} is pinned, and what came is the same: nothing to write")
            return 0
        if differing and not (arguments.change or arguments.look):
            raise refusal(name, differing)
        if arguments.look:
            return 0
        written = register(folder, name, arrival.source, new_pins(pins, arrival.files, arguments.files))
        keep(arrival, name)
    finally:
        shutil.rmtree(fetched, ignore_errors=True)
    print(f"\npinned: see {' and '.join(map(str, written))}")
    return 0


def refusal(name: str, differing: Sequence[Change]) -> PlumblineError:
    first = differing[0]
    more = f" (and {len(differing) - 1} more)" if len(differing) > 1 else ""
    return PlumblineError(
        f"what came is not what was pinned of {name!r}; nothing was written",
        where=f"{plain(first.name)}{more}",
        expected=f"sha256 {first.pinned}",
        found=f"sha256 {first.now}" if first.now else "no such file",
        do="look at what changed; to pin what came instead, say so: --change",
    )


def keep(arrival: Arrival, name: str) -> None:
    """What was just fetched and pinned need not be fetched again."""
    if arrival.archive.is_relative_to(STORE):
        target = STORE / "downloads" / name / file_name(arrival.source.url)
        target.parent.mkdir(parents=True, exist_ok=True)
        arrival.archive.replace(target)


def show(name: str, source: Source, arrival: Arrival) -> None:
    """All that came from elsewhere is shown as one line each, whatever it holds."""
    total = sum(file.size for file in arrival.files)
    print(f"{name}: {source.title}")
    print(f"  from      {plain(arrival.origin)}")
    print(f"  revision  {plain(arrival.source.revision) or 'none'}{moving(arrival)}")
    print(f"  licence   {licence(source, arrival.licences)}")
    print(f"  files     {len(arrival.files):,}, {total:,} bytes")
    for file in arrival.files[:FILES_SHOWN]:
        print(f"    {file.sha256[:12]}…  {file.size:>13,}  {plain(file.name)}")
    if len(arrival.files) > FILES_SHOWN:
        print(f"    and {len(arrival.files) - FILES_SHOWN:,} more")
    for file in arrival.files[:WITH_ROWS]:
        print(f"\n  {plain(file.name)} begins:")
        for row in file.rows:
            print(f"    {shortened(row)}")


def show_layout(name: str, stand_ins: StandIns, arrival: Arrival) -> None:
    """Whether what came is laid out as a rehearsal makes it up, and as loaders and prompts read it."""
    if not stand_ins.has(name):
        return
    print(f"\n  layout known from {'; '.join(stand_ins.known_from(name))}")
    unlike = list(differences(stand_ins.files(name), dict(files_in(arrival.source, arrival.archive))))
    print("  what came is laid out so" if not unlike else "  what came is laid out otherwise:")
    for one in unlike:
        print(f"    {plain(one)}")


def moving(arrival: Arrival) -> str:
    if not arrival.branch:
        return ""
    return f" (the URL names the branch {arrival.branch!r}, which moves: --revision COMMIT names what was copied)"


def licence(source: Source, declared: Sequence[str]) -> str:
    """What our file says, and what the data says of itself."""
    if not declared:
        return f"{source.licence} by the source's file; none was found with the data: look for it before you publish"
    theirs = ", ".join(map(plain, declared))
    same = all(one.casefold() == source.licence.casefold() for one in declared)
    return source.licence if same else f"{source.licence} by the source's file; with the data: {theirs}"


def shortened(row: str) -> str:
    text = plain(row[: WIDE + 1])
    return text if len(row) <= WIDE else f"{text}…"
