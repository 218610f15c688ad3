"""Derived benchmarks: instances are given what models wrote about them."""

from __future__ import annotations

from pathlib import Path

import pytest
from plumbline.data.instances import Instance, Output, identified, read_instances, write_instances
from plumbline.data.labels import BETTER, GOLD, Label, read_labels, write_labels
from plumbline.data.loaded import write_loaded
from plumbline.data.texts import Text
from plumbline.records.errors import PlumblineError
from plumbline.records.rows import write_records
from plumbline.writing.derived import Use, derived

USES = {
    "checklist": Use("checklist", "writer", "write:checklist@plumbline", 0, "context"),
    "response": Use("mine", "writer", "write:response@plumbline", 0, "output"),
    "instruction": Use("changed", "writer", "write:perturbed@construct", 0, "instruction"),
}


def instances(count: int = 3) -> list[Instance]:
    outputs = (Output("a", "One."), Output("b", "Two."))
    subsets = ("plain", "trap")
    return list(identified(Instance("", subsets[n % 2], f"Say {n}.", outputs) for n in range(count)))


def made_of(folder: Path, about: list[Instance], written: list[Text], *uses: Use) -> list[Instance]:
    write_instances(folder / "i.parquet", about)
    write_labels(folder / "l.parquet", [Label(one.id, GOLD, BETTER, None, "first", None) for one in about])
    write_records(folder / "w.parquet", Text, written)
    found = derived(
        folder / "i.parquet", folder / "l.parquet", {"writer": folder / "w.parquet"}, uses, ["plain", "trap"]
    )
    write_loaded(folder / "d.parquet", folder / "dl.parquet", found)
    return read_instances(folder / "d.parquet")


def wrote(about: list[Instance], use: Use, *said: str, state: str = "written") -> list[Text]:
    return [
        Text(one.id, use.step, 0, number, text, state)  # type: ignore[arg-type]
        for one in about
        for number, text in enumerate(said)
    ]


def test_a_text_becomes_context_and_ids_and_labels_stay(tmp_path: Path) -> None:
    about = instances()
    found = made_of(tmp_path, about, wrote(about, USES["checklist"], "Short?", "Rhymes?"), USES["checklist"])
    assert [one.context["checklist"] for one in found] == [("Short?", "Rhymes?")] * 3
    assert [one.id for one in found] == [one.id for one in about]
    assert [label.instance for label in read_labels(tmp_path / "dl.parquet")] == [one.id for one in about]


def test_a_text_becomes_an_output_by_its_system(tmp_path: Path) -> None:
    about = instances()
    found = made_of(tmp_path, about, wrote(about, USES["response"], "Mine."), USES["response"])
    assert [one.outputs[-1] for one in found] == [Output("mine", "Mine.")] * 3
    assert not {one.id for one in found} & {one.id for one in about}, "an output is part of what an instance is"
    assert [label.instance for label in read_labels(tmp_path / "dl.parquet")] == [one.id for one in found]


def test_another_instruction_leaves_what_people_said_behind(tmp_path: Path) -> None:
    about = instances()
    found = made_of(tmp_path, about, wrote(about, USES["instruction"], "Sing."), USES["instruction"])
    assert [one.instruction for one in found] == ["Sing."] * 3
    assert not read_labels(tmp_path / "dl.parquet")


@pytest.mark.parametrize("state", ["refused", "empty", "missing"])
def test_an_instance_without_a_usable_text_says_so_and_gets_none(tmp_path: Path, state: str) -> None:
    about = instances()
    lists = wrote(about, USES["checklist"], "", state=state)
    answers = wrote(about, USES["response"], "No.", state=state)
    written = sorted([*lists, *answers], key=lambda text: [one.id for one in about].index(text.instance))
    found = made_of(tmp_path, about, written, USES["checklist"], USES["response"])
    assert [(one.flawed, dict(one.context)) for one in found] == [
        ({"checklist": state, "mine": state}, {"checklist": ()})
    ] * 3
    assert [one.texts[-1] for one in found] == [""] * 3


def test_a_cut_text_is_used_and_marked(tmp_path: Path) -> None:
    about = instances()
    found = made_of(tmp_path, about, wrote(about, USES["checklist"], "Sho", state="truncated"), USES["checklist"])
    assert [(one.flawed, one.context["checklist"]) for one in found] == [({"checklist": "truncated"}, ("Sho",))] * 3


def test_an_instance_whose_instruction_nobody_changed_is_left_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    about, use = instances(), USES["instruction"]
    written = [*wrote(about[:1], use, "", state="refused"), *wrote(about[1:], use, "Sing.")]
    with caplog.at_level("WARNING"):
        assert len(made_of(tmp_path, about, written, use)) == 2
    assert about[0].id in caplog.text


def test_instances_that_nothing_was_written_about_are_an_error(tmp_path: Path) -> None:
    about = instances()
    with pytest.raises(PlumblineError, match=about[2].id):
        made_of(tmp_path, about, wrote(about[:2], USES["checklist"], "Short?"), USES["checklist"])
