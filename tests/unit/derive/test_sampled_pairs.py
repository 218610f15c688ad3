"""Pairs sampled from a pool of responses: so many longer and so many shorter ones beside a baseline."""

from __future__ import annotations

from dataclasses import replace

import pytest
from deriving_here import derive, instance, made, reasons, stored
from hypothesis import given
from hypothesis import strategies as st
from plumbline.data.instances import Instance, Output
from plumbline.data.loaded import Accounted
from plumbline.derive.derivations.sampled_pairs import SampledPairs
from plumbline.records.errors import PlumblineError

BASELINE = "human"
LENGTHS = {"a": 2, "b": 3, "c": 4, "d": 7, "e": 8, "f": 9}


def pool(instruction: str, lengths: dict[str, int], baseline: int | None = 5) -> Instance:
    """Responses of so many characters by each system."""
    result = lengths if baseline is None else {**lengths, BASELINE: baseline}
    outputs = tuple(Output(system, system[0] * length) for system, length in result.items())
    return replace(instance(instruction, document=f"About {instruction}"), outputs=outputs)


POOLS = stored(*(pool(f"Say {number}.", LENGTHS) for number in range(12)))


def sampled(*instances: Instance, longer: int = 1, shorter: int = 1, seed: int = 1) -> list[Accounted]:
    benchmark = SampledPairs(
        derive="sampled_pairs", of="pool", baseline=BASELINE, longer=longer, shorter=shorter, seed=seed
    )
    return derive(benchmark, instances)


def systems(accounted: list[Accounted]) -> list[tuple[str, ...]]:
    return [tuple(output.system for output in one.outputs) for one in made(accounted)]


def test_so_many_longer_and_so_many_shorter_responses_stand_beside_the_baseline() -> None:
    pairs = sampled(POOLS[0], longer=2, shorter=1)
    assert [len(one.outputs) for one in made(pairs)] == [2, 2, 2]
    assert all(one.outputs[1] == Output(BASELINE, "h" * 5) for one in made(pairs))
    firsts = [one.outputs[0].system for one in made(pairs)]
    assert set(firsts[:2]) < {"d", "e", "f"} and firsts[2] in {"a", "b", "c"}
    assert len(set(firsts)) == 3, "each response at most once"


def test_a_pair_has_an_id_of_its_own_and_all_else_of_its_instance() -> None:
    pairs = made(sampled(POOLS[0]))
    assert len({one.id for one in pairs} | {POOLS[0].id}) == 3
    for one in pairs:
        assert replace(one, id=POOLS[0].id, outputs=POOLS[0].outputs) == POOLS[0]


def test_the_ledger_says_of_each_pair_which_system_was_drawn_and_why() -> None:
    pairs = sampled(POOLS[0])
    assert [one.entry.facts for one in pairs] == [
        {"system": system, "length": length}
        for (system, _), length in zip(systems(pairs), ("longer", "shorter"), strict=True)
    ]
    assert {one.entry.input for one in pairs} == {POOLS[0].id}


def test_which_are_drawn_is_decided_for_each_instance_by_itself() -> None:
    alone = [systems(sampled(one)) for one in POOLS]
    assert len({tuple(one) for one in alone}) > 1, "not the same systems for every instruction"
    assert systems(sampled(*POOLS)) == [pair for one in alone for pair in one]
    assert systems(sampled(*reversed(POOLS))) == [pair for one in reversed(alone) for pair in one]


def test_the_seed_decides_which() -> None:
    assert systems(sampled(*POOLS, seed=1)) == systems(sampled(*POOLS, seed=1))
    assert systems(sampled(*POOLS, seed=1)) != systems(sampled(*POOLS, seed=2))


@given(st.permutations(list(LENGTHS)))
def test_the_order_of_the_responses_does_not_decide_which_are_drawn(order: list[str]) -> None:
    """Of an instance that keeps its id, since that is made of the responses in their order."""
    [one] = POOLS[:1]
    shuffled = replace(
        one, outputs=(one.outputs[-1], *(out for name in order for out in one.outputs if out.system == name))
    )
    assert systems(sampled(shuffled, longer=2, shorter=2)) == systems(sampled(one, longer=2, shorter=2))


def test_where_there_are_too_few_the_ledger_counts_them_and_those_that_are_there_are_taken() -> None:
    [few] = stored(pool("Say few.", {"a": 2, "d": 7}))
    pairs = sampled(few, longer=3, shorter=1)
    assert systems(pairs) == [("d", BASELINE), ("a", BASELINE)]
    assert reasons(pairs) == ["kept", "too few longer responses", "kept"]
    assert pairs[1].entry.facts == {"wanted": "3", "found": "1"}


def test_a_response_as_long_as_the_baseline_is_neither_longer_nor_shorter() -> None:
    [even] = stored(pool("Say even.", {"a": 5, "d": 7, "b": 3}))
    assert systems(sampled(even, longer=2, shorter=2)) == [("d", BASELINE), ("b", BASELINE)]


def test_an_instance_without_the_baseline_is_dropped_with_the_reason() -> None:
    [without] = stored(pool("Say none.", LENGTHS, baseline=None))
    pairs = sampled(without, POOLS[0])
    assert reasons(pairs) == [f"no output by {BASELINE}", "kept", "kept"]
    assert pairs[0].entry.input == without.id and len(made(pairs)) == 2


def test_an_empty_response_is_none_and_an_empty_baseline_is_no_baseline() -> None:
    """A system that declined to answer has an empty output."""
    [declined, empty] = stored(pool("Say a.", {"a": 0, "d": 7}), pool("Say b.", {"a": 2}, baseline=0))
    pairs = sampled(declined, empty)
    assert systems(pairs) == [("d", BASELINE)]
    assert reasons(pairs) == ["kept", "too few shorter responses", f"the output by {BASELINE} is empty"]


def test_a_pair_is_flawed_only_where_one_of_its_own_outputs_is() -> None:
    [one] = stored(pool("Say cut.", {"a": 2, "d": 7}))
    longer, shorter = made(sampled(replace(one, flawed={"d": "truncated", "checklist": "refused"})))
    assert longer.flawed == {"d": "truncated", "checklist": "refused"}
    assert shorter.flawed == {"checklist": "refused"}


def test_two_systems_with_equal_responses_make_two_pairs() -> None:
    [one] = stored(pool("Say twice.", {"d": 7, "dd": 7}))
    pairs = made(sampled(one, longer=2, shorter=0))
    assert {output.system for pair in pairs for output in pair.outputs} == {"d", "dd", BASELINE}
    assert pairs[1].id == f"{pairs[0].id}-2"


def test_to_sample_nothing_is_refused() -> None:
    with pytest.raises(PlumblineError, match="neither longer nor shorter"):
        sampled(POOLS[0], longer=0, shorter=0)
