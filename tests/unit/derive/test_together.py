"""Several benchmarks as the subsets of one."""

from __future__ import annotations

from typing import Any

import pytest
from deriving_here import about, gold, labels_of, made, stored
from plumbline.data.instances import Instance
from plumbline.data.ledger import NOT_DRAWN
from plumbline.data.loaded import Accounted
from plumbline.derive.derivations.together import Together
from plumbline.derive.deriving import Deriving, Parent
from plumbline.derive.given import ById, GivenSet

SEA, LAKE, POND = stored(*(about(name, "a", "b") for name in ("sea", "lake", "pond")))


def together(near: list[Instance], far: list[Instance], **options: Any) -> list[Accounted]:
    parents = [Parent("near", near, ById([gold(one, "second") for one in near]))]
    parents += [Parent("far", far, ById([gold(one, "first") for one in far]))]
    declared = Together(derive="together", subsets={"N": "near", "F": "far"}, **options)
    return list(Deriving("here", declared, parents, GivenSet()).run())


def test_each_benchmark_is_a_subset_and_labels_go_with_their_pairs() -> None:
    derived = together([SEA, LAKE], [SEA])
    assert [(one.subset, one.key) for one in made(derived)] == [("N", "sea"), ("N", "lake"), ("F", "sea")]
    assert [(label.instance, label.word) for label in labels_of(derived)] == [
        (one.id, word) for one, word in zip(made(derived), ["second", "second", "first"], strict=True)
    ]


def test_one_that_came_out_empty_leaves_the_others_to_be_judged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("WARNING"):
        assert [one.subset for one in made(together([SEA], []))] == ["N"]
    assert "came out empty" in caplog.text and "'F'" in caplog.text and "'N'" not in caplog.text


def test_where_all_came_out_empty_each_is_named(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("WARNING"):
        assert together([], []) == []
    assert "'N', 'F'" in caplog.text


def test_a_limit_takes_the_first_of_each_and_counts_the_rest_as_not_drawn() -> None:
    derived = together([SEA, LAKE, POND], [POND, SEA], limit=2)
    assert [one.key for one in made(derived)] == ["sea", "lake", "pond", "sea"]
    assert [(one.entry.key, one.entry.fate) for one in derived if not one.loaded] == [("pond", NOT_DRAWN)]
