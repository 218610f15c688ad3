"""What a run is about to do, and why: jobs of one reason together, and what only follows below them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from plumbline.audit.freshness import Reasons
from plumbline.audit.reasons import StaleReason
from plumbline.workflow.running.plan import PlannedJob, PlanView, RunPlan

PARSER = StaleReason("code", ("asking/parsers/json.py",))
INPUT = StaleReason("input", ("verdicts/a",))


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All outputs of the jobs below are there."""
    monkeypatch.chdir(tmp_path)
    for name in ("ask/a", "ask/b", "verdicts/a", "verdicts/b", "cells/t", "tables/t", "index"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).touch()


def job(rule: str, name: str, output: str, *inputs: str, reason: str = "") -> PlannedJob:
    return PlannedJob(rule, name, inputs, (output,), reason)


REPLAY_A = job("replay", "a", "verdicts/a", "ask/a")
REPLAY_B = job("replay", "b", "verdicts/b", "ask/b")
CELLS = job("cells", "t", "cells/t", "verdicts/a", "verdicts/b")
TABLES = job("tables", "t", "tables/t", "cells/t")
STALE: dict[str, Reasons] = {"verdicts/a": (PARSER,), "verdicts/b": (PARSER,), "cells/t": (INPUT,)}


def test_jobs_of_one_reason_stand_together_with_what_follows_from_them() -> None:
    """In the order of the pipeline, whatever order they came in."""
    assert RunPlan([TABLES, CELLS, REPLAY_B, REPLAY_A], STALE).lines() == [
        "  2 replay (a, b): code asking/parsers/json.py changed",
        "    and what follows from that: 1 cells, 1 tables",
    ]


def test_what_follows_from_several_reasons_comes_last() -> None:
    stale = STALE | {"verdicts/b": (StaleReason("bytes"),)}
    assert RunPlan([REPLAY_A, REPLAY_B, CELLS], stale).lines() == [
        "  1 replay (a): code asking/parsers/json.py changed",
        "  1 replay (b): its own bytes changed",
        "  1 cells (t): follow from several of these",
    ]


def test_a_file_that_is_missing_was_deleted_or_never_made() -> None:
    plan = RunPlan([job("replay", "c", "verdicts/c"), job("replay", "d", "verdicts/d")], {}, built={"verdicts/d"})
    assert plan.job_lines() == ["replay c: never made", "replay d: deleted"]
    stopped = RunPlan([job("ask", "c", "ask/c", reason="Forced execution")], {})
    assert stopped.job_lines() == ["ask c: never made"], "Snakemake forces what a killed job was at"


@pytest.mark.parametrize(
    ("snakemake", "why"),
    [
        ("Forced execution", "forced (--force), or left incomplete by a job that was stopped"),
        ("Incomplete output files: verdicts/a", "left incomplete by a job that was stopped"),
        ("Updated input files: x", "Snakemake: Updated input files: x"),
    ],
)
def test_where_nothing_changed_snakemakes_reason_counts(snakemake: str, why: str) -> None:
    assert RunPlan([job("replay", "a", "verdicts/a", reason=snakemake)], {}).job_lines() == [f"replay a: {why}"]


def test_a_follower_names_where_it_began() -> None:
    assert RunPlan([REPLAY_A, CELLS, TABLES], {"verdicts/a": (PARSER,)}).why(TABLES) == "follows from replay a"


def test_when_all_have_one_reason_no_list_is_needed() -> None:
    jobs = [job("source", str(number), f"source/{number}") for number in range(5)]
    assert RunPlan(jobs, {}).lines() == ["  all of them: never made"]


def test_the_first_lines_of_a_run_are_few() -> None:
    stale: dict[str, Reasons] = {f"v{number}": (StaleReason("code", (f"{number}.py",)),) for number in range(30)}
    jobs = [job("replay", str(number), f"v{number}") for number in range(30)]
    lines = RunPlan(jobs, stale).lines()
    assert len(lines) == 13 and lines[-1] == "  and 18 reasons more: plumbline why"
    assert len(RunPlan(jobs, stale).lines(most=None)) == 30


def test_settings_of_a_user_cannot_move_the_cursor() -> None:
    stale: dict[str, Reasons] = {"verdicts/a": (StaleReason("setting", ("label: a → \x1b[2J",)),)}
    assert "\x1b" not in "".join(RunPlan([REPLAY_A], stale).lines())


def test_a_dry_run_is_counted_before_its_reasons_are_told() -> None:
    view = PlanView(STALE)
    assert view.lines("run_info", {"stats": {"replay": 1, "total": 1}}) == ["plumbline: 1 jobs to do: 1 replay"]
    event = {"rule_name": "replay", "wildcards": {"model": "a"}, "input": ["ask/a"], "output": ["verdicts/a (update)"]}
    assert view.lines("job_info", event) == []
    assert view.lines("run_info", {"stats": {}}) == ["  1 replay (a): code asking/parsers/json.py changed"]


def test_programs_get_each_job_with_its_reasons() -> None:
    view = PlanView(STALE, form="json")
    assert view.lines("run_info", {}) == []
    for one in (REPLAY_A, CELLS):
        wildcards = {"name": one.name}
        view.lines(
            "job_info",
            {"rule_name": one.rule, "wildcards": wildcards, "input": list(one.inputs), "output": list(one.outputs)},
        )
    (text,) = view.lines("run_info", {})
    replay, cells = json.loads(text)
    assert replay["reasons"] == [{"kind": "code", "about": ["asking/parsers/json.py"]}] and replay["follows"] == []
    assert cells["reasons"] == [] and cells["follows"] == ["replay a"] and cells["outputs"] == ["cells/t"]


def test_an_ask_that_only_follows_is_not_certain() -> None:
    ask = job("ask", "a", "ask/a", "instances/a")
    read = job("read", "a", "instances/a")
    assert RunPlan([ask, read], {}).remarks() and not RunPlan([ask], {"ask/a": (PARSER,)}).remarks()
