"""Identities for people: the checks of one paper as CSV, Markdown, LaTeX and HTML."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, fields
from itertools import groupby

from plumbline.measuring.formats import markdown_text, page, tex_text
from plumbline.measuring.identity import Check

HEADS = ("printed in", "printed", "follows", "holds", "what was tried")
NOTE = (
    "Each printed number is held against what follows for it from other printed numbers. It holds if both are equal at "
    "the printed precision; where what it follows from is rounded, that rounding may shift it too."
)


def to_csv(paper: str, checks: Sequence[Check]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([field.name for field in fields(Check)])
    writer.writerows(astuple(check) for check in checks)
    return out.getvalue()


def to_markdown(paper: str, checks: Sequence[Check]) -> str:
    lines = [f"# {markdown_text(title(paper))}", "", f"{tally(checks)} {markdown_text(NOTE)}"]
    for name, group in by_identity(checks):
        lines += ["", f"## {markdown_text(name)}", "", tally(group), ""]
        lines += ["| " + " | ".join(HEADS) + " |", "|---|---:|---:|---|---|"]
        lines += ["| " + " | ".join(map(markdown_text, shown(check))) + " |" for check in group]
    return "\n".join(lines) + "\n"


def to_latex(paper: str, checks: Sequence[Check]) -> str:
    lines = []
    for name, group in by_identity(checks):
        lines += [r"\begin{table}", rf"\caption{{{tex_text(f'{title(paper)}: {name}. {tally(group)}')}}}"]
        lines += [r"\begin{tabular}{lrrlp{6cm}}", r"\hline", " & ".join(map(tex_text, HEADS)) + r" \\", r"\hline"]
        lines += [" & ".join(map(tex_text, shown(check))) + r" \\" for check in group]
        lines += [r"\hline", r"\end{tabular}", r"\end{table}"]
    return "\n".join(lines) + "\n"


def to_html(paper: str, checks: Sequence[Check]) -> str:
    parts = [f"<h1>{html.escape(title(paper))}</h1><p>{tally(checks)} {html.escape(NOTE)}</p>"]
    heads = "".join(f"<th>{word}</th>" for word in HEADS)
    for name, group in by_identity(checks):
        rows = "".join(_html_row(check) for check in group)
        parts.append(f"<h2>{html.escape(name)}</h2><p>{tally(group)}</p>")
        parts.append(f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>")
    return page(title(paper), "".join(parts))


def _html_row(check: Check) -> str:
    place, *others = map(html.escape, shown(check))
    kind = "exact" if check.holds else "differs"
    return f'<tr class="{kind}"><th>{place}</th>' + "".join(f"<td>{text}</td>" for text in others) + "</tr>"


def title(paper: str) -> str:
    return f"Identities of {paper}'s printed tables"


def tally(checks: Sequence[Check]) -> str:
    """How many hold, in a sentence."""
    held = sum(check.holds for check in checks)
    return f"All {held} hold." if held == len(checks) else f"{held} of {len(checks)} hold."


def by_identity(checks: Sequence[Check]) -> Iterator[tuple[str, list[Check]]]:
    for name, group in groupby(checks, lambda check: check.identity):
        yield name, list(group)


def shown(check: Check) -> tuple[str, str, str, str, str]:
    """A check as it stands in a line."""
    printed = check.printed_word if check.printed is None else f"{check.printed:.{check.digits}f}"
    derived = check.derived_word if check.derived is None else f"{check.derived:.{check.digits + 2}f}"
    return check.place, printed, derived, "yes" if check.holds else "no", check.tried


WRITERS: dict[str, Callable[[str, Sequence[Check]], str]] = {
    "csv": to_csv,
    "md": to_markdown,
    "tex": to_latex,
    "html": to_html,
}
