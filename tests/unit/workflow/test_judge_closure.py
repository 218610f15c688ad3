"""The code behind an ask job: its script, its engine, its programs, and how answers are read where that matters."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from changes import with_values
from plumbline.asking import parser
from plumbline.asking.settings import (
    kinds_of_parsers,
    options_of,
    parsing_of,
    program_modules,
    rests_on_reading,
    worded,
)
from plumbline.data.instances import identified, pair, write_instances
from plumbline.models.kinds import module_of
from plumbline.records.closure import code_of
from plumbline.records.frame import is_frame
from plumbline.workflow.composing.resolved import Resolved
from plumbline.workflow.flow import Flow
from rebuilt import CONFIG, kept_wording

SCRIPTS = CONFIG.parent / "scripts"
JOB = """
import json, runpy, sys
from pathlib import Path
from plumbline.records.closure import Code
from plumbline.records.job import Job
from plumbline.records.manifest import Setting
given = json.loads(Path(sys.argv[1]).read_text())
inputs = {name: [Path(path) for path in paths] for name, paths in given["inputs"].items()}
settings = {name: Setting(name, value) for name, value in given["settings"].items()}
outputs = [Path(given["output"])]
runpy.run_path(
    given["script"],
    {"snakemake": Job("ask", {"shard": "1-of-1"}, [], inputs, outputs, settings, given["plain"], Code(()), 1)},
    run_name="__main__",
)
files = (getattr(module, "__file__", None) for name, module in sys.modules.items() if name.split(".")[0] == "plumbline")
print("\\n".join(filter(None, files)))
"""
ANSWERS = {"compare": ["Output (a) is better."], "synthesize": ["Output (a)"], "metrics": ["Is it so?"], "rate": ["3"]}


def loaded_by_a_judge_job(papers: Resolved, folder: Path, protocols: Sequence[str]) -> set[str]:
    """The project's files that Python has loaded once a judge job has run to its end."""
    write_instances(folder / "instances.parquet", identified([pair("Say one.", "one", "two")]))
    prompts = [str(kept_wording("plumbline", folder))] if any("@" in name for name in protocols) else []
    declared = {name: papers.config.protocol[name.partition("@")[0]] for name in protocols}
    judge = {"model": {"engine": "script"}, "engine": {"kind": "scripted", "answers": ANSWERS}}
    given = {
        "script": str(SCRIPTS / "ask.py"),
        "inputs": {"instances": [str(folder / "instances.parquet")], "wordings": prompts, "recorded": []},
        "output": str(folder / "transcript.parquet"),
        "settings": {
            "judge": judge,
            "asked": {name: asdict(options) for name, options in declared.items()},
            "worded": worded(papers.config, protocols),
        },
        "plain": {
            "parsing": parsing_of(papers.config, "smollm2", protocols),
            "runtime_settings": {"engine": {"window": 4}, "model": {}},
            "store": str(folder / "store"),
        },
    }
    (folder / "job.json").write_text(json.dumps(given))
    done = subprocess.run(
        [sys.executable, "-c", JOB, str(folder / "job.json")],
        capture_output=True,
        text=True,
        timeout=60,
        env={"PYTHONPATH": str(SCRIPTS), "PATH": ""},
    )
    assert done.returncode == 0, done.stderr
    files = {Path(line).relative_to(SCRIPTS / "plumbline").as_posix() for line in done.stdout.splitlines()}
    return {f"scripts/plumbline/{name}" for name in files if not is_frame(name)}


@pytest.mark.parametrize(
    "protocols", [["longer"], ["vanilla@plumbline"], ["swap@plumbline", "metrics@plumbline"], ["rating@plumbline"]]
)
def test_what_a_judge_job_loads_is_its_closure(papers: Resolved, tmp_path: Path, protocols: list[str]) -> None:
    """But for the frame there is nothing beside it, and nothing of it is dead weight."""
    loaded = loaded_by_a_judge_job(papers, tmp_path, protocols)
    read = map(parser.module_of, kinds_of_parsers(papers.config, "smollm2", protocols))
    modules = [
        module_of("scripted"),
        *program_modules({name: options_of(papers.config, name) for name in protocols}),
        *read,
    ]
    closure = {name for name, _ in code_of("ask", modules).files}
    assert loaded <= closure
    assert closure - loaded <= {"scripts/ask.py"}


@pytest.mark.parametrize(
    ("protocol", "values", "rests"),
    [
        ("vanilla@llmbar", {}, False),
        ("rating+rules@llmbar", {}, False),
        ("metrics+rules@llmbar", {}, False),
        ("swap+rules@llmbar", {}, True),
        ("swap_cot+rules@llmbar", {}, True),
        ("recorded_text@plumbline", {}, False),
        ("longer", {}, False),
        (
            "metrics@plumbline",
            {
                "prompts.plumbline.parsers.lines": {"kind": "list"},
                "prompts.plumbline.templates.metrics": {"file": "metrics.jinja", "parser": "lines"},
            },
            True,
        ),
    ],
)
def test_only_what_branches_on_answers_or_shows_parsed_ones_rests_on_how_they_are_read(
    papers: Resolved, protocol: str, values: dict[str, Any], rests: bool
) -> None:
    config = with_values(papers, values).config
    asked = {name: options_of(config, name) for name in ("vanilla@llmbar", protocol)}
    assert rests_on_reading(config, {protocol: asked[protocol]}) is rests
    assert rests_on_reading(config, asked) is rests


def files_of(benchmark: str, model: str) -> set[str]:
    flow = Flow(CONFIG, {})
    code = flow.ask.code(SimpleNamespace(benchmark=benchmark, model=model))
    return {name.removeprefix("scripts/plumbline/") for name, _ in code.files}


def test_a_length_rule_rests_on_no_other_program_and_a_swap_judge_on_its_parsers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", "")
    rule, swapping = files_of("demo", "length"), files_of("llmbar", "gpt_4")
    assert {name for name in rule if name.startswith("asking/programs/")} == {"asking/programs/length.py"}
    readers = {"asking/parsers/patterns.py", "asking/conclusion.py"}
    assert not readers & rule and readers <= swapping
    assert {"asking/programs/swap.py", "asking/programs/rate.py"} <= swapping
    assert not {name for name in rule | swapping if name.startswith(("measuring/", "derive/", "workflow/"))}
    assert not {name for name in swapping if "endpoint" in name or "vllm" in name}
