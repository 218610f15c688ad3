"""docs/measures.md is what the registry says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from plumbline.commands.cli import main
from plumbline.commands.measure_options import declared_options
from plumbline.commands.measures import document
from plumbline.config.typed import hints_of
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
        assert all(f"[`{option}`](#option-{option})" in line for option in hints_of(measure.observer.options))


def test_each_option_is_described_once_for_all_measures_that_share_it() -> None:
    described = document().partition("\n## Options\n")[2]
    for name, each in declared_options().items():
        assert described.count(f"### Option `{name}`\n") == 1
        assert sorted(measure for one in each for measure in one.measures) == sorted(
            measure for measure in names() if name in hints_of(named(measure).observer.options)
        )
        assert all(re.search(r"[.)`…]$", one.key.sentence) for one in each)
    assert described.count("Another judge to hold this one against") == 1


def test_the_schema_of_tables_leads_to_each_option() -> None:
    schema = (PAGE.parents[1] / "config" / "SCHEMA.md").read_text(encoding="utf-8")
    assert all(f"(../docs/measures.md#option-{name})" in schema for name in declared_options())


def test_the_command_prints_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measures"]) == 0
    assert capsys.readouterr().out == document()
