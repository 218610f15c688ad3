"""What the first phase is told by the command line, and what it leaves to the run."""

from __future__ import annotations

import contextlib
import io
import sys
from pathlib import Path

import pytest
from plumbline.audit.doubts import Doubts
from plumbline.audit.reasons import BROKEN_MANIFEST
from plumbline.records.manifest import Manifest
from plumbline.workflow.running import first_phase
from plumbline.workflow.running.command_line import LOOKS_ONLY, NARROWING, CommandLine
from small_manifests import fingerprint, manifest
from snakemake.cli import parse_args

FILES = ["results/instances/tiny.parquet"]


def given(*words: str) -> CommandLine:
    with contextlib.redirect_stderr(io.StringIO()):
        return CommandLine.of(parse_args(list(words))[1])


def link(path: str, rule: str, *inputs: str, key: str = "known") -> Manifest:
    settings = {"setting": {"key": key, "sha256": "0"}}
    return manifest(path, fingerprint(rule, dict.fromkeys(inputs, "0"), settings=settings))


def doubts(*stale: str, key: str = "known") -> Doubts:
    links = {
        FILES[0]: link(FILES[0], "read", key=key),
        "results/ask/a.parquet": link("results/ask/a.parquet", "ask", *FILES),
    }
    return Doubts(links, dict.fromkeys(stale, (BROKEN_MANIFEST,)))


def known(key: str) -> str | None:
    return "0" if key == "known" else None


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What another Snakemake would have been told to make."""
    calls: list[list[str]] = []
    monkeypatch.setattr(sys, "argv", ["snakemake", "--cores", "1"])
    monkeypatch.setattr(first_phase, "make", lambda files, options, why: calls.append(list(files)) or True)
    return calls


def test_a_run_on_a_cluster_is_told_to_a_run_on_this_machine(tmp_path: Path) -> None:
    profile = tmp_path / "slurm"
    profile.mkdir()
    (profile / "config.yaml").write_text("executor: slurm\njobs: 100\nlocal-cores: 4\nlogger: plumbline\n")
    command = given("--profile", str(profile), "--config", "experiment=tiny", "--", "all")
    assert command.runs_all and command.files == []
    words = " ".join(command.options)
    assert "--cores 4" in words and "--executor local" in words and "--config experiment=tiny" in words
    assert "slurm" not in words.replace(str(tmp_path), "")


def test_files_are_told_from_rules() -> None:
    assert given("--cores", "2", "--", *FILES).files == FILES
    assert given("--cores", "2", "--", *FILES, "llmbar").files == []
    assert given("--cores", "2").files == []


@pytest.mark.parametrize("option", ["--dry-run", "--touch", "--lint", "--dag", "--unlock", "--summary"])
def test_who_only_looks_runs_nothing(option: str) -> None:
    assert not given("--cores", "2", option).runs_all


@pytest.mark.parametrize("option", [("--until", "cells"), ("--omit-from", "cells"), ("--batch", "cells=1/2")])
def test_part_of_a_run_is_left_to_itself(option: tuple[str, str]) -> None:
    assert not given("--cores", "2", *option).runs_all


def test_every_option_is_one_of_snakemakes() -> None:
    with contextlib.redirect_stderr(io.StringIO()):
        names = vars(parse_args(["--cores", "1"])[1])
    assert set(LOOKS_ONLY) | set(NARROWING) <= names.keys()


def test_nothing_stale_starts_nothing_and_does_not_even_read_the_command_line(
    made: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CommandLine, "here", lambda: pytest.fail("read"))
    assert not first_phase.first_phase(doubts, known)
    assert made == []


def test_what_is_stale_is_made_until_it_stands(made: list[list[str]]) -> None:
    states = iter([doubts(*FILES), doubts()])
    assert first_phase.first_phase(lambda: next(states), known)
    assert made == [FILES]


def test_what_stays_stale_is_tried_once(made: list[list[str]]) -> None:
    assert first_phase.first_phase(lambda: doubts(*FILES), known)
    assert made == [FILES]


def test_files_of_another_experiment_are_left_alone(made: list[list[str]]) -> None:
    assert not first_phase.first_phase(lambda: doubts(*FILES, key="unknown"), known)
    assert made == []


def test_a_program_that_uses_snakemake_makes_nothing_first(
    made: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["notebook"])
    assert not first_phase.first_phase(lambda: doubts(*FILES), known)
    assert made == []
