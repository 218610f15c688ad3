"""Tables for people: the cells of one table as CSV, Markdown, LaTeX and HTML."""

from __future__ import annotations

import csv
import html
import io
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from plumbline.cells import READINGS
from plumbline.declarations import Table
from plumbline.parquet import Row

MARKS = {"exact": "", "within": "~", "differs": "≠", "waiting": "…", "unprinted": ""}
LEGEND = "no mark: equal to the printed number; ~ printed number inside our interval; ≠ outside it; … waiting"
TITLES = {
    "acc": "Acc.",
    "agr": "Agr.",
    "dif": "Dif.",
    "hedge": "Hedge",
    "kappa": "Kappa",
    "unparsed": "No verdict",
    "count": "n",
}


@dataclass(frozen=True)
class Grid:
    """Cells of one reading in rows and columns."""

    heads: list[tuple[str, str]]
    lines: dict[str, list[Row]]

    @classmethod
    def of(cls, cells: Sequence[Row], reading: str) -> Grid:
        heads: dict[tuple[str, str], None] = {}
        lines: dict[str, list[Row]] = {}
        for cell in cells:
            if cell["reading"] == reading:
                heads.setdefault((cell["column"], cell["metric"]))
                lines.setdefault(cell["row"], []).append(cell)
        return cls(list(heads), lines)


def figure(value: float | None, table: Table, metric: str) -> str:
    """A number as the paper would print it."""
    if value is None:
        return ""
    return f"{value:.{3 if metric == 'kappa' else table.digits}f}"


def notes(table: Table, cells: Sequence[Row]) -> list[str]:
    """Sentences under a table: what guessing scores, what is missing, and the tally of cells."""
    lines = [f"Guessing would score {table.chance}."] if table.chance is not None else []
    published = [cell for cell in cells if cell["reading"] == "as_published"]
    tally = Counter(cell["status"] for cell in published)
    lines.append("Cells: " + ", ".join(f"{count} {status}" for status, count in sorted(tally.items())) + ".")
    if tally["waiting"]:
        lines.append(f"Of the waiting cells, {len(without_program(published))} have no program here yet.")
    if any(cell["paper"] is not None for cell in cells):
        lines.append(LEGEND[0].upper() + LEGEND[1:] + ".")
    return [*lines, *hanging(published), *table.notes]


def hanging(cells: Sequence[Row]) -> list[str]:
    """Which cells hold verdicts that another machine's arithmetic may turn, and how many."""
    close = {f"{cell['row']} {cell['column']}": cell["close"] for cell in cells if cell["close"]}
    counts = ", ".join(f"{place} {count}" for place, count in close.items())
    return [f"Verdicts that hang on less than the arithmetic's noise: {counts}."] if close else []


def without_program(cells: Sequence[Row]) -> list[Row]:
    """The waiting cells that weights, data or a key alone would not fill."""
    return [cell for cell in cells if cell["status"] == "waiting" and "program" in cell["waits_for"]]


def explained(cells: Sequence[Row]) -> list[tuple[str, str]]:
    """Reasons, each once, with the cells they are about; what a row waits for is about the whole row."""
    reasons: dict[str, list[str]] = {}
    for cell in cells:
        if cell["reason"]:
            place = cell["row"] if cell["waits_for"] else f"{cell['row']} {cell['column']}.{cell['metric']}"
            reasons.setdefault(cell["reason"], []).append(place)
    return [("; ".join(dict.fromkeys(places)), reason) for reason, places in reasons.items()]


