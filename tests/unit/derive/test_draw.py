"""What is drawn, and several benchmarks as one."""

from __future__ import annotations

import pytest
from deriving_here import derive, instance, made, reasons, stored
from hypothesis import given
from hypothesis import strategies as st
from plumbline.data.ledger import NOT_DRAWN
from plumbline.derive.derivations.draw import Draw
from plumbline.derive.derivations.together import Together
from plumbline.derive.deriving import Deriving, Parent
from plumbline.derive.given import ById, GivenSet


@given(st.lists(st.text(min_size=1), min_size=1, max_size=30, unique=True), st.integers(1, 10), st.integers(0, 99))
def test_what_is_drawn_depends_on_each_instance_alone(names: list[str], size: int, seed: int) -> None:
    pool = stored(*(instance(name, "o", key=name) for name in names))
    benchmark = Draw(derive="draw", of=["pool/p"], size=size, seed=seed)
    drawn = {one.key for one in made(derive(benchmark, pool))}
    assert len(drawn) == min(size, len(names))
    assert {one.key for one in made(derive(benchmark, pool[::-1]))} == drawn
    assert {one.key for one in made(derive(benchmark, [one for one in pool if one.key in drawn]))} == drawn


def test_what_is_not_drawn_is_counted_as_that_and_not_as_dropped() -> None:
    derived = derive(Draw(derive="draw", of=["pool/p"], size=1), stored(instance("a", "o"), instance("b", "o")))
    assert sorted(one.entry.fate for one in derived) == ["kept", NOT_DRAWN]
    assert sorted(reasons(derived)) == ["kept", "not drawn"]


def test_a_set_that_came_out_empty_leaves_the_others_to_be_judged(caplog: pytest.LogCaptureFixture) -> None:
    benchmark = Together(derive="together", subsets={"near": "a", "far": "b"}, limit=1)
    parents = [Parent("a", stored(instance("a"), instance("b")), ById(())), Parent("b", [], ById(()))]
    with caplog.at_level("WARNING"):
        rows = list(Deriving("here", benchmark, parents, GivenSet()).run())
    assert [one.subset for one in made(rows)] == ["near"] and reasons(rows) == ["kept", "not drawn"]
    assert "came out empty" in caplog.text and "'far'" in caplog.text
