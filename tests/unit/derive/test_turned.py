"""Which output of a pair stands first tells nothing."""

from __future__ import annotations

from deriving_here import about, derive, gold, made, stored, words
from plumbline.derive.derivations.turned import Turned

TURNED = Turned(derive="turned", of="p", seed=5)


def test_it_is_drawn_for_each_pair_and_its_label_follows() -> None:
    pairs = stored(*(about(f"thing {n}", f"All about {n}.", f"Bad {n}") for n in range(200)))
    derived = derive(TURNED, pairs, [gold(one, "first") for one in pairs])
    for one, word in zip(made(derived), words(derived), strict=True):
        assert one.texts[word == "second"].startswith("All about")
    assert 70 < words(derived).count("first") < 130
    assert [one.entry.facts["turned"] for one in derived] == [
        "no" if word == "first" else "yes" for word in words(derived)
    ]


def test_it_is_the_same_for_a_pair_whatever_stands_beside_it() -> None:
    pairs = stored(*(about(f"thing {n}", "Good.", "Bad.") for n in range(20)))
    alone = [one for pair in pairs for one in made(derive(TURNED, [pair]))]
    assert made(derive(TURNED, pairs)) == alone
    assert made(derive(TURNED, pairs[::-1]))[::-1] == alone


def test_another_seed_turns_others() -> None:
    pairs = stored(*(about(f"thing {n}", "Good.", "Bad.") for n in range(20)))
    assert made(derive(TURNED, pairs)) != made(derive(Turned(derive="turned", of="p", seed=6), pairs))
