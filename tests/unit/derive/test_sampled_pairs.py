"""Responses that are longer and shorter than a baseline's, each beside it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from deriving_here import derive, instance, made, reasons, stored
from hypothesis import given
from hypothesis import strategies as st
from plumbline.data.instances import Instance, Output
from plumbline.data.labels import Label
from plumbline.derive.derivations.sampled_pairs import SampledPairs

SAMPLED = SampledPairs(derive="sampled_pairs", of="p", baseline="base", longer=2, shorter=1)


def pool(name: str, lengths: list[int], baseline: int = 5) -> Instance:
    """Responses of these lengths by different systems, and the baseline's."""
    outputs = [Output("base", "b" * baseline), *(Output(f"s{n}", f"{n % 10}" * size) for n, size in enumerate(lengths))]
    return replace(instance(f"Say {name}."), outputs=tuple(outputs))


def systems(instances: list[Instance]) -> set[tuple[str, str]]:
    return {(one.instruction, one.outputs[0].system) for one in instances}


def test_so_many_longer_and_so_many_shorter_ones_stand_beside_the_baseline() -> None:
    [one] = stored(pool("it", [9, 8, 7, 6, 1, 2, 3]))
    found = derive(SAMPLED, [one])
    assert [one.entry.facts["length"] for one in found] == ["longer", "longer", "shorter"]
    for pair, length in zip(made(found), [True, True, False], strict=True):
        assert pair.outputs[1] == one.outputs[0]
        assert (len(pair.texts[0]) > len(pair.texts[1])) is length
    assert [pair.outputs[0].system for pair in made(found)] == [one.entry.facts["system"] for one in found]
    assert len({pair.id for pair in made(found)} | {one.id}) == 4


@given(st.permutations(range(8)), st.permutations(range(5)))
def test_what_is_sampled_hangs_on_neither_the_order_of_outputs_nor_that_of_rows(
    places: list[int], rows: list[int]
) -> None:
    instances = stored(*(pool(f"{n}", [9, 8, 7, 6, 1, 2, 3]) for n in range(5)))
    moved = [replace(one, outputs=tuple(one.outputs[place] for place in places)) for one in instances]
    expected = systems(made(derive(SAMPLED, instances)))
    assert systems(made(derive(SAMPLED, [moved[row] for row in rows]))) == expected


def test_each_instance_draws_for_itself_and_another_seed_draws_others() -> None:
    instances = stored(*(pool(f"{n}", [9, 8, 7, 6, 1, 2, 3]) for n in range(20)))
    found = systems(made(derive(SAMPLED, instances)))
    assert found == {each for one in instances for each in systems(made(derive(SAMPLED, [one])))}
    assert len({frozenset(system for told, system in found if told == one.instruction) for one in instances}) > 1
    assert found != systems(made(derive(replace(SAMPLED, seed=1), instances)))


@pytest.mark.parametrize(
    ("lengths", "outcomes"),
    [
        ([9, 1], ["kept", "too few longer responses", "kept"]),
        ([9, 8], ["kept", "kept", "too few shorter responses"]),
        ([5, 5], ["too few longer responses", "too few shorter responses"]),
        ([], ["too few longer responses", "too few shorter responses"]),
    ],
)
def test_the_ledger_has_what_there_is_too_little_of(lengths: list[int], outcomes: list[str]) -> None:
    found = derive(SAMPLED, stored(pool("it", lengths)))
    assert reasons(found) == outcomes
    for one in found:
        if not one.loaded:
            assert int(one.entry.facts["found"]) < int(one.entry.facts["wanted"])


def test_an_instance_without_the_baseline_makes_no_pair() -> None:
    [one] = derive(SAMPLED, stored(instance("Say it.", "One.", "Two.")))
    assert one.entry.reason == "no output by base"


def test_what_people_said_of_outputs_goes_with_those_that_are_there() -> None:
    [one] = stored(pool("it", [9, 8, 7, 1]))
    labels = [Label(one.id, "ann", "rating", about, "", float(about)) for about in range(5)]
    for found in derive(SAMPLED, [one], labels):
        [loaded] = found.loaded
        rated = {loaded.instance.outputs[label.about or 0]: label.value for label in loaded.labels}
        assert rated == {output: float(one.outputs.index(output)) for output in loaded.instance.outputs}
