"""What models write before judging: asked once, kept with the state it is in, and given to instances."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from plumbline.asking.prompts import PromptSet
from plumbline.asking.transcripts import TranscriptRow
from plumbline.config import writing as config
from plumbline.config.model import Model
from plumbline.data.instances import Instance, Output, identified, read_instances, write_instances
from plumbline.data.labels import BETTER, GOLD, Label, read_labels, write_labels
from plumbline.data.loaded import write_loaded
from plumbline.models.asking import Completion
from plumbline.models.kinds import settings_of
from plumbline.records.errors import PlumblineError
from plumbline.records.rows import read_records, write_records
from plumbline.workflow.resolved import Resolved
from plumbline.writing.asking import StepOptions
from plumbline.writing.derived import Use, derived
from plumbline.writing.job import replay, write, write_texts
from plumbline.writing.setup import WritingSetup
from plumbline.writing.step import named, names
from plumbline.writing.written import Written, records, state_of
from rebuilt import CONFIG

TUNING: dict[str, Any] = {"engine": {}, "model": {}}
QUESTIONS = "1. Is it short?\n2. Does it rhyme?\n3. is it short"
USES = {
    "checklist": Use("checklist", "writer", "checklist@plumbline", 0, "context"),
    "response": Use("mine", "writer", "response@plumbline", 0, "output"),
    "instruction": Use("changed", "writer", "perturbed@construct", 0, "instruction"),
}


def instances(count: int = 3) -> list[Instance]:
    outputs = (Output("a", "One."), Output("b", "Two."))
    subsets = ("plain", "trap")
    return list(identified(Instance("", subsets[n % 2], f"Say {n}.", outputs) for n in range(count)))


def options(papers: Resolved, name: str, wording: str, **more: Any) -> StepOptions:
    declared = papers.config.prompts[wording]
    folder = CONFIG / "prompts" / declared.folder
    prompts = PromptSet(wording, declared, lambda file: (folder / file).read_text())
    subsets = more.pop("subsets", ())
    return StepOptions(f"{name}@{wording}", named(name), config.Step(name, **more), prompts, subsets)


def setup(steps: list[StepOptions], **answers: list[str]) -> WritingSetup:
    return WritingSetup(Model("S", "s"), settings_of({"kind": "scripted", "answers": answers}, ""), steps)


def texts(made: WritingSetup, about: list[Instance], folder: Path) -> list[Written]:
    out = folder / "1-of-1.parquet"
    write(made, about, out, folder / "store", TUNING, 1)
    return replay(about, made.steps, [out])


def test_every_instance_has_a_text_in_every_step_and_each_call_is_in_the_transcript(
    papers: Resolved, tmp_path: Path
) -> None:
    steps = [options(papers, "response", "plumbline"), options(papers, "checklist", "plumbline")]
    made, about = setup(steps, response=["Here."], checklist=[QUESTIONS]), instances()
    found = texts(made, about, tmp_path)
    assert [(text.instance, text.text) for text in found if text.step == "response@plumbline"] == [
        (instance.id, "Here.") for instance in about
    ]
    assert [text.text for text in found if text.step == "checklist@plumbline"][:2] == [
        "Is it short?",
        "Does it rhyme?",
    ], "a question that repeats another stands once"
    assert {text.state for text in found} == {"written"}
    calls = read_records(tmp_path / "1-of-1.parquet", TranscriptRow)
    assert [(call.instance, call.step) for call in calls] == [
        (one.id, step) for one in about for step in ("response", "checklist")
    ]


def test_what_was_answered_once_is_not_asked_again(papers: Resolved, tmp_path: Path) -> None:
    made = setup([options(papers, "response", "plumbline")], response=["Here."])
    done = [write(made, instances(), tmp_path / name, tmp_path / "store", TUNING, 1) for name in ("a", "b")]
    assert [(one.asked, one.reused) for one in done] == [(3, 0), (0, 3)]


def test_a_reference_for_others_is_the_one_that_a_judge_would_write_for_itself(
    papers: Resolved, tmp_path: Path
) -> None:
    texts(setup([options(papers, "reference", "plumbline")], reference=["So."]), instances(1), tmp_path)
    call = read_records(tmp_path / "1-of-1.parquet", TranscriptRow)[0]
    assert call.max_tokens == papers.config.prompts["plumbline"].templates["reference"].max_tokens
    assert "You answer briefly" in call.messages and "Say 0." in call.messages


def test_samples_are_runs_of_their_own(papers: Resolved, tmp_path: Path) -> None:
    made = setup([options(papers, "response", "plumbline", temperature=1.0, samples=3)], response=["x", "y", "z"])
    found = texts(made, instances(1), tmp_path)
    assert [text.sample for text in found] == [0, 1, 2]
    assert len({call.key for call in read_records(tmp_path / "1-of-1.parquet", TranscriptRow)}) == 3


def test_a_step_is_asked_about_its_own_subsets_only(papers: Resolved, tmp_path: Path) -> None:
    about = instances()
    found = texts(setup([options(papers, "response", "plumbline", subsets=("trap",))], response=["x"]), about, tmp_path)
    assert [text.instance for text in found] == [about[1].id]


@pytest.mark.parametrize(
    ("completion", "state"),
    [
        (Completion("A poem."), "written"),
        (Completion("A po", "length"), "truncated"),
        (Completion("", "content_filter"), "refused"),
        (Completion("I'm sorry, but I can't help with that."), "refused"),
        (Completion("", "context"), "missing"),
    ],
)
def test_how_an_answer_came_about_is_the_state_of_its_text(completion: Completion, state: str) -> None:
    assert state_of(completion) == state
    assert records("i", "s", 0, [completion.text], [state_of(completion)])[0].state == state


def test_a_step_that_gives_no_text_has_a_record_that_says_so() -> None:
    assert [(text.text, text.state) for text in records("i", "s", 0, [], ["written"])] == [("", "empty")]
    assert [text.state for text in records("i", "s", 0, ["  "], ["truncated"])] == ["empty"]
    assert [text.state for text in records("i", "s", 0, ["a", "b"], ["written", "truncated"])] == ["truncated"] * 2
    assert [text.state for text in records("i", "s", 0, [], ["truncated", "refused"])] == ["refused"]


def test_only_texts_in_these_two_states_are_of_use() -> None:
    states = ("written", "truncated", "refused", "empty", "missing")
    usable = [state for state in states if Written("i", "s", 0, 0, "t", state).usable]  # type: ignore[arg-type]
    assert usable == ["written", "truncated"]


def test_how_many_texts_are_in_which_state_is_said(
    papers: Resolved, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    step = options(papers, "response", "plumbline")
    made = setup([step], response=["", "I'm sorry, but I cannot help with that.", "Good."])
    about = instances(9)
    write(made, about, tmp_path / "t.parquet", tmp_path / "store", TUNING, 1)
    with caplog.at_level("WARNING"):
        write_texts(tmp_path / "w.parquet", about, [step], [tmp_path / "t.parquet"])
    states = [text.state for text in read_records(tmp_path / "w.parquet", Written)]
    assert len(states) == 9 and len(set(states)) == 3
    for state in set(states):
        assert f"{states.count(state)} {state}" in caplog.text


def test_an_engine_that_writes_nothing_is_refused(papers: Resolved, tmp_path: Path) -> None:
    made = replace(setup([options(papers, "response", "plumbline")]), engine=settings_of({"kind": "none"}, ""))
    with pytest.raises(PlumblineError, match="writes no new texts"):
        texts(made, instances(), tmp_path)


def test_each_registered_step_is_a_file_with_a_function_of_its_name() -> None:
    assert {"response", "reference", "checklist", "perturbed", "unhelpful"} <= set(names())
    for name in names():
        assert named(name).name == name and named(name).prompts
    with pytest.raises(PlumblineError, match="did you mean 'checklist'"):
        named("checklists")


# derived benchmarks


def made_of(folder: Path, about: list[Instance], written: list[Written], *uses: Use) -> list[Instance]:
    write_instances(folder / "i.parquet", about)
    write_labels(folder / "l.parquet", [Label(one.id, GOLD, BETTER, None, "first", None) for one in about])
    write_records(folder / "w.parquet", Written, written)
    found = derived(
        folder / "i.parquet", folder / "l.parquet", {"writer": folder / "w.parquet"}, uses, ["plain", "trap"]
    )
    write_loaded(folder / "d.parquet", folder / "dl.parquet", found)
    return read_instances(folder / "d.parquet")


def wrote(about: list[Instance], use: Use, *said: str, state: str = "written") -> list[Written]:
    return [
        Written(one.id, use.step, 0, number, text, state)  # type: ignore[arg-type]
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
