"""Neighbours: sought in the same pool, below the ceiling and above the floor."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from deriving_here import derive, gold, instance, made, reasons, stored
from plumbline.data.instances import Instance
from plumbline.data.labels import Label
from plumbline.data.loaded import Accounted
from plumbline.derive.derivations.near import NEIGHBOUR, NEIGHBOUR_OUTPUT, Near
from plumbline.derive.given import Vectors

SEA, LAKE, STONE = stored(
    *(instance(f"About {name}.", f"All of {name}.", key=name) for name in ("sea", "lake", "stone"))
)


def near(
    drawn: list[Instance], rows: list[list[float]], pool: list[Instance], labels: Any = (), **bounds: float
) -> list[Accounted]:
    benchmark = Near(derive="near", of="drawn", pools=["pool/p"], embedder="e", **bounds)
    known: dict[str, list[Label]] = {label.instance: [label] for label in labels}
    return derive(benchmark, drawn, labels, vectors=[Vectors(pool, known, np.array(rows, np.float32))])


def test_the_most_similar_other_instruction_of_the_pool_is_the_neighbour_drawn_or_not() -> None:
    derived = near([SEA], [[1, 0], [1, 0.1], [1, 5]], [SEA, LAKE, STONE], ceiling=1.0)
    [one] = made(derived)
    assert (one.context[NEIGHBOUR], one.context[NEIGHBOUR_OUTPUT]) == (("About lake.",), ("All of lake.",))
    assert one.id == SEA.id, "context makes no other instance"
    assert derived[0].entry.facts["neighbour"] == "lake"
    assert float(derived[0].entry.facts["similarity"]) == pytest.approx(1 / np.sqrt(1.01))


def test_a_ceiling_that_leaves_nothing_leaves_every_row_counted() -> None:
    derived = near([SEA, LAKE], [[1, 0], [1, 0.1]], [SEA, LAKE], ceiling=0.1)
    assert reasons(derived) == ["no neighbour below the ceiling"] * 2


def test_a_neighbour_below_the_floor_makes_no_pair_and_one_that_reaches_it_does() -> None:
    rows = [[1.0, 0.0], [0.8, 0.6], [-1.0, 0.0]]
    derived = near([SEA, LAKE, STONE], rows, [SEA, LAKE, STONE], ceiling=1.0, floor=0.75)
    assert reasons(derived) == ["kept", "kept", "the neighbour is below the floor"]
    assert all("similarity" in one.entry.facts for one in derived), "also of what the floor drops"
    assert len(made(near([SEA, LAKE, STONE], rows, [SEA, LAKE, STONE], ceiling=1.0))) == 3


@pytest.mark.parametrize(("better", "output"), [("first", "a"), ("second", "b")])
def test_the_output_of_a_compared_neighbour_is_the_one_that_people_preferred(better: str, output: str) -> None:
    sea, lake = stored(instance("Sea?", "a", "b", key="sea"), instance("Lake?", "a", "b", key="lake"))
    [one] = made(near([sea], [[1, 0], [1, 0.1]], [sea, lake], [gold(sea, better), gold(lake, better)], ceiling=1.0))
    assert one.context[NEIGHBOUR_OUTPUT] == (output,)
