"""What `rules/export.smk` asks: what the cards of sets and labelled benchmarks that are published state."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from plumbline.config.benchmark import DerivedBenchmark, Question
from plumbline.config.plain import without_defaults
from plumbline.config.typed import Sections
from plumbline.config.whole import Config
from plumbline.derive.derivation import needs_of
from plumbline.records.manifest import Setting
from plumbline.workflow.composing.resolved import Resolved
from plumbline.workflow.composing.waiting import sources_of_benchmark, sources_of_set
from plumbline.workflow.constraints import one_of
from plumbline.workflow.context import Groups, RuleModule, Wildcards
from plumbline.workflow.sets import Sets


class Export(RuleModule):
    def card(self, wildcards: Wildcards) -> Setting:
        return Sets(self.run).setting("card")(wildcards)

    @property
    def benchmarks(self) -> str:
        """A wildcard's constraint: the benchmarks that are declared."""
        return one_of(self.run.config.benchmark)


def card(config: Config, name: str) -> dict[str, Any]:
    """Title, licences and citations of what a set is made of; what is only computed is this project's own."""
    return {"title": config.construct[name].title, **_material(sources_of_set(name, config), config)}


def labelled(resolved: Resolved, name: str) -> dict[str, Any]:
    """The same of a benchmark; and what people were asked there, and which models wrote what of it."""
    config = resolved.config
    title = config.benchmark[name].title or name
    return {
        "card": {"title": title, **_material(sources_of_benchmark(name, config), config)},
        "declared": without_defaults({"questions": _questions(resolved, name), "written": _written(resolved, name)}),
    }


def _material(names: Iterable[str], config: Config) -> dict[str, list[str]]:
    sources = [config.source[name] for name in names if name]
    return {
        "licences": list(dict.fromkeys(source.licence for source in sources)) or ["Apache-2.0"],
        "citations": list(dict.fromkeys(source.citation for source in sources)),
    }


def _questions(resolved: Resolved, name: str) -> dict[str, Question]:
    """Labels are carried along, so that a benchmark may have those to the questions of what it is made of."""
    benchmark = resolved.nodes[name]
    above = [_questions(resolved, parent) for parent in benchmark.parents]
    return {question: asked for one in [*above, benchmark.questions] for question, asked in one.items()}


def _written(resolved: Resolved, name: str) -> list[str]:
    """Sentences: what each model wrote, of this benchmark and of what it is made of."""
    benchmark = resolved.nodes[name]
    sentences = [sentence for parent in benchmark.parents for sentence in _written(resolved, parent)]
    if isinstance(benchmark, DerivedBenchmark):
        for text, need in needs_of(benchmark).texts.items():
            sentences.append(f"{resolved.config.model[need.model].label} wrote {text} (asked as {need.step}).")
    return list(dict.fromkeys(sentences))


SETTINGS: Groups = {
    "card": lambda resolved: {name: card(resolved.config, name) for name in resolved.config.construct},
    "labelled": lambda resolved: Sections(
        {name: partial(labelled, resolved, name) for name in resolved.config.benchmark}
    ),
}
