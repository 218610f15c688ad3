"""Outputs paired with a text of their instance, e.g. a model's response with the human-written one."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from changes import refused, with_values
from plumbline.data.instances import Instance, Output, identified, write_instances
from plumbline.data.labels import BETTER, GOLD, Label, write_labels
from plumbline.data.loaded import Loaded
from plumbline.records.errors import PlumblineError
from plumbline.workflow.resolved import Resolved
from plumbline.writing.derived import derived

HUMAN = "A rifle."


def about(*outputs: Output, human: tuple[str, ...] = (HUMAN,), instruction: str = "What is an AK-47?") -> Instance:
    return Instance("", "plain", instruction, outputs, {"reference": human}, "file#0")


ABOUT = list(
    identified(
        [
            about(Output("llama", "A gun."), Output("bloom", "A bird.")),
            about(Output("llama", "A gun."), Output("opt", "A gun.")),
            about(Output("opt", "Red"), Output("llama", "Blue"), human=(), instruction="Name a colour."),
        ]
    )
)


def pairs(folder: Path, instances: list[Instance], name: str = "reference") -> list[Loaded]:
    write_instances(folder / "i.parquet", instances)
    write_labels(folder / "l.parquet", [Label(one.id, GOLD, BETTER, None, "first", None) for one in instances])
    return list(derived(folder / "i.parquet", folder / "l.parquet", {}, [], ["plain"], name))


def test_each_output_is_paired_with_the_text_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "plumbline"):
        found = pairs(tmp_path, ABOUT)
    assert [tuple(output.system for output in one.instance.outputs) for one in found] == [
        ("llama", "reference"),
        ("bloom", "reference"),
        ("opt", "reference"),
    ]
    assert {one.instance.texts[1] for one in found} == {HUMAN}
    assert "for want of a reference to be paired with: 1 instances" in caplog.text


def test_the_pairs_have_ids_of_their_own_and_nobodys_labels(tmp_path: Path) -> None:
    found = pairs(tmp_path, ABOUT)
    ids = {one.instance.id for one in found}
    assert len(ids) == len(found) and "" not in ids and not ids & {one.id for one in ABOUT}
    assert not any(one.labels for one in found)


def test_equal_texts_of_two_systems_are_two_pairs_and_the_context_stays(tmp_path: Path) -> None:
    found = pairs(tmp_path, ABOUT)
    assert [one.instance.texts[0] for one in found] == ["A gun.", "A bird.", "A gun."]
    assert all(one.instance.context["reference"] == (HUMAN,) for one in found)


def test_a_name_that_no_instance_knows_is_named_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(PlumblineError, match=r"(?s)'refrence'.*did you mean 'reference'"):
        pairs(tmp_path, ABOUT, "refrence")


def test_only_a_derived_benchmark_pairs_its_outputs_anew(papers: Resolved) -> None:
    found = with_values(papers, {"benchmark.faced": {"loader": "derived", "of": "demo", "paired_with": "reference"}})
    assert found.get("deriving.faced")["paired_with"] == "reference"
    assert "unknown key 'paired_with'" in refused(papers, "benchmark.demo.paired_with=reference")
