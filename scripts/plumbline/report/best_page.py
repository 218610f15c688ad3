"""The page of the best answers: each with why it won, beside the runner-up and the greedy one."""

from __future__ import annotations

from collections.abc import Sequence

from plumbline.measuring.formats import page
from plumbline.report.best_of_n import BestSummary, Candidate, Choice
from plumbline.report.ticked import STYLE, escaped

MARKS = {"yes": "yes", "no": "no", "none": "no answer"}


def best_page(title: str, summary: BestSummary, lines: Sequence[str]) -> str:
    """A page that needs nothing else; all that models and files say is escaped."""
    means = "".join(f"<tr><th>{name}</th><td>{mean:.3f}</td></tr>" for name, mean in summary.means().items())
    scores = (
        f"<table><thead><tr><th></th><th>mean score</th></tr></thead><tbody>{means}</tbody></table>" if means else ""
    )
    parts = [STYLE, f"<h1>{escaped(title)}</h1>", scores, *(f"<p>{escaped(line)}</p>" for line in lines)]
    return page(title, "".join([*parts, *map(section, summary.choices)]))


def section(choice: Choice) -> str:
    beside = {"best": choice.best, "runner-up": choice.runner_up, "greedy": choice.greedy}
    there = {name: one for name, one in beside.items() if one}
    shown = "".join(answer(name, one) for name, one in there.items())
    return (
        f"<h2>{escaped(choice.instance)}</h2><pre>{escaped(choice.instruction)}</pre>"
        f"<p>{escaped(why(choice))}</p>{questions(there)}{shown}"
    )


def why(choice: Choice) -> str:
    """Why the best answer won, in words."""
    of = f"{choice.distinct} different of {len(choice.drawn)} drawn answers"
    tied = f"; {choice.tied} share the best score" if choice.tied > 1 else ""
    if not choice.runner_up:
        return f"Score {number(choice.best.score)}; {of}{tied}; no other score to compare with."
    gained = f" It passes what that fails: {' '.join(choice.gained)}" if choice.gained else ""
    scores = f"Score {number(choice.best.score)}, the next best {number(choice.runner_up.score)}"
    return f"{scores}; {of}{tied}.{gained}"


def questions(candidates: dict[str, Candidate]) -> str:
    """The checklist, with each answer's; nothing where there is none."""
    asked = dict.fromkeys(
        question for one in candidates.values() for question in (*one.passed, *one.failed, *one.unanswered)
    )
    if not asked:
        return ""
    heads = "".join(f"<th>{name}</th>" for name in candidates)
    rows = "".join(
        f"<tr><th>{escaped(question)}</th>{''.join(cell(one, question) for one in candidates.values())}</tr>"
        for question in asked
    )
    table = f"<table><thead><tr><th>question</th>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    return f'<div class="wide" tabindex="0">{table}</div>'


def cell(one: Candidate, question: str) -> str:
    kind = "yes" if question in one.passed else "no" if question in one.failed else "none"
    return f'<td class="{kind}">{MARKS[kind]}</td>'


def answer(name: str, one: Candidate) -> str:
    said = (
        f"<details><summary>what the scorer said</summary><pre>{escaped(one.said)}</pre></details>" if one.said else ""
    )
    opened = " open" if name == "best" else ""
    heading = f"{name}: score {number(one.score)}"
    return f"<details{opened}><summary>{heading}</summary><pre>{escaped(one.response)}</pre></details>{said}"


def number(score: float | None) -> str:
    return "none" if score is None else f"{score:.3f}"
