"""The strict reading beside a person's: 300 recorded answers, drawn with a seed and read blind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from plumbline.parquet import Row
from rebuilt import Rebuilt
from sample_answers import Answer, draw

READ = Path(__file__).with_name("read_answers.jsonl")


@pytest.fixture(scope="module")
def sample(llmbar: Rebuilt, llmbar_zip: Path) -> list[Answer]:
    return draw(llmbar, llmbar_zip)


@pytest.fixture(scope="module")
def read() -> dict[str, Row]:
    """What a person says that each answer says."""
    return {row["answer"]: row for row in map(json.loads, READ.read_text().splitlines())}


def test_the_answers_read_by_hand_are_those_that_the_seed_draws(sample: list[Answer], read: dict[str, Row]) -> None:
    assert len(sample) == 300
    assert {answer.digest: answer.asked for answer in sample} == {name: row["asked"] for name, row in read.items()}
