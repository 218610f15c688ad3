"""Which edits of the code make jobs run again, through Snakemake, dry: a trivial one asks no model anew."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from project import TABLES, Project

LIBRARY = "scripts/plumbline"
ASKING = {"ask", "ask_locally"}
SWAP = "          Swap: {model: tiny, protocol: swap}\n"
WARNING = "changed in the frame, and not declared yet"


@dataclass(frozen=True)
class Edit:
    """Of a file in the library: a line at its end, or a text in place of another."""

    file: str
    old: str = ""
    new: str = ""

    def of(self, text: str) -> str:
        assert self.old in text
        return text.replace(self.old, self.new, 1) if self.old else f"{text}\nEDITED = True\n"


@pytest.fixture(scope="module")
def swapping(whole: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """All is built; one judge is asked by a program that branches on how its answers are read."""
    return whole.twin(tmp_path_factory.mktemp("swapping") / "plumbline")


@pytest.fixture(scope="module")
def plain(whole: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """All is built; no program branches on how answers are read."""
    project = whole.twin(tmp_path_factory.mktemp("plain") / "plumbline")
    table = "config/table/tiny/judges.yaml"
    text = project.path(table).read_text()
    assert SWAP in text
    project.write(table, text.replace(SWAP, ""))
    project.build("all")
    return project


@pytest.fixture
def edited(request: pytest.FixtureRequest) -> Iterator[Project]:
    """A project after an edit, which is taken back."""
    name, edit = request.param
    project: Project = request.getfixturevalue(name)
    path = project.path(f"{LIBRARY}/{edit.file}")
    before = path.read_text()
    path.write_text(edit.of(before))
    yield project
    path.write_text(before)


def jobs_to_do(project: Project, *targets: str) -> set[str]:
    """The jobs that a run would do, as their rule and what they make."""
    done = project.plumbline("why", "--json", *targets, "--config", "experiment=tiny")
    assert done.returncode == 0, done.stderr
    jobs = json.loads(done.stdout) if done.stdout.startswith("[") else []
    return {f"{job['rule']} {job['name']}" for job in jobs}


def rules(jobs: set[str]) -> set[str]:
    return {job.partition(" ")[0] for job in jobs}


FRAME = [
    Edit("models/progress.py"),
    Edit("records/page_data.py"),
    Edit("records/errors.py", "did you mean", "perhaps you meant"),
    Edit("models/failures.py"),
    Edit("asking/instance_ask.py"),
    Edit(
        "config/model.py",
        "    parsers: dict[str, str] = field(default_factory=dict)\n",
        "    parsers: dict[str, str] = field(default_factory=dict)\n    careful: bool = False\n",
    ),
    Edit("config/protocol.py", "    samples: Positive = 1\n", "    samples: Positive = 1\n    careful: bool = False\n"),
    Edit(
        "config/prompts.py",
        "    max_tokens: Positive = 50\n",
        "    max_tokens: Positive = 50\n    careful: bool = False\n",
    ),
    Edit("config/tables.py", "    digits: Count = 1\n", "    digits: Count = 1\n    careful: bool = False\n"),
    Edit("config/benchmark.py", "    shards: Positive = 1\n", "    shards: Positive = 1\n    careful: bool = False\n"),
    Edit("config/source.py", '    path: str = ""\n', '    path: str = ""\n    careful: bool = False\n'),
]


@pytest.mark.parametrize("edited", [("swapping", edit) for edit in FRAME], ids=lambda one: one[1].file, indirect=True)
def test_an_edit_of_the_frame_makes_nothing_again_and_the_run_says_that_it_is_undeclared(edited: Project) -> None:
    """Also one more option with a default, whatever it is an option of."""
    done = edited.plumbline("why", "all", "--config", "experiment=tiny")
    assert done.returncode == 0, done.stderr
    assert "Nothing to be done" in done.stdout, done.stdout
    assert WARNING in done.stderr


@pytest.mark.parametrize(
    ("edited", "rerun"),
    [
        (("swapping", Edit("report/judge_page.py")), {"report_judge"}),
        (("swapping", Edit("measuring/formats.py")), {"tables"}),
        (("swapping", Edit("models/engines/endpoint.py")), set()),
        (("swapping", Edit("measuring/measures/reviewers.py")), set()),
        (("swapping", Edit("asking/programs/perplexity.py")), set()),
        (("plain", Edit("asking/parsers/patterns.py")), {"replay"}),
        (("plain", Edit("asking/refusal.py")), {"replay"}),
    ],
    ids=["report", "formats", "another engine", "another measure", "another program", "parser", "refusals"],
    indirect=["edited"],
)
def test_an_edit_of_what_decides_results_makes_these_again_and_asks_nobody(edited: Project, rerun: set[str]) -> None:
    jobs = jobs_to_do(edited, "all")
    assert not rules(jobs) & ASKING
    assert (rerun <= rules(jobs)) if rerun else not {job for job in jobs if not job.startswith("report_")}, jobs


@pytest.mark.parametrize(
    ("edited", "asked"),
    [
        (("swapping", Edit("asking/parsers/patterns.py")), {"ask tiny/tiny/1-of-1"}),
        (("swapping", Edit("models/engines/scripted.py")), {"ask tiny/tiny/1-of-1"}),
        (("swapping", Edit("asking/programs/length.py")), {"judge_unasked verdicts/tiny/length"}),
    ],
    ids=["parser", "engine", "program"],
    indirect=["edited"],
)
def test_an_edit_of_what_decides_what_is_asked_asks_again_and_nobody_else(edited: Project, asked: set[str]) -> None:
    """A program that asks anew where two answers disagree rests on how they are read."""
    judging = {*ASKING, "judge_unasked"}
    assert {job for job in jobs_to_do(edited, *TABLES) if job.partition(" ")[0] in judging} == asked


def test_a_new_version_of_a_package_of_the_frame_makes_again_what_runs_in_it(whole: Project, tmp_path: Path) -> None:
    project = whole.twin(tmp_path / "plumbline")
    path = project.path(f"{LIBRARY}/measuring/cells.py")
    path.write_text(path.read_text() + "\nEDITED = True\n")
    done = project.plumbline("frame", "--new-version")
    assert done.returncode == 0 and re.search(r"measuring \d+", done.stdout), done.stdout
    again = project.plumbline("why", "all", "--config", "experiment=tiny")
    assert WARNING not in again.stderr
    assert re.search(r"cells.*a new version of the frame \(measuring: \d+ → \d+\)", again.stdout), again.stdout
    assert not rules(jobs_to_do(project, *TABLES)) & {*ASKING, "replay", "read", "source"}
