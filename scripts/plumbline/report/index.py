"""The report: one page from which a reader reaches every table and figure of an experiment."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Mapping, Sequence

from plumbline.config.tables import Table
from plumbline.measuring.cells import STATUSES, Cell
from plumbline.measuring.formats import page
from plumbline.measuring.identity import IDENTITIES, Check
from plumbline.measuring.identity_tables import tally


def report(
    title: str,
    tables: Mapping[tuple[str, str], Table],
    cells: Mapping[tuple[str, str], list[Cell]],
    checks: Mapping[str, list[Check]],
) -> str:
    lines = [_line(place, table, cells[place]) for place, table in tables.items()]
    figures = "".join(_figure(place, table) for place, table in tables.items() if table.figure)
    heads = "".join(f"<th>{word}</th>" for word in ("table", "what it shows", *STATUSES))
    body = (
        f"<h1>{html.escape(title)}</h1>"
        "<p>Counts of cells as published. <b>exact</b>: equal at the printed precision; <b>within</b>: the printed "
        "number lies in our interval; <b>differs</b>: outside it, with a reason; <b>waiting</b>: printed, but cannot "
        "be built yet, and names what it needs; <b>unprinted</b>: the paper printed no number; <b>undefined</b>: the "
        "measure is not defined there.</p>"
        f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(lines)}</tbody></table>{figures}{_identities(checks)}"
        "<p>Where a number comes from: <code>plumbline explain PAPER/TABLE ROW COLUMN.METRIC</code>. "
        "Whether all of it still holds: <code>plumbline verify</code>.</p>"
    )
    return page(title, body)


def _line(place: tuple[str, str], table: Table, cells: Sequence[Cell]) -> str:
    paper, name = map(html.escape, place)
    tally = Counter(cell.status for cell in cells if cell.reading == "as_published")
    counts = "".join(f'<td class="{status}">{tally[status] or ""}</td>' for status in STATUSES)
    link = f'<a href="../tables/{paper}/{name}.html">{paper}/{name}</a>'
    return f"<tr><th>{link}</th><th>{html.escape(table.title)}</th>{counts}</tr>"


def _identities(checks: Mapping[str, list[Check]]) -> str:
    """How many of the printed numbers of each paper agree with one another."""
    if not checks:
        return ""
    lines = [
        f'<li><a href="../tables/{html.escape(paper)}/{IDENTITIES}.html">{html.escape(paper)}</a>: {tally(found)}</li>'
        for paper, found in checks.items()
    ]
    return f"<h2>Identities of the printed tables</h2><ul>{''.join(lines)}</ul>"


def _figure(place: tuple[str, str], table: Table) -> str:
    paper, name = map(html.escape, place)
    return (
        f'<h2>{html.escape(table.title)}</h2><img src="../figures/{paper}/{name}.svg" alt="{html.escape(table.title)}">'
    )
