"""Answers to checklists for people: a row for each question, and a page that shows each answer and why."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from plumbline.asking.runs import Ran
from plumbline.data.instances import CHECKLIST, Instance
from plumbline.data.verdicts import MISSING, Verdict, alone
from plumbline.measuring.formats import page
from plumbline.report.visible import visible

NONE_WRITTEN = "(no checklist)"
NO_ANSWER = "(no answer)"
STYLE = """<style>
.yes{background:var(--good)}.no{background:var(--bad)}.none{background:var(--open)}
th,td{text-align:left;vertical-align:top;white-space:pre-wrap}
td:nth-child(1){width:35%}td:nth-child(2){width:9rem}
pre{white-space:pre-wrap;background:var(--quote);padding:.6rem}
table{width:100%}
@media(max-width:40rem){thead{display:none}tr,td{display:block}tr{margin:.6rem 0;padding:.3rem 0}
td:nth-child(n){width:auto;border:0}}
</style>"""


@dataclass(frozen=True, slots=True)
class Ticked:
    """One question of a checklist, answered about one response."""

    instance: str
    """What the file of instructions calls it."""
    response: int
    """Which of its responses, from 1."""
    system: str
    number: int
    """Which question, from 1; 0 where there is no checklist."""
    question: str
    answer: str
    """yes, no, or why there is neither: unparsed, truncated or refused."""
    why: str
    """All that the model wrote."""
    probability: float | None
    """Of yes rather than no, where the engine tells."""


def ticked(judged: Ran) -> Iterator[Ticked]:
    """The answers about all responses to one instruction, in order."""
    texts = {(asked.place.showing, asked.place.step): asked.completion.text for asked in judged.asked}
    by_output: dict[str, list[Verdict]] = {}
    for verdict in judged.verdicts:
        if verdict.sample == 0:
            by_output.setdefault(verdict.showing, []).append(verdict)
    for place, output in enumerate(judged.instance.outputs):
        for number, verdict in enumerate(by_output.get(alone(place), ()), start=1):
            none = verdict.question == CHECKLIST
            yield Ticked(
                instance=judged.instance.key,
                response=place + 1,
                system=output.system,
                number=0 if none else number,
                question=NONE_WRITTEN if none else verdict.question,
                answer=str(verdict.strict),
                why=texts.get(("none", CHECKLIST), "") if none else texts.get((verdict.showing, verdict.step), ""),
                probability=of_yes(verdict),
            )


def of_yes(verdict: Verdict) -> float | None:
    """The probability of yes among the two answers."""
    if not {"yes", "no"} <= verdict.logprobs.keys():
        return None
    return 1 / (1 + math.exp(verdict.logprobs["no"] - verdict.logprobs["yes"]))


def passed(answers: Iterable[Ticked]) -> tuple[int, int]:
    """How many questions are answered yes, of how many; no answer is no yes, and a response without any is left out."""
    responses: dict[tuple[str, int], list[str]] = {}
    for each in answers:
        responses.setdefault((each.instance, each.response), []).append(each.answer)
    asked = [answer for given in responses.values() if {"yes", "no"} & set(given) for answer in given]
    return asked.count("yes"), len(asked)


def share(answers: Sequence[Ticked]) -> str:
    yes, of = passed(answers)
    none = NO_ANSWER if any(each.number for each in answers) else NONE_WRITTEN
    return f"{yes} of {of} ({yes / of:.0%})" if of else none


def summary(answers: Sequence[Ticked]) -> list[str]:
    """A line for each system: the share of all questions answered yes (DRFR), and what is missing."""
    lines = []
    for system in sorted({each.system for each in answers}):
        mine = [each for each in answers if each.system == system]
        missing = sum(each.answer in MISSING and each.number > 0 for each in mine)
        none = sum(not each.number for each in mine)
        parts = [f"{share(mine)} questions pass"] if passed(mine)[1] else []
        parts += [f"{missing} without an answer"] if missing else []
        parts += [f"{none} {'response' if none == 1 else 'responses'} without a checklist"] if none else []
        lines.append(f"{system or 'responses'}: {', '.join(parts)}")
    return lines


def escaped(text: str) -> str:
    """Text that runs nothing, and shows what would turn or hide the words around it."""
    return html.escape(visible(text))


def to_page(title: str, instances: Sequence[Instance], answers: Sequence[Ticked]) -> str:
    """A page that needs nothing else; all that models and files say is escaped."""
    texts = {instance.key: instance for instance in instances}
    parts = [STYLE, f"<h1>{escaped(title)}</h1>"]
    parts += [f"<p>{escaped(line)}</p>" for line in summary(answers)]
    for name, about in groupby(answers, lambda each: each.instance):
        instance = texts[name]
        parts.append(f"<h2>{escaped(name)}</h2><pre>{escaped(instance.instruction)}</pre>")
        for number, group in groupby(about, lambda each: each.response):
            parts.append(response(instance.outputs[number - 1].text, list(group)))
    return page(title, "".join(parts))


def response(text: str, answers: Sequence[Ticked]) -> str:
    first = answers[0]
    name = f"Response {first.response}" + (f", {first.system}" if first.system else "")
    rows = "".join(row(each) for each in answers)
    heads = "<thead><tr><th>question</th><th>answer</th><th>why</th></tr></thead>"
    shown = f"<details><summary>the response</summary><pre>{escaped(text)}</pre></details>"
    return f"<h3>{escaped(name)}: {share(answers)}</h3>{shown}<table>{heads}<tbody>{rows}</tbody></table>"


def row(answer: Ticked) -> str:
    kind = answer.answer if answer.answer in ("yes", "no") else "none"
    likely = "" if answer.probability is None else f" (probability of yes {answer.probability:.2f})"
    cells = (answer.question, answer.answer + likely, answer.why)
    question, answered, why = map(escaped, cells)
    return f'<tr class="{kind}"><td>{question}</td><td>{answered}</td><td>{why}</td></tr>'
