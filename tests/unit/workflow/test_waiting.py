"""Sets whose pools nobody has pinned are left out, their cells wait, and the rest is built."""

from __future__ import annotations

from typing import Any

import pytest
from changes import plain_of
from plumbline.measuring.plans import needs, plans
from plumbline.records.errors import PlumblineError
from plumbline.workflow.composing import waiting
from plumbline.workflow.composing.compose import checked
from plumbline.workflow.composing.resolved import Resolved
from plumbline.workflow.context import Context
from plumbline.workflow.sets import Sets
from plumbline.workflow.settings import Settings

SUMS = {"title": "Sums", "strategy": "addition", "base": 9, "size": 5}
FAR = {"title": "Far", "strategy": "constraint", "pools": ["dolly"]}
PLAIN = {"title": "Plain", "strategy": "normal", "counterpart": "far"}
TABLE = {"paper": "mine", "name": "one", "title": "One", "source": "Plumbline", "metrics": ["acc"], "benchmark": "made"}
LENGTH = {"model": "length", "protocol": "longer"}
REASON = "Dolly - 15,000 instructions and answers by employees of Databricks: pin it (plumbline pin dolly)"


def composed(papers: Resolved, subsets: dict[str, str], **table: Any) -> Resolved:
    """With a benchmark of these sets, and a table that measures on it."""
    plain = plain_of(papers)
    plain["construct"] |= {"sums": SUMS, "far": FAR, "plain": PLAIN}
    plain["benchmark"] |= {"made": {"derive": "together", "subsets": subsets}}
    plain["paper"] = {}
    plain["table"] = {"mine": {"one": TABLE | {"rows": {"Longer": LENGTH}, "columns": {"All": {}}} | table}}
    plain["experiment"] = {"title": "Mine", "tables": ["mine/*"], "construct": ["made", "plain"]}
    return checked(plain)


def cells(resolved: Resolved, axis: int = 1) -> dict[str, str]:
    """By column, or by row, what its cells wait for, if anything."""
    waiting = resolved.waiting("mine", "one")
    places = (plan.place for plan in plans(resolved.table("mine", "one")))
    return {place[axis]: "; ".join(lack.what for lack in waiting.get(place, ())) for place in places}


BOTH = {"base_9": "sums", "far": "far/unreviewed", "plain": "plain"}
COLUMNS = {
    "Sums": ["base_9"],
    "Far": ["far"],
    "Both": ["base_9", "plain"],
    "All": {},
    "Mean": {"mean": ["Sums", "Far"]},
}


def test_a_set_of_a_pool_nobody_has_pinned_is_left_out_with_all_that_is_made_of_it(papers: Resolved) -> None:
    resolved = composed(papers, BOTH)
    assert resolved.config.benchmark["made"].subsets == {"base_9": "sums"}
    assert list(resolved.builds["made"].sets) == ["sums"]
    run = Context(resolved, Settings(resolved).get)
    assert [(place.build, place.name) for place in Sets(run).places()] == [("made", "sums")]


def test_cells_wait_where_a_subset_is_left_out_and_nowhere_else(papers: Resolved) -> None:
    resolved = composed(papers, BOTH, columns=COLUMNS)
    assert cells(resolved) == {"Sums": "", "Far": REASON, "Both": REASON, "All": REASON, "Mean": REASON}
    built = [plan.column for plan in plans(resolved.table("mine", "one")) if plan.is_built]
    assert built == ["Sums"]
    assert needs(resolved.measured("mine", "one")) == [("made", "length", "longer")]


def test_rows_that_pick_subsets_wait_each_for_its_own(papers: Resolved) -> None:
    rows = {"sums": LENGTH | {"subsets": ["base_9"]}, "far": LENGTH | {"subsets": ["far"]}}
    assert cells(composed(papers, BOTH, rows=rows), axis=0) == {"sums": "", "far": REASON}


def test_a_benchmark_of_which_nothing_can_be_built_is_waited_for_whole(papers: Resolved) -> None:
    resolved = composed(papers, {"far": "far"}, columns={"Far": ["far"], "All": {}})
    assert cells(resolved) == {"Far": REASON, "All": REASON}
    assert not needs(resolved.measured("mine", "one"))
    with pytest.raises(PlumblineError, match=r"nothing of the benchmark 'made'(.|\n)*plumbline pin dolly"):
        waiting.refuse_waiting("made", resolved.config, resolved.left_out)


def test_sets_that_wait_for_the_same_data_have_one_line(papers: Resolved) -> None:
    resolved = composed(papers, BOTH)
    sets = waiting.of_experiment(resolved.config, [resolved.table("mine", "one")], resolved.left_out)
    line = "plumbline: left out of this run: plain, far; nobody has pinned the data yet: plumbline pin dolly"
    assert waiting.lines(sets) == [line]
    assert waiting.lines(waiting.of_experiment(resolved.config, [], {})) == [line.replace("plain, far", "plain")]


def test_nothing_waits_where_every_pool_is_pinned(papers: Resolved) -> None:
    assert waiting.of_experiment(papers.config, [], papers.left_out) == []
    resolved = composed(papers, {"base_9": "sums"})
    assert not resolved.left_out and cells(resolved) == {"All": ""}