def to_csv(table: Table, cells: Sequence[Row]) -> str:
    """Three lines a row: as published, strict, and the paper's own numbers."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    grids = {reading: Grid.of(cells, reading) for reading in READINGS}
    published = grids["as_published"]
    writer.writerow(["row", "reading", *(f"{column}.{metric}" for column, metric in published.heads)])
    for name in published.lines:
        for reading, grid in grids.items():
            writer.writerow([name, reading, *(figure(c["value"], table, c["metric"]) for c in grid.lines[name])])
        printed = [figure(c["paper"], table, c["metric"]) for c in published.lines[name]]
        if any(printed):
            writer.writerow([name, "paper", *printed])
    return out.getvalue()


def to_markdown(table: Table, cells: Sequence[Row]) -> str:
    lines = [f"# {_md(table.title)}", "", f"{_md(table.source)}. As published:", ""]
    lines += _pipes(table, Grid.of(cells, "as_published"))
    lines += ["", "Strict:", "", *_pipes(table, Grid.of(cells, "strict")), ""]
    lines += [f"- {_md(note)}" for note in notes(table, cells)]
    reasons = explained(cells)
    if reasons:
        lines += ["", "Reasons:", ""]
        lines += [f"- {_md(places)}: {_md(reason)}" for places, reason in reasons]
    return "\n".join(lines) + "\n"


def _pipes(table: Table, grid: Grid) -> list[str]:
    heads = [_md(f"{column} {TITLES[metric]}") for column, metric in grid.heads]
    lines = ["| | " + " | ".join(heads) + " |", "|---|" + "---:|" * len(heads)]
    for name, row in grid.lines.items():
        lines.append(f"| {_md(name)} | " + " | ".join(_marked(table, cell) for cell in row) + " |")
    return lines


def _marked(table: Table, cell: Row) -> str:
    return figure(cell["value"], table, cell["metric"]) + MARKS[cell["status"]]


def _md(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    return "".join(f"\\{letter}" if letter in r"\`*_{}[]<>#|!~" else letter for letter in one_line(text))


def one_line(text: str) -> str:
    return " ".join(text.split())


def to_latex(table: Table, cells: Sequence[Row]) -> str:
    grid = Grid.of(cells, "as_published")
    heads = " & ".join(_tex(f"{column} {TITLES[metric]}") for column, metric in grid.heads)
    lines = [
        r"\begin{table}",
        rf"\caption{{{_tex(table.title)} ({_tex(table.source)}).}}",
        r"\begin{tabular}{l" + "r" * len(grid.heads) + "}",
        r"\hline",
        f" & {heads} \\\\",
        r"\hline",
    ]
    for name, row in grid.lines.items():
        lines.append(f"{_tex(name)} & " + " & ".join(_tex(_marked(table, cell)) for cell in row) + r" \\")
    return "\n".join([*lines, r"\hline", r"\end{tabular}", r"\end{table}"]) + "\n"


TEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "≠": r"$\neq$",
    "…": r"\dots{}",
    "²": r"$^2$",
    "[": "{[}",  # at the start of a line it would be an option of the line break before
} | {letter: f"\\{letter}" for letter in "&%$#_{}"}


def _tex(text: str) -> str:
    return "".join(TEX.get(letter, letter) for letter in one_line(text))


STYLE = """
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;color:#1b1f24;background:#fff}
table{border-collapse:collapse;margin:1rem 0;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .6rem;border-bottom:1px solid #d0d7de;text-align:right}th:first-child{text-align:left}
.within{background:#fff8c5}.differs{background:#ffebe9}.waiting{color:#6e7781}
small{color:#57606a}
"""


def to_html(table: Table, cells: Sequence[Row]) -> str:
    """A page that needs nothing else; pointing at a number shows its interval, the printed one and the reason."""
    text = html.escape
    parts = [f"<h1>{text(table.title)}</h1><p>{text(table.source)}</p>"]
    for reading in READINGS:
        parts.append(f"<h2>{reading.replace('_', ' ')}</h2>{_html_table(table, Grid.of(cells, reading))}")
    parts.append("<ul>" + "".join(f"<li>{text(note)}</li>" for note in notes(table, cells)) + "</ul>")
    reasons = explained(cells)
    if reasons:
        items = "".join(f"<li>{text(places)}: {text(reason)}</li>" for places, reason in reasons)
        parts.append(f"<h2>Reasons</h2><ul>{items}</ul>")
    return page(table.title, "".join(parts))


def page(title: str, body: str) -> str:
    head = f'<meta charset="utf-8"><title>{html.escape(title)}</title><style>{STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def _html_table(table: Table, grid: Grid) -> str:
    heads = "".join(f"<th>{html.escape(column)}<br><small>{TITLES[m]}</small></th>" for column, m in grid.heads)
    rows = "".join(
        f"<tr><th>{html.escape(name)}</th>{''.join(_html_cell(table, cell) for cell in row)}</tr>"
        for name, row in grid.lines.items()
    )
    return f"<table><thead><tr><th></th>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _html_cell(table: Table, cell: Row) -> str:
    said = [f"status: {cell['status']}", f"n: {cell['n']}"]
    if cell["value"] is not None:
        said.append(f"value: {cell['value']:.4f}, interval: {cell['low']:.2f} to {cell['high']:.2f}")
    if cell["paper"] is not None:
        said.append(f"printed: {figure(cell['paper'], table, cell['metric'])}")
    if cell["reason"]:
        said.append(cell["reason"])
    tip = html.escape("\n".join(said), quote=True)
    return f'<td class="{cell["status"]}" title="{tip}">{html.escape(_marked(table, cell))}</td>'


WRITERS: dict[str, Callable[[Table, Sequence[Row]], str]] = {
    "csv": to_csv,
    "md": to_markdown,
    "tex": to_latex,
    "html": to_html,
}
