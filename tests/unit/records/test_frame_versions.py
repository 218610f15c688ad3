"""The frame around what decides results: an edit of it is a new version or declared harmless, and nothing else."""

from __future__ import annotations

from pathlib import Path

import plumbline.records.frame
import pytest
from plumbline.commands.cli import main
from plumbline.records.frame import FRAME, DeclaredFrame, Harmless, declared, files, is_frame

BEFORE = DeclaredFrame({"asking": 1, "records": 4}, {"asking/job.py": "a", "records/files.py": "b"}, [])


def test_every_edit_of_the_frame_is_declared() -> None:
    """If this fails: `plumbline frame` says which files changed, and how to declare what that means."""
    assert declared().undeclared(files()) == []


def test_every_module_that_is_named_is_there() -> None:
    named = {f"{package}/{module}.py" for package, modules in FRAME.items() for module in modules}
    assert named <= files().keys()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("asking/job.py", True),
        ("asking/prompts.py", False),
        ("asking/programs/swap.py", False),
        ("asking/programs/__init__.py", True),
        ("records/manifest.py", True),
        ("report/story.py", False),
        ("report/__init__.py", False),
        ("__init__.py", False),
    ],
)
def test_what_belongs_to_the_frame(name: str, expected: bool) -> None:
    assert is_frame(name) is expected


@pytest.mark.parametrize(
    ("present", "changed"),
    [
        (BEFORE.digests, []),
        (BEFORE.digests | {"asking/job.py": "c"}, ["asking/job.py"]),
        (BEFORE.digests | {"asking/runs.py": "c"}, ["asking/runs.py"]),
        ({"asking/job.py": "a"}, ["records/files.py"]),
    ],
)
def test_files_that_change_come_or_go_are_undeclared_until_it_is_said_what_that_means(
    present: dict[str, str], changed: list[str]
) -> None:
    assert BEFORE.undeclared(present) == changed
    for after in (BEFORE.with_harmless(present, "it is so"), BEFORE.with_new_versions(present)):
        assert after.undeclared(present) == []


def test_a_new_version_is_of_the_packages_that_changed_and_forgets_what_was_harmless_in_them() -> None:
    harmless = [Harmless(["asking/job.py", "records/files.py"], "words"), Harmless(["asking/job.py"], "more words")]
    before = DeclaredFrame(BEFORE.versions, BEFORE.digests, harmless)
    after = before.with_new_versions(BEFORE.digests | {"asking/job.py": "c", "models/store.py": "d"})
    assert after.versions == {"asking": 2, "models": 1, "records": 4}
    assert after.harmless == [Harmless(["records/files.py"], "words")]


def test_the_command_names_what_changed_and_takes_the_declaration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(plumbline.records.frame, "FILE", tmp_path / "frame.json")
    (tmp_path / "frame.json").write_text('{"versions": {"asking": 1}, "digests": {}, "harmless": []}')
    assert main(["frame"]) == 1
    assert "asking/job.py\n" in (out := capsys.readouterr().out) and "--harmless WHY" in out
    assert main(["frame", "--harmless", "the first time"]) == 0
    assert main(["frame"]) == 0 and declared().harmless[0].why == "the first time"
    (tmp_path / "frame.json").write_text('{"versions": {"asking": 1}, "digests": {}, "harmless": []}')
    assert main(["frame", "--new-version"]) == 0
    assert "asking 2" in capsys.readouterr().out and declared().versions["records"] == 1
    (tmp_path / "frame.json").write_text('{"versions": {}}')
    assert main(["frame"]) == 1
    assert "cannot be read" in capsys.readouterr().err
