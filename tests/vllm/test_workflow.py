"""A vLLM job as a user runs it, through Snakemake: its log, its tally and what the run's summary says of it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pyarrow.parquet
import pytest
import torch
from asked import stored
from plumbline.records.tally import Attempt, read_attempts
from project import Project, Run
from shapes import write_model
from tiny import TINY

JOB = "results/ask/tiny/tiny/1-of-1"
MODEL = "{{label: Tiny, engine: tiny, repository: {folder}, dtype: float32, context: 4096}}"
ENGINE = "{kind: vllm, batch: 16, serving: {eager: true}}"
TABLE = "config/table/tiny/judges.yaml"
SWAP = "          Swap: {model: tiny, protocol: swap}\n"
SECONDS = 400


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("model"), "tiny", "cpu", torch.float32)


@pytest.fixture(scope="module")
def project(weights: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The tiny experiment, judged by a random model that vLLM serves."""
    project = Project.at(tmp_path_factory.mktemp("vllm") / "plumbline")
    project.write("config/model/tiny.yaml", MODEL.format(folder=weights))
    project.write("config/engine/tiny.yaml", ENGINE)
    assert SWAP in TINY[TABLE]  # it has the model write, and a random one never ends
    project.write(TABLE, TINY[TABLE].replace(SWAP, ""))
    return project


@pytest.fixture(scope="module")
def judged(project: Project) -> Run:
    run = project.snakemake(f"{JOB}.parquet", seconds=SECONDS)
    assert run.code == 0, run.text
    return run


def records(project: Project) -> list[str]:
    """The log's records without their times."""
    return [line.split(" ", 2)[2] for line in project.path(f"{JOB}.log").read_text().splitlines() if line[:2] == "20"]


def counted(project: Project) -> Attempt:
    [attempt] = read_attempts(project.path(f"{JOB}.tally.json"))
    return attempt


def test_the_log_goes_on_after_vllm_has_set_up_logging_and_holds_what_vllm_says(project: Project, judged: Run) -> None:
    said = records(project)
    assert said[-1].startswith("INFO tiny/tiny/1-of-1: asked ")
    assert any(record.startswith("vllm.") for record in said)
    assert not [record for record in said if record.startswith("vllm.") and record.split()[1] in ("INFO", "DEBUG")]


def test_the_tally_counts_every_ask(project: Project, judged: Run) -> None:
    attempt, calls = counted(project), pyarrow.parquet.read_metadata(project.path(f"{JOB}.parquet")).num_rows
    assert attempt.asked == len(stored(project.path(".store/completions"))) > 0
    assert attempt.asked + attempt.reused == calls


def test_the_runs_summary_says_what_was_asked(project: Project, judged: Run) -> None:
    attempt = counted(project)
    assert f"; {attempt.asked} asked, {attempt.reused} reused" in judged.text
    assert "warned:" not in judged.text


def test_a_model_that_vllm_cannot_load_ends_in_one_message_with_vllms_own_in_the_log(
    project: Project, judged: Run, weights: Path, tmp_path: Path
) -> None:
    broken = Path(shutil.copytree(weights, tmp_path / "broken"))
    (broken / "model.safetensors").write_bytes(b"\x08\0\0\0\0\0\0\0{}      ")
    project.write("config/model/tiny.yaml", MODEL.format(folder=broken))
    run = project.snakemake(f"{JOB}.parquet", seconds=SECONDS)
    assert run.code == 1
    assert "  failed: ask tiny/tiny/1-of-1\n    vLLM did not start: " in run.text
    assert any(record.startswith("vllm.") and " ERROR " in record for record in records(project))
