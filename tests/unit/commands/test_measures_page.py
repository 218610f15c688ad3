"""docs/measures.md is what the registry says."""

from __future__ import annotations

from pathlib import Path

import pytest
from plumbline.commands.cli import main
from plumbline.commands.measures import document
from plumbline.measuring.measure import named, names

PAGE = Path(__file__).resolve().parents[3] / "docs" / "measures.md"


def test_the_page_of_measures_is_that_of_the_registry() -> None:
    """If this fails: plumbline measures > docs/measures.md"""
    assert PAGE.read_text(encoding="utf-8") == document()


def test_every_measure_has_one_line_with_its_words_and_its_description() -> None:
    lines = [line for line in document().partition("\n## ")[2].splitlines() if line.startswith("| `")]
    for name in names():
        (line,) = [line for line in lines if line.startswith(f"| `{name}` |")]
        measure = named(name)
        assert all(f"`{word}`" in line for word in measure.missing)
        assert measure.description.replace("|", "\\|") in line


def test_the_command_prints_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measures"]) == 0
    assert capsys.readouterr().out == document()
