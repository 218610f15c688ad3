"""The ledgers of a set, read one after the other: where every row ended, and what is known of each pair."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from plumbline.data.ledger import Entry
from plumbline.derive.history import finished, histories, ledgers_in, outcomes, read_ledgers
from plumbline.records.errors import PlumblineError
from set_ledgers import DECIDED, MADE, SEEN_THROUGH, UNFILTERED, VOTES, WHOLE, dropped, kept, write_ledgers

NEAR = {
    "near": [
        kept("a", facts={"similarity": "0.75", "neighbour": "z"}),
        dropped("b", "the neighbour is below the floor", facts={"similarity": "0.2", "neighbour": "z"}),
        dropped("c", "no neighbour below the ceiling"),
    ],
    "pairs": [kept("a", "p1", texts=MADE, facts={"O1 from": "reference a"})],
    "screened": [kept("p1")],
}


def test_every_row_ends_once_in_each_stage_that_it_came_to() -> None:
    assert outcomes(DECIDED) == {
        "pool": ["empty instruction", "kept", "not drawn"],
        "candidates": ["same instruction back", "kept", "kept", "kept", "O2 is empty"],
        "filter": ["kept", "kept", SEEN_THROUGH],
        "review": ["kept", "discarded: trivial"],
    }


def test_where_nobody_evaluated_the_filter_kept_all() -> None:
    assert outcomes(UNFILTERED) == {"candidates": ["kept"], "filter": ["kept"]}


def test_what_came_near_to_nothing_is_a_candidate_that_was_dropped() -> None:
    assert Counter(outcomes(NEAR)["candidates"]) == {
        "kept": 1,
        "the neighbour is below the floor": 1,
        "no neighbour below the ceiling": 1,
    }
    assert [(one.similarity, one.dropped_by) for one in histories(NEAR)] == [(0.75, ""), (0.2, "near"), (None, "near")]


def test_the_history_of_a_finished_pair_leads_back_to_how_it_was_made() -> None:
    [one] = finished(DECIDED).values()
    assert (one.id, one.key, one.origin, one.outcome) == ("r1", "item a", "file#0", "kept")
    assert one.votes == VOTES
    assert one.facts["agreeing"] == "1 of 2 agree" and one.facts["O1 from"] == "asked first"
    assert one.facts["state"] == "edited" and one.texts["O2"] == MADE["O2"]
    assert one.texts["first output as edited"] == "A!"


def test_what_was_dropped_says_at_which_stage_and_keeps_what_was_known_of_it() -> None:
    ended = {(one.stage, one.outcome): one for one in histories(DECIDED)}
    assert list(ended) == [
        ("pool", "empty instruction"),
        ("review", "kept"),
        ("review", "discarded: trivial"),
        ("filter", SEEN_THROUGH),
        ("candidates", "O2 is empty"),
        ("candidates", "same instruction back"),
    ]
    assert ended["filter", SEEN_THROUGH].votes and ended["filter", SEEN_THROUGH].texts["O1"] == "A"
    assert not any(one.id for one in histories(DECIDED) if one.dropped_by)


def test_before_people_decide_every_pair_ends_with_the_filter() -> None:
    assert set(finished(WHOLE)) == {"u1", "u2"}
    assert {one.stage for one in histories(WHOLE) if one.left_by_filter} == {"filter"}


def test_of_the_evaluators_ledger_only_the_sets_own_pairs_are_read(tmp_path: Path) -> None:
    files = write_ledgers(tmp_path, DECIDED)
    assert read_ledgers("set", files) == DECIDED
    assert ledgers_in(tmp_path / "ledger/built/set", "unreviewed") == {
        name: entries for name, entries in WHOLE.items() if name not in ("pool", "drawn")
    }


def test_a_set_that_nobody_evaluates_is_read_beside_one_that_is(tmp_path: Path) -> None:
    write_ledgers(tmp_path, DECIDED)
    write_ledgers(tmp_path, UNFILTERED, "built/sums")
    assert set(finished(ledgers_in(tmp_path / "ledger/built/sums", "unreviewed"))) == {"u1"}
    assert ledgers_in(tmp_path / "ledger/built/sums", "instances of something else") == {}


def test_ledgers_that_do_not_fit_together_are_refused() -> None:
    torn: dict[str, list[Entry]] = {"pairs": [kept("a", "p1")], "screened": [kept("p2")]}
    with pytest.raises(PlumblineError, match="'screened' does not say what became of p1"):
        list(histories(torn))
