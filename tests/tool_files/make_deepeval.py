"""Writes deepeval.json beside itself: `pip install deepeval`, then run it in this folder."""

import os
from pathlib import Path

os.environ.update(DEEPEVAL_TELEMETRY_OPT_OUT="YES", DEEPEVAL_RESULTS_FOLDER="results")

from deepeval import evaluate
from deepeval.evaluate import AsyncConfig, DisplayConfig
from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase

ITEMS = [
    ("What is 2 + 2?", "4", "4", "pass"),
    ("Name a river.", "The Rhine, I think, or another.", "river", "fail"),
    ("Count to three.", "1, 2, 3", "1, 2, 3", "pass"),
]


class Contains(BaseMetric):
    def __init__(self):
        self.threshold, self.async_mode, self.reason = 0.5, False, None

    def measure(self, case, *words, **more):
        self.score = float(case.expected_output in case.actual_output)
        self.success = self.score >= self.threshold
        return self.score

    async def a_measure(self, case, *words, **more):
        return self.measure(case)

    def is_successful(self):
        return self.success

    @property
    def __name__(self):
        return type(self).__name__


class Short(Contains):
    def measure(self, case, *words, **more):
        self.score = max(0.0, 1 - len(case.actual_output) / 10)
        self.success = self.score >= self.threshold
        return self.score


cases = [
    LLMTestCase(name=f"s{number}", input=asked, actual_output=said, expected_output=target, metadata={"human": human})
    for number, (asked, said, target, human) in enumerate(ITEMS)
]
evaluate(
    cases,
    [Contains(), Short()],
    async_config=AsyncConfig(run_async=False),
    display_config=DisplayConfig(show_indicator=False, print_results=False),
)
[written] = Path("results").glob("test_run_*.json")
written.rename("deepeval.json")
