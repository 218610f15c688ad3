"""Constraints that O1 meets and O2 does not, and sums that hold in one base: all proved from the ledger."""

from __future__ import annotations

import json
import re
from typing import Any

from deriving_here import derive, gold, instance, made, reasons, stored, text
from deriving_here import written as texts_of
from plumbline.data.instances import Instance
from plumbline.data.loaded import Accounted
from plumbline.derive.addition import written
from plumbline.derive.constraints import TextWords, proves
from plumbline.derive.derivations.added import Added
from plumbline.derive.derivations.constrained import Constrained
from plumbline.derive.deriving import Deriving
from plumbline.derive.given import GivenSet
from plumbline.derive.needs import TextNeed
from plumbline.derive.sides import FIRST

NAMES = ("sea", "lake", "pond")
POOL = stored(*(instance(f"About {name}.", f"{name} is. " * n, key=name) for n, name in enumerate(NAMES, start=2)))


def constrained(instances: list[Instance], labels: Any = (), **written: str) -> list[Accounted]:
    by_key = {one.key: one for one in instances}
    texts = {FIRST: [text(by_key[key], words) for key, words in written.items()]} if written else {}
    benchmark = Constrained(derive="constrained", of="drawn", texts=dict.fromkeys(texts, TextNeed("w", "s@w")))
    render = lambda name, **values: f"{values['instruction']} {values['constraint']}"  # noqa: E731
    return derive(benchmark, instances, labels, texts=texts_of(texts), render=render)


def test_every_pair_of_use_is_proved_from_its_own_row_of_the_ledger() -> None:
    derived = constrained(POOL, sea="Salty!", lake="Q: 8?", pond="")
    assert len(derived) == 27, "nine structures an instruction"
    kept = [one for one in derived if one.loaded]
    assert kept and {one.entry.key for one in kept} == {"sea", "lake"}
    for one, pair in zip(kept, made(kept), strict=True):
        proof = json.loads(one.entry.facts["detail"])
        assert proves(proof["structure"], tuple(proof["values"]), *map(TextWords, pair.texts))
        assert all(value in pair.instruction for value in proof["values"])
    assert made(kept) == made(constrained(POOL, sea="Salty!", lake="Q: 8?", pond=""))
    assert all(reason.startswith("no values for ") for reason in reasons(derived) if reason != "kept")


def test_the_worse_of_two_compared_outputs_is_the_one_that_obeys() -> None:
    [sea] = stored(instance("Sea?", "Salty and wide.", "Wet."))
    assert {one.texts for one in made(constrained([sea], [gold(sea, "first")]))} == {("Wet.", "Salty and wide.")}


def test_every_sum_is_proved_by_the_check_the_set_was_made_without() -> None:
    benchmark = Added(derive="added", base=9, size=300)
    given = GivenSet(render=lambda name, **values: f"{name} {values}")
    rows = list(Deriving("sums", benchmark, [], given).run())
    assert len(rows) == 300
    for one, pair in zip(rows, made(rows), strict=True):
        assert one.loaded[0].labels[0].word == "first"
        terms = json.loads(one.entry.facts["detail"])
        result = written(int(terms["left"], 9) + int(terms["right"], 9), 9)
        first, second = (re.search(r"\{(\d+)\}\.$", output) for output in pair.texts)
        assert first and second and first[1] == result != second[1]
        assert one.entry.input == f"{terms['left']}+{terms['right']}"
