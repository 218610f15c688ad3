"""Sums as pairs, computed from nothing."""

from __future__ import annotations

import json
import re

from deriving_here import derive, made, words
from plumbline.data.loaded import Accounted
from plumbline.derive.addition import written
from plumbline.derive.derivations.added import Added


def added(size: int, base: int = 9) -> list[Accounted]:
    return derive(Added(derive="added", size=size, base=base), [], render=lambda name, **values: f"{name} {values}")


def test_every_pair_is_proved_by_the_check_the_set_was_made_without() -> None:
    derived = added(300)
    assert words(derived) == ["first"] * 300
    for one, pair in zip(derived, made(derived), strict=True):
        detail = json.loads(one.entry.facts["detail"])
        result = int(detail["left"], 9) + int(detail["right"], 9)
        first, second = (re.search(r"\{(\d+)\}\.$", text) for text in pair.texts)
        assert first and first[1] == written(result, 9)
        assert second and second[1] != written(result, 9)


def test_each_sum_is_a_row_of_the_ledger_and_the_name_of_its_pair() -> None:
    [one] = added(1)
    [pair] = made([one])
    detail = json.loads(one.entry.facts["detail"])
    assert one.entry.input == pair.key == pair.origin == f"{detail['left']}+{detail['right']}"
    assert (one.entry.facts["O1 from"], one.entry.facts["O2 from"]) == ("computed", "computed")


def test_the_instruction_names_the_base_and_its_digits() -> None:
    [pair] = made(added(1))
    assert pair.instruction.startswith("addition ") and "'base': 9, 'digits': '012345678'" in pair.instruction


def test_a_larger_set_holds_the_smaller_one() -> None:
    assert {one.id for one in made(added(10))} <= {one.id for one in made(added(30))}
