"""What derived benchmarks take from models, from the configuration."""

from __future__ import annotations

from plumbline.asking.protocols import StepName
from plumbline.asking.steps import program_of
from plumbline.config.benchmark import DerivedBenchmark
from plumbline.config.whole import Config
from plumbline.writing.derived import Use


def uses_of(whole: Config, benchmark: DerivedBenchmark) -> list[Use]:
    """What a derived benchmark takes from models."""
    found = []
    for name, text in benchmark.written.items():
        asked = StepName.parse(text.step or name)
        becomes = text.becomes or program_of(whole, str(asked)).becomes
        found.append(Use(name, text.model, str(asked), text.sample, becomes))
    return found
