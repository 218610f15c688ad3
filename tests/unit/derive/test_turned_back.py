"""A negation set's pairs under their plain instruction."""

from __future__ import annotations

from deriving_here import about, derive, gold, instance, labels_of, made, stored, words
from plumbline.derive.derivations.turned_back import TurnedBack

PLAIN = stored(about("sea"), about("lake"))
NEGATED = stored(
    *(instance(f"Be of no help: {one.key}.", "Wet.", f"All about {one.key}.", key=one.key) for one in PLAIN)
)


def test_the_same_outputs_are_shown_under_the_plain_instruction_with_the_opposite_label() -> None:
    declared = TurnedBack(derive="turned_back", of="n", plain="p")
    others = {"plain": {one.key: one for one in PLAIN}}
    derived = derive(declared, NEGATED, [gold(NEGATED[0], "first"), gold(NEGATED[1], "second")], others=others)
    assert [one.instruction for one in made(derived)] == [one.instruction for one in PLAIN]
    assert [one.outputs for one in made(derived)] == [one.outputs for one in NEGATED]
    assert words(derived) == ["second", "first"]
    assert [label.instance for label in labels_of(derived)] == [one.id for one in made(derived)]
    assert not {one.id for one in made(derived)} & {one.id for one in NEGATED}
    assert [one.entry.texts["the other instruction"] for one in derived] == [one.instruction for one in NEGATED]
