"""Rows of instances in any format, and what several people say of them: what others publish so, under the name of their
file, and our own format, for data that nobody publishes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from plumbline.config.source import Source
from plumbline.data.instances import CATEGORIES, CHECKLIST, DOCUMENT
from plumbline.data.loaders.rows import Options
from plumbline.data.planted import MOST, needs, question
from plumbline.workflow.rehearsing.layout import Files, Layout, json_list, jsonl, parquet
from plumbline.workflow.rehearsing.plan import Plan

QUESTIONS = 3
"""How many a checklist has."""


@dataclass(frozen=True)
class MadeUp:
    """A row, and what is true of it."""

    row: Mapping[str, Any]
    worths: list[int]
    needs: Mapping[str, int]
    """Of each question of its checklist, what it needs."""


def layout_of(source: Source) -> Layout:
    """Of a file that others publish its own name and format."""
    return Layout(PUBLISHED, partial(make, file=source.mirror)) if source.url and source.mirror else LAYOUT


def make(plan: Plan, file: str = "rows.jsonl") -> Files:
    written = {"parquet": parquet, "json": json_list}.get(file.rpartition(".")[2], jsonl)
    return {file: written(made.row for made in _made_up(plan))}


def make_labels(plan: Plan) -> Files:
    """What several people say of each output of the same rows, and of each question of a checklist."""
    rows, by_question = [], defaultdict(list)
    for number, made in enumerate(_made_up(plan), start=1):
        for rater in plan.raters():
            for about, worth in enumerate(made.worths, start=1):
                for name, answer in _said(plan, made, worth):
                    kind = CHECKLIST if name in made.needs else name
                    rows.append(({"instance": number, "about": about, "question": name, "rater": rater}, kind))
                    by_question[kind].append(answer)
    dealt = {kind: iter(plan.dealt(answers)) for kind, answers in by_question.items()}
    return {"labels.jsonl": jsonl({**row, **next(dealt[kind])} for row, kind in rows)}


def _said(plan: Plan, made: MadeUp, worth: int) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, asked in plan.benchmark.questions.items():
        if name == CHECKLIST:
            yield from ((text, {"word": plan.answered(worth, need)}) for text, need in made.needs.items())
        else:
            yield name, plan.rated(asked, worth)


def _made_up(plan: Plan) -> Iterator[MadeUp]:
    """The same each time, whatever else is drawn by the plan."""
    own, options = replace(plan), plan.benchmark
    assert isinstance(options, Options), "another loader's rows are made up in its own module"
    systems = own.systems(max(options.outputs, 1))
    for subset in options.subsets:
        for number in range(own.size):
            worths = own.coin.sample(range(MOST), options.outputs)
            context = _context(own, options)
            asked = f"Sum up the text about the {own.words(2)}, number {number} of {subset}."
            row: dict[str, Any] = {
                **({"subset": subset} if len(options.subsets) > 1 else {}),
                **{options.context[name]: value for name, value in context.items()},
                **nested(options.instruction, asked),
            }
            for place, worth in enumerate(worths, start=1):
                row[f"output_{place}"] = own.output(worth)
                row[f"system_{place}"] = systems[(place - 1) % len(systems)]
            if options.outputs == 2 and not options.labels:
                row["better"] = 1 if worths[0] > worths[1] else 2
            yield MadeUp(row, worths, dict(_asked(context)))


def nested(path: str, text: str) -> dict[str, Any]:
    """A column with a text at a dotted path below it, for a loader that looks there."""
    value: Any = text
    column, *steps = path.split(".")
    for step in reversed(steps):
        value = [value] if step.removeprefix("-").isdigit() else {step: value}
    return {column: value}


def _context(plan: Plan, options: Options) -> dict[str, Any]:
    context: dict[str, Any] = {name: _text(plan, name) for name in options.context}
    if CHECKLIST in context:
        about = [plan.coin.choice(plan.wanted.categories or ["Content"]) for _ in range(QUESTIONS)]
        needed = [plan.coin.randrange(MOST) for _ in about]
        context[CHECKLIST] = [
            question(plan.words(2), *each) for each in zip(needed, ([one] for one in about), strict=True)
        ]
        if CATEGORIES in context:
            context[CATEGORIES] = about
    return context


def _text(plan: Plan, name: str) -> str:
    """A text of the context: one of those that tables pick instances by, or any."""
    if name == DOCUMENT:
        return plan.document()
    picked = plan.wanted.context.get(name)
    return plan.coin.choice(picked) if picked else plan.text()


def _asked(context: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    for text in context.get(CHECKLIST, ()):
        yield text, needs(text)[0]


OURS = "our own format, docs/judge_your_own/rated_answers.md and checklists.md: nobody publishes the data"
PUBLISHED = "the file of its benchmark in config/benchmark/, which names the columns that are read"
LAYOUT, LABELS = Layout(OURS, make), Layout(OURS, make_labels)
