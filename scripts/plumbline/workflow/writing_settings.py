"""What models are asked to write, as derived benchmarks need it, and whether that holds together."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from plumbline.asking.prompts import template_for
from plumbline.asking.protocols import StepName
from plumbline.asking.steps import options_of, program_of, prompts_of, settings_of
from plumbline.config.benchmark import DerivedBenchmark, Question, ReadBenchmark
from plumbline.config.typed import known
from plumbline.config.whole import Config
from plumbline.records.errors import PlumblineError
from plumbline.writing.settings import uses_of

Asked = dict[str, dict[str, dict[str, Any]]]
"""By benchmark and model what an ask job asks, by the name it is filed under, each with what decides it."""


def derived_benchmarks(config: Config) -> dict[str, DerivedBenchmark]:
    return {name: one for name, one in config.benchmark.items() if isinstance(one, DerivedBenchmark)}


def with_subsets(config: Config) -> Config:
    """With the subsets of the other benchmark in each derived one that names none."""

    def subsets(name: str, below: tuple[str, ...] = ()) -> dict[str, str]:
        benchmark = config.benchmark[name]
        if not isinstance(benchmark, DerivedBenchmark) or benchmark.subsets:
            return benchmark.subsets
        where = f"benchmark.{name}.of"
        known(benchmark.of, config.benchmark, where)
        if benchmark.of in (name, *below):
            raise PlumblineError("a benchmark is derived from itself", where=where, found=benchmark.of)
        return subsets(benchmark.of, (name, *below))

    found = {name: replace(benchmark, subsets=subsets(name)) for name, benchmark in config.benchmark.items()}
    return replace(config, benchmark=found)


def writing(config: Config) -> Asked:
    """All that the declared derived benchmarks need: so each can be built by its name, whatever the experiment."""
    found: dict[str, dict[str, set[str]]] = {}
    for benchmark in derived_benchmarks(config).values():
        for use in uses_of(config, benchmark):
            found.setdefault(benchmark.of, {}).setdefault(use.model, set()).add(use.step)
    return {
        name: {model: {step: settings_of(config, step) for step in sorted(steps)} for model, steps in models.items()}
        for name, models in found.items()
    }


def deriving(config: Config) -> dict[str, dict[str, Any]]:
    """What decides each derived benchmark besides its files."""
    return {
        name: {
            "uses": [asdict(use) for use in uses_of(config, benchmark)],
            "subsets": list(benchmark.subsets),
            "paired_with": benchmark.paired_with,
            "examples": asdict(benchmark.examples),
        }
        for name, benchmark in derived_benchmarks(config).items()
    }


def check(config: Config) -> None:
    """Every name in steps and derived benchmarks is known, and each wording has the prompts that its steps need."""
    for name, step in config.step.items():
        program_of(config, name)
        if (step.samples > 1) != bool(step.temperature):
            raise PlumblineError(
                "several samples and a temperature go together: at temperature 0 all samples are the same text",
                where=f"step.{name}",
                found=f"samples {step.samples}, temperature {step.temperature:g}",
            )
    for name, benchmark in derived_benchmarks(config).items():
        _check_derived(config, benchmark, f"benchmark.{name}")


def _check_derived(config: Config, benchmark: DerivedBenchmark, where: str) -> None:
    known(benchmark.of, config.benchmark, f"{where}.of")
    for subset in benchmark.subsets:
        known(subset, config.benchmark[benchmark.of].subsets, f"{where}.subsets")
    if not (benchmark.written or benchmark.paired_with or benchmark.examples.count):
        raise PlumblineError("a derived benchmark takes no text", where=f"{where}.written")
    if benchmark.examples.count:
        known(benchmark.examples.question, rated_questions(config, benchmark.of), f"{where}.examples.question")
    for name, text in benchmark.written.items():
        place = f"{where}.written.{name}"
        known(text.model, config.model, f"{place}.model")
        check_step(config, text.step or name, f"{place}.step")
        samples = options_of(config, text.step or name).samples
        if text.sample >= samples:
            expected = f"below {samples}"
            raise PlumblineError("there is no such sample", where=f"{place}.sample", expected=expected)


def rated_questions(config: Config, name: str) -> dict[str, Question]:
    """The questions that people answer with a number, of a benchmark or of what it is derived from."""
    benchmark = config.benchmark[name]
    if isinstance(benchmark, DerivedBenchmark):
        return rated_questions(config, benchmark.of)
    questions = benchmark.questions if isinstance(benchmark, ReadBenchmark) else {}
    return {name: question for name, question in questions.items() if not question.words}


def check_step(config: Config, name: str, where: str) -> None:
    """The step is known, and its wording has its prompts."""
    parsed = StepName.parse(name)
    known(parsed.wording, config.prompts, where)
    for prompt in prompts_of(config, name):
        template = template_for(parsed.wording, config.prompts[parsed.wording], prompt, "", rules=False)
        if template.bias:
            raise PlumblineError(
                "only what judges are asked has a bias, and this prompt is for a text",
                where=f"prompts.{parsed.wording}.templates.{prompt}.bias",
            )
