"""The experiments for a laptop: the embedded model is asked about capped samples alone, and gets the rows it is for."""

from __future__ import annotations

import pytest
from plumbline.config.benchmark import ReadBenchmark
from plumbline.config.whole import Config
from plumbline.workflow.composing.compose import compose
from rebuilt import CONFIG

ROWS = {
    "href_smollm2": {"href_pandalm/sample": {"SmolLM2-135M Vanilla", "SmolLM2-135M With human response"}},
    "tick_smollm2": {
        "tick_pandalm/judges": {"SmolLM2-135M TICK", "SmolLM2-135M Preference"},
        "tick_llmbar/judges": {"SmolLM2-135M TICK", "SmolLM2-135M Preference"},
        "tick_infobench/judges": {"SmolLM2-135M InFoBench's own protocol"},
        "tick_smollm2/similarity": {"SmolLM2-135M"},
    },
}


def limit_of(config: Config, name: str) -> int:
    """Of how many instances of a subset a benchmark is made at most."""
    benchmark = config.benchmark[name]
    if isinstance(benchmark, ReadBenchmark):
        return benchmark.limit
    return max(limit_of(config, parent) for parent in benchmark.parents)


@pytest.mark.parametrize("experiment", ROWS)
def test_the_embedded_model_is_asked_about_capped_samples_alone(experiment: str) -> None:
    resolved = compose(CONFIG, experiment)
    asked = [benchmark for benchmark, model in resolved.judged if model == "smollm2"]
    assert asked
    for benchmark in asked:
        assert 0 < limit_of(resolved.config, benchmark) <= 60
    for place, rows in ROWS[experiment].items():
        assert rows <= resolved.table(*place.split("/")).rows.keys()
