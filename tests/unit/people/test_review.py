"""People's decisions on pairs under construction: kept safely and applied as meant."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from plumbline.data.journal_lines import as_line
from plumbline.data.labelled import Labelled
from plumbline.derive.review import (
    Decision,
    apply_decisions,
    decision_on,
    decisions_in,
    fields_of,
    read_decisions,
    shown_digest,
    with_fields,
)
from plumbline.people.journal import DECISIONS, Journal
from plumbline.people.pairs_desk import PairsDesk, Queued, read_queue
from plumbline.people.revisions import Outdated
from plumbline.records.errors import PlumblineError
from review_queue import pair_of, write_queue
from set_ledgers import UNREVIEWED, WHOLE, write_ledgers

TEXT = st.text(min_size=1, max_size=20).filter(str.strip)


def pairs_of(count: int, subset: str = "natural") -> list[Labelled]:
    return [pair_of(subset, f"I{n}", f"a{n}", f"b{n}", "first", f"{subset}#{n}") for n in range(count)]


ONE, TWO, THREE = pairs_of(3)


def discard(pair: Labelled, reviewer: str, reason: str = "unclear") -> Decision:
    return Decision(pair.id, shown_digest(pair), reviewer, "discard", reason=reason)


def clear(pair: Labelled, reviewer: str) -> Decision:
    return Decision(pair.id, shown_digest(pair), reviewer, "clear")


def statuses(*decisions: Decision) -> list[str]:
    return [one.status for one in apply_decisions([ONE, TWO, THREE], decisions).reviewed]


# decisions


def test_a_decision_is_named_by_what_it_changes() -> None:
    same = {"instruction": "I0", "first": "a0", "second": "b0", "gold": "first"}
    assert decision_on(ONE, "ann", same).action == "keep"
    assert decision_on(ONE, "ann", same | {"gold": "second"}).action == "swap"
    assert decision_on(ONE, "ann", same | {"gold": "second", "first": "A"}).action == "edit"
    assert decision_on(ONE, "ann", same | {"first": "A"}).fields == {"first": "A"}


def test_pairs_without_a_decision_are_unreviewed() -> None:
    assert statuses(decision_on(TWO, "ann", {})) == ["unreviewed", "kept", "unreviewed"]


def test_edits_and_swaps_reach_the_pair_and_a_discarded_one_keeps_its_reason() -> None:
    review = apply_decisions(
        [ONE, TWO, THREE],
        [
            decision_on(ONE, "ann", {"second": "B", "gold": "second"}),
            decision_on(TWO, "ann", {"gold": "second"}),
            discard(THREE, "ann", "both right"),
        ],
    )
    assert review.reviewed[0].pair == with_fields(ONE, {"second": "B", "gold": "second"})
    assert review.reviewed[1].pair == TWO._replace(gold="second")
    assert (review.reviewed[2].status, review.reviewed[2].reason) == ("discarded", "both right")
    assert not review.conflicts and not review.stale


def test_the_last_decision_counts_and_can_be_taken_back() -> None:
    assert statuses(discard(ONE, "ann"), decision_on(ONE, "ann", {}))[0] == "kept"
    assert statuses(discard(ONE, "ann"), clear(ONE, "ann"))[0] == "unreviewed"
    assert statuses(discard(ONE, "ann"), clear(ONE, "bob"))[0] == "discarded"


def test_reviewers_who_agree_share_a_pair_and_those_who_do_not_are_reported() -> None:
    review = apply_decisions(
        [ONE, TWO, THREE],
        [
            decision_on(ONE, "bob", {"first": "A"}),
            decision_on(ONE, "ann", {"first": "A"}),
            decision_on(TWO, "ann", {}),
            discard(TWO, "bob", "wrong"),
            discard(THREE, "ann", "vague"),
            discard(THREE, "bob", "unclear"),
        ],
    )
    assert review.reviewed[0].reviewers == ("ann", "bob")
    assert review.reviewed[1].status == "unreviewed"
    assert [(c.item, c.by_reviewer) for c in review.conflicts] == [
        (TWO.id, {"ann": "kept", "bob": "discarded (wrong)"})
    ]
    assert review.reviewed[2].reason == "vague; unclear"


def test_a_decision_on_other_words_than_todays_is_stale_and_not_applied() -> None:
    review = apply_decisions([with_fields(ONE, {"first": "another"})], [discard(ONE, "ann"), discard(TWO, "ann")])
    assert [one.status for one in review.reviewed] == ["unreviewed"]
    assert [decision.item for decision in review.stale] == [ONE.id, TWO.id]


OLD = b"""\
{"item": "39fa6c3dbfa4b1f2", "shown": "%s", "reviewer": "ann", "action": "swap", "fields": {"gold": "second"}}
{"item": "77d41d08b0c1e6aa", "shown": "%s", "reviewer": "ann", "action": "discard", "reason": "trivial"}
{"item": "c0ffee00c0ffee00", "shown": "0123456789abcdef", "reviewer": "ann", "action": "keep"}
"""
"""Decisions as they were written when ids were made otherwise."""


def called(pair: Labelled, name: str) -> Labelled:
    return pair._replace(instance=replace(pair.instance, id=name))


def old_decisions(*pairs: Labelled) -> list[Decision]:
    return decisions_in(OLD % tuple(shown_digest(pair).encode() for pair in pairs), "old.jsonl")


def test_a_pair_is_known_by_its_instruction_outputs_and_label() -> None:
    """Files that people keep name pairs by this digest."""
    assert shown_digest(ONE) == "71618129d8fbf6e5"


def test_decisions_under_old_ids_apply_to_every_pair_that_shows_what_their_reviewer_saw() -> None:
    review = apply_decisions([ONE, called(ONE, f"{ONE.id}-2"), TWO, THREE], old_decisions(ONE, TWO))
    assert [one.status for one in review.reviewed] == ["swapped", "swapped", "discarded", "unreviewed"]
    assert [one.pair.id for one in review.reviewed] == [ONE.id, f"{ONE.id}-2", TWO.id, THREE.id]
    assert [decision.item for decision in review.stale] == ["c0ffee00c0ffee00"]


def test_of_two_equal_pairs_the_second_keeps_its_decision_when_the_first_is_gone() -> None:
    second = called(ONE, f"{ONE.id}-2")
    answers = [discard(second, "ann")]
    assert [one.status for one in apply_decisions([ONE, second], answers).reviewed] == ["unreviewed", "discarded"]
    review = apply_decisions([ONE, TWO], answers)
    assert [one.status for one in review.reviewed] == ["discarded", "unreviewed"] and not review.stale


def test_a_decision_by_a_pairs_id_counts_before_one_that_only_knows_its_words() -> None:
    old = old_decisions(ONE, TWO)
    for answers in ([decision_on(ONE, "ann", {}), *old], [*old, decision_on(ONE, "ann", {})]):
        assert apply_decisions([ONE, TWO], answers).reviewed[0].status == "kept"
    assert apply_decisions([ONE, TWO], [*old, clear(ONE, "ann")]).reviewed[0].status == "unreviewed"


def test_a_decision_on_an_id_that_says_something_else_now_is_stale_whatever_shows_its_words() -> None:
    other = called(TWO, ONE.id)
    review = apply_decisions([other, called(ONE, "new")], [discard(ONE, "ann")])
    assert [one.status for one in review.reviewed] == ["unreviewed", "unreviewed"] and len(review.stale) == 1


def test_the_desk_shows_what_was_decided_under_an_old_id_and_can_take_it_back(tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_bytes(b"".join(map(as_line, old_decisions(ONE, TWO))))
    with Journal(tmp_path / "d.jsonl", "ann", DECISIONS) as journal:
        desk = PairsDesk([Queued(ONE, {}), Queued(TWO, {})], journal)
        assert desk.overview()["states"] == ["swapped", "discarded"]
        assert desk.shown(0)["fields"]["gold"] == "second"
        assert desk.post(1, {"action": "clear", "revision": desk.shown(1)["revision"]})["states"] == [
            "swapped",
            "unreviewed",
        ]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"action": "explode"}, "not allowed here"),
        ({"action": "discard"}, "without a reason"),
        ({"action": "edit", "fields": {"first": "  "}}, "would be empty"),
        ({"action": "edit", "fields": {"id": "x"}}, "cannot be edited"),
        ({"action": "swap", "fields": {"gold": "third"}}, "names no output"),
        ({"action": "keep", "colour": "red"}, "unknown key"),
    ],
)
def test_a_line_that_means_nothing_is_refused_with_its_place(row: dict[str, Any], message: str, tmp_path: Path) -> None:
    line = json.dumps({"item": "x", "shown": "y", "reviewer": "ann"} | row)
    (tmp_path / "d.jsonl").write_text(f"{as_line(clear(ONE, 'ann')).decode()}{line}\n")
    with pytest.raises(PlumblineError, match=message) as error:
        read_decisions([tmp_path / "d.jsonl"])
    assert "d.jsonl, line 2" in str(error.value)


# the queue and the desk


def test_the_ledgers_of_a_set_are_notes_on_its_pairs(tmp_path: Path) -> None:
    write_ledgers(tmp_path, WHOLE)
    names = [entry.became[0] for entry in UNREVIEWED]
    pairs = [called(pair, name) for pair, name in zip((ONE, TWO), names, strict=True)]
    queue = read_queue(write_queue(tmp_path, pairs, "built/set/unreviewed"))
    assert [queued.pair for queued in queue] == pairs
    related = {"item": "item a", "related": "Say z.", "detail": '{"rival":10}', "evaluators": "1 of 2 agree"}
    assert [queued.notes for queued in queue] == [related, related]


def test_a_benchmark_without_ledgers_is_a_queue_without_notes(tmp_path: Path) -> None:
    assert read_queue(write_queue(tmp_path, [ONE], "mine")) == [Queued(ONE, {})]


def test_what_is_no_benchmark_of_two_outputs_is_refused(tmp_path: Path) -> None:
    single = ONE._replace(instance=replace(ONE.instance, outputs=ONE.instance.outputs[:1]))
    with pytest.raises(PlumblineError, match="has 1 outputs"):
        read_queue(write_queue(tmp_path, [single]))
    with pytest.raises(PlumblineError, match="no instances that were built here"):
        read_queue(tmp_path / "queue.parquet")


def test_saying_the_same_twice_is_written_once(tmp_path: Path) -> None:
    with Journal(tmp_path / "d.jsonl", "ann", DECISIONS) as journal:
        desk = PairsDesk([Queued(ONE, {})], journal)
        for _ in range(2):
            desk.post(0, {"action": "discard", "reason": "unclear", "revision": desk.shown(0)["revision"]})
        assert len(journal.lines) == 1


def test_two_equal_outputs_are_refused(tmp_path: Path) -> None:
    fields = fields_of(ONE) | {"first": "b0 "}
    with (
        Journal(tmp_path / "d.jsonl", "ann", DECISIONS) as journal,
        pytest.raises(PlumblineError, match="would be the same"),
    ):
        PairsDesk([Queued(ONE, {})], journal).post(0, {"action": "accept", "fields": fields, "revision": ""})


def accept(desk: PairsDesk, revision: str) -> None:
    desk.post(0, {"action": "accept", "fields": fields_of(ONE), "revision": revision})


def test_a_page_that_did_not_show_what_stands_decides_nothing(tmp_path: Path) -> None:
    with Journal(tmp_path / "d.jsonl", "ann", DECISIONS) as journal:
        desk = PairsDesk([Queued(ONE, {})], journal)
        desk.post(0, {"action": "discard", "reason": "unclear", "revision": ""})
        with pytest.raises(Outdated):
            accept(desk, "")
        assert desk.shown(0)["state"] == "discarded" and len(journal.lines) == 1
        accept(desk, desk.shown(0)["revision"])
        assert desk.shown(0)["state"] == "kept"


@pytest.mark.parametrize(
    ("posted", "message"),
    [
        ({"action": "explode"}, "nothing here is called"),
        ({"action": "discard", "reason": " "}, "without a reason"),
        ({"action": "accept", "fields": {"first": 3}}, "is not text"),
        ({"action": "accept", "fields": []}, "is not text"),
        ({"action": "clear", "revision": 3}, "is not text"),
    ],
)
def test_nonsense_about_a_pair_is_refused_and_written_nowhere(
    posted: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with Journal(tmp_path / "d.jsonl", "ann", DECISIONS) as journal:
        desk = PairsDesk([Queued(ONE, {})], journal)
        with pytest.raises(PlumblineError, match=message):
            desk.post(0, {"revision": ""} | posted)
        with pytest.raises(PlumblineError, match="no pair 2"):
            desk.shown(1)
        assert not journal.lines
