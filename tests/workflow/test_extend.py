"""What docs/extend.md shows is all that there is to do: its files are written as they stand, and its table built."""

from __future__ import annotations

import csv

import pytest
from documented import files_in
from plumbline.asking.transcripts import TranscriptRow
from plumbline.data.instances import read_instances
from plumbline.data.labels import read_labels
from plumbline.data.verdicts import Verdict, read_verdicts
from plumbline.records.rows import read_records
from project import REPOSITORY, Project

TABLE = "results/tables/own/follow.csv"
BRIEF = "results/tables/own/brief.csv"
THREADS = "results/tables/own/threads.csv"
OF_LOADER = "data/threads.json"
"""The first file of the part about loaders: what stands above it is tried before."""
TRANSCRIPT = "results/ask/demo/rehearsal/1-of-1.parquet"
WORDS = 8
"""What the table's column LONG picks."""
VERDICTS = "results/verdicts/demo/rehearsal.parquet"


@pytest.fixture(scope="module")
def extended(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A checkout with what the page adds; what it shows of a file that is there goes to its end."""
    project = Project.at(tmp_path_factory.mktemp("extend") / "plumbline")
    for name, text in files_in(REPOSITORY / "docs" / "extend.md").items():
        if name == OF_LOADER:
            project.build("experiment=brief", TABLE, BRIEF)
        path = project.path(name)
        project.write(name, f"{path.read_text()}\n\n{text}" if path.is_file() else text)
    project.build("experiment=threads", THREADS)
    return project


def test_the_table_of_the_page_has_a_row_for_each_protocol_and_a_column_for_the_new_measure(extended: Project) -> None:
    rows = list(csv.DictReader(extended.path(TABLE).read_text().splitlines()))
    strict = {row["row"]: float(row["ALL.even"]) for row in rows if row["reading"] == "strict"}
    assert strict.keys() == {"Once", "Twice", "Grades", "Mirror"}
    found = read_verdicts(extended.path(VERDICTS))
    for row, protocol in (("Once", "follow@mine"), ("Twice", "follow_twice@mine")):
        better = [v for v in found if v.protocol == protocol and v.question == "better"]
        assert strict[row] == pytest.approx(100 * sum(v.strict.word == "tie" for v in better) / len(better), abs=0.05)


def test_the_measure_of_the_page_has_an_option_that_a_column_picks(extended: Project) -> None:
    rows = list(csv.DictReader(extended.path(TABLE).read_text().splitlines()))
    instances = read_instances(extended.path("results/instances/demo.parquet"))
    long = {one.id for one in instances if min(len(text.split()) for text in one.texts) >= WORDS}
    assert 0 < len(long) < len(instances)
    strict = {row["row"]: float(row["LONG.even"]) for row in rows if row["reading"] == "strict"}
    found = read_verdicts(extended.path(VERDICTS))
    for row, protocol in (("Once", "follow@mine"), ("Twice", "follow_twice@mine")):
        better = [v for v in found if (v.protocol, v.question) == (protocol, "better") and v.instance in long]
        assert strict[row] == pytest.approx(100 * sum(v.strict.word == "tie" for v in better) / len(better), abs=0.05)


def test_the_parser_of_the_page_reads_both_ways(extended: Project) -> None:
    answers = {
        (call.instance, call.showing): call.text
        for call in read_records(extended.path(TRANSCRIPT), TranscriptRow)
        if call.protocol == "graded@graded"
    }
    found = [
        v for v in read_verdicts(extended.path(VERDICTS)) if (v.protocol, v.question) == ("graded@graded", "rating")
    ]
    meant = {"Grade: B": (3, 3), "It is good.\nA": (4, 4), "C": (2, 2), "I would say D": (1, "unparsed")}
    assert set(answers.values()) == meant.keys() and len(found) == len(answers)
    for verdict in found:
        said = (verdict.as_published.number, verdict.strict.number or verdict.strict.missing)
        assert said == meant[answers[verdict.instance, verdict.showing]]


def test_the_engine_of_the_page_answers(extended: Project) -> None:
    calls = read_records(extended.path("results/ask/demo/mirror/1-of-1.parquet"), TranscriptRow)
    assert {call.text for call in calls} == {"NO. OR"}


def test_the_program_of_the_page_asks_again_in_the_same_dialogue(extended: Project) -> None:
    calls = read_records(extended.path(TRANSCRIPT), TranscriptRow)
    again = [call for call in calls if call.step == "follow/second"]
    assert {call.protocol for call in again} == {"follow_twice@mine"}
    assert all(call.messages.count('"assistant"') == 1 for call in again)
    first = {(call.instance, call.showing, call.text) for call in calls if call.step == "follow/first"}
    for call in again:
        assert any((call.instance, call.showing) == one[:2] and one[2] in call.messages for one in first)


def test_what_follows_from_its_answers_names_them(extended: Project) -> None:
    found: dict[tuple[str, str], list[Verdict]] = {}
    asked = [v for v in read_verdicts(extended.path(VERDICTS)) if v.protocol.startswith("follow")]
    for verdict in asked:
        found.setdefault((verdict.protocol, verdict.instance), []).append(verdict)
    for verdicts in found.values():
        said = {v.showing: v.strict.word for v in verdicts if v.question == "follows"}
        [better] = [v for v in verdicts if v.question == "better"]
        expected = "tie" if said["1"] == said["2"] else "first" if said["1"] == "yes" else "second"
        assert (better.strict.word, better.derived_from) == (expected, ("follows/1", "follows/2"))


def test_the_plugin_of_the_page_judges_and_measures(extended: Project) -> None:
    rows = csv.DictReader(extended.path(BRIEF).read_text().splitlines())
    decided = {row["row"]: float(row["ALL.decided"]) for row in rows if row["reading"] == "strict"}
    found = [v for v in read_verdicts(extended.path("results/verdicts/demo/length.parquet")) if v.question == "better"]
    for row, protocol in (("Fewer words", "fewer_words"), ("Fewer letters", "shorter")):
        words = [v.strict.word for v in found if v.protocol == protocol]
        assert decided[row] == pytest.approx(100 * sum(word != "tie" for word in words) / len(words), abs=0.05)


def test_the_loader_of_the_page_reads_its_file_as_its_benchmark_says(extended: Project) -> None:
    instances = read_instances(extended.path("results/instances/threads.parquet"))
    labels = read_labels(extended.path("results/labels/threads.parquet"))
    assert [(one.key, *(output.system for output in one.outputs)) for one in instances] == [
        ("t1", "ann", "bo"),
        ("t2", "cy", "ann"),
        ("t3", "bo", "cy"),
    ]
    assert [(one.instance, one.word) for one in labels] == [
        (instance.id, word) for instance, word in zip(instances, ("first", "second", "tie"), strict=True)
    ]
    rows = list(csv.DictReader(extended.path(THREADS).read_text().splitlines()))
    accuracy = {row["row"]: float(row["ALL.acc"]) for row in rows if row["reading"] == "strict"}
    assert accuracy["Fewer words"] > accuracy["Longer"]


def test_what_the_page_builds_verifies(extended: Project) -> None:
    done = extended.plumbline("verify")
    assert done.returncode == 0, done.stdout + done.stderr
