"""The frame of derivations: ids, labels, ledgers, and mistakes that name the instance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np
import pytest
from deriving_here import derive, gold, instance, labels_of, made, reasons, stored
from plumbline.config.benchmark import OfOne
from plumbline.data.instances import Instance
from plumbline.data.journal_lines import as_line
from plumbline.data.labelled import Labelled
from plumbline.data.labels import Label
from plumbline.derive import derivation as registry
from plumbline.derive.derivation import Derivation, Derived, Dropped, Made, Result
from plumbline.derive.derivations.decided import Decided
from plumbline.derive.derivations.screen import Screen
from plumbline.derive.derivations.together import Together
from plumbline.derive.deriving import Deriving, Parent
from plumbline.derive.given import ById, Given, GivenSet, InOrder, Vectors
from plumbline.derive.needs import Needs
from plumbline.derive.review import decision_on
from plumbline.records.errors import PlumblineError

ONE, OTHER = stored(instance("Say one.", "One.", "Two."), instance("Say other.", "Three.", "Four."))
GOLDS = [gold(ONE, "first"), gold(OTHER, "second")]


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """A derivation of a test's own, under the name `own`."""

    def register(function: object, whole: bool = False, labels: bool = False) -> OfOne:
        own: Derivation[OfOne] = Derivation("own", function, OfOne, lambda options: Needs(), whole, labels)  # type: ignore[arg-type]
        monkeypatch.setattr("plumbline.derive.deriving.named", lambda name: own)
        return OfOne(derive="own", of="parent")

    return register


def test_labels_are_carried_by_the_frame_and_never_shown_to_a_derivation(registered) -> None:  # type: ignore[no-untyped-def]
    seen: list[object] = []

    def own(one: Instance, given: Given, options: OfOne) -> Instance:
        seen.append(given.named_labels)
        return replace(one, outputs=one.outputs[::-1])

    derived = derive(registered(own), [ONE, OTHER], GOLDS)
    assert seen == [None, None]
    assert [(label.word, label.instance) for label in labels_of(derived)] == [
        ("second", made(derived)[0].id),
        ("first", made(derived)[1].id),
    ]


@pytest.mark.parametrize("labels", [False, True])
def test_whole_benchmarks_and_vectors_come_without_labels_too_unless_they_are_named(registered, labels: bool) -> None:  # type: ignore[no-untyped-def]
    def own(parents: Mapping[str, Iterable[Instance]], given: GivenSet, options: OfOne) -> Iterator[Derived]:
        for one in parents["parent"]:
            seen.extend([given.of(one).named_labels is not None, one.id in given.vectors[0].labels])
            yield Derived("parent", one, one)

    seen: list[bool] = []
    vectors = Vectors([ONE, OTHER], {label.instance: [label] for label in GOLDS}, np.zeros((2, 1), np.float32))
    derived = derive(registered(own, whole=True, labels=labels), [ONE, OTHER], GOLDS, vectors=[vectors])
    assert seen == [labels] * 4 and labels_of(derived) == GOLDS


def test_a_derivation_that_names_labels_gets_them_and_gives_its_own(registered) -> None:  # type: ignore[no-untyped-def]
    def own(one: Instance, given: Given, options: OfOne) -> Result:
        assert given.gold in ("first", "second")
        return Made(one, [Label("", "gold", "better", None, "tie", None)]) if given.gold == "first" else Dropped("no")

    derived = derive(registered(own, labels=True), [ONE, OTHER], GOLDS)
    assert [(label.instance, label.word) for label in labels_of(derived)] == [(ONE.id, "tie")]
    assert reasons(derived) == ["kept", "no"]


def test_labels_that_a_derivation_did_not_name_are_refused(registered) -> None:  # type: ignore[no-untyped-def]
    benchmark = registered(lambda one, given, options: Made(one, [GOLDS[0]]))
    with pytest.raises(
        PlumblineError, match=f"'own' gives labels and does not name them(.|\n)*here, instance {ONE.id}"
    ):
        derive(benchmark, [ONE])


@pytest.mark.parametrize("whole", [False, True])
def test_labels_that_a_derivation_looks_at_without_naming_them_are_an_error(registered, whole: bool) -> None:  # type: ignore[no-untyped-def]
    def of_one(one: Instance, given: Given, options: OfOne) -> Result:
        return Dropped("easy") if given.gold == "first" else one

    def of_all(parents: dict[str, list[Instance]], given: GivenSet, options: OfOne) -> Iterator[Derived]:
        for one in parents["parent"]:
            yield Derived("parent", one, of_one(one, given.of(one), options))

    benchmark = registered(of_all if whole else of_one, whole=whole)
    with pytest.raises(PlumblineError, match="'own' fails: LookupError: it looks at labels and is not"):
        derive(benchmark, [ONE, OTHER], GOLDS)


def test_labels_that_no_longer_hold_are_left_out_and_counted(registered) -> None:  # type: ignore[no-untyped-def]
    derived = derive(registered(lambda one, given, options: replace(one, instruction="Ask.")), [ONE], GOLDS)
    assert labels_of(derived) == []
    assert [one.entry.labels_left for one in derived] == [1]


def test_every_input_has_a_row_with_what_it_became(registered) -> None:  # type: ignore[no-untyped-def]
    def own(one: Instance, given: Given, options: OfOne) -> Iterator[Result]:
        yield replace(one, instruction=f"{one.instruction} Please.")
        yield replace(one, instruction=f"{one.instruction} Now.")

    [entry] = [one.entry for one in derive(registered(own), [ONE])]
    assert (entry.input, len(entry.became), entry.key, entry.origin) == (ONE.id, 2, ONE.key, ONE.origin)


@pytest.mark.parametrize("given", [[], "nothing", None])
def test_what_gives_neither_an_instance_nor_a_reason_is_refused_by_instance(registered, given: object) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(PlumblineError, match=f"the derivation 'own' fails(.|\n)*benchmark here, instance {ONE.id}"):
        derive(registered(lambda one, of, options: given), [ONE])


def test_a_derivation_of_a_set_that_forgets_an_instance_is_refused(registered) -> None:  # type: ignore[no-untyped-def]
    def own(parents: Mapping[str, Iterable[Instance]], given: GivenSet, options: OfOne) -> Iterator[Derived]:
        first, *_ = parents["parent"]
        yield Derived("parent", first, first)

    with pytest.raises(PlumblineError, match=f"says nothing of the instance {OTHER.id}"):
        derive(registered(own, whole=True), [ONE, OTHER])


def test_of_two_equal_instances_the_second_keeps_its_id_when_the_first_is_dropped() -> None:
    first, second = stored(replace(ONE, id="", key="1"), replace(ONE, id="", key="2"))
    assert second.id == f"{first.id}-2"
    registry_screen = Screen(derive="screen", of="parent")
    derived = derive(registry_screen, [replace(first, outputs=first.outputs[:1] * 2), second])
    assert [one.id for one in made(derived)] == [second.id]


@pytest.mark.parametrize("dropped", [False, True])
def test_a_decision_on_the_second_of_two_equal_instances_stays_with_it(dropped: bool) -> None:
    first, second = stored(replace(ONE, id="", key="1"), replace(ONE, id="", key="2"))
    decision = decision_on(Labelled(second, "first"), "ada", {"gold": "second"})
    there = [second] if dropped else [first, second]
    benchmark = Decided(derive="decided", of="parent", decisions=["ada.jsonl"])
    derived = derive(benchmark, there, [gold(one, "first") for one in there], files={"ada.jsonl": as_line(decision)})
    assert reasons(derived) == ["not reviewed yet"] * (len(there) - 1) + ["kept"]
    assert [one.id for one in made(derived)] == [second.id] and labels_of(derived) == [gold(second, "second")]


def test_together_keeps_ids_and_tells_equal_ones_of_two_parents_apart() -> None:
    benchmark = Together(derive="together", subsets={"x": "p", "y": "q"})
    parents = [Parent("p", [ONE], ById([GOLDS[0]])), Parent("q", [ONE, OTHER], ById(GOLDS))]
    rows = list(Deriving("here", benchmark, parents, GivenSet()).run())
    assert [(one.id, one.subset) for one in made(rows)] == [(ONE.id, "x"), (f"{ONE.id}-2", "y"), (OTHER.id, "y")]
    assert [label.instance for label in labels_of(rows)] == [one.id for one in made(rows)]


def test_records_in_order_that_are_about_nobody_are_refused() -> None:
    from pathlib import Path

    rows = InOrder([GOLDS[1]], Path("labels.parquet"))
    assert rows.of(ONE) == ()
    with pytest.raises(PlumblineError, match=f"about the instance {OTHER.id}(.|\n)*labels.parquet"):
        rows.finish()


def test_every_derivation_of_the_library_says_what_it_does() -> None:
    assert all(registry.named(name).doc for name in registry.names())


# mistakes of a derivation: each names the benchmark and the instance

Own = Callable[..., object]


@pytest.mark.parametrize(
    ("own", "message"),
    [
        (lambda one, given, options: 1 / 0, "ZeroDivisionError: division by zero"),
        (lambda one, given, options: [Dropped("no"), 3], "it gives 3, and should give an Instance, Made or Dropped"),
        (lambda one, given, options: replace(one, instruction=3), "the instance.instruction is 3, and should be of"),
        (lambda one, given, options: Made("it"), "the instance is 'it', and should be of the type Instance"),
        (lambda one, given, options: Dropped(None), "the reason is None, and should be of the type str"),
        (lambda one, given, options: Dropped("no", facts={"votes": 3}), r"facts\['votes'\] is 3, and should be of"),
        (lambda one, given, options: Made(one, ["first"]), "a label is 'first', and should be of the type Label"),
    ],
)
def test_what_a_derivation_does_wrong_is_told_with_benchmark_and_instance(registered, own: Own, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(
        PlumblineError, match=f"the derivation 'own' fails: .*{message.removeprefix('fails: ')}"
    ) as refused:
        derive(registered(own, labels=True), [ONE])
    assert f"benchmark here, instance {ONE.id}" in str(refused.value)
    assert "test_deriving.py, line" in str(refused.value)


def test_an_instance_that_is_made_twice_is_refused(registered) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(PlumblineError, match=f"the instance {ONE.id} is made twice(.|\n)*benchmark here"):
        derive(registered(lambda one, given, options: [one, replace(one, context={"more": ("Text.",)})]), [ONE])


def test_an_id_of_its_own_making_is_refused_whatever_the_content(registered) -> None:  # type: ignore[no-untyped-def]
    for changes in ({"id": "mine"}, {"id": OTHER.id, "instruction": "Ask."}):
        benchmark = registered(lambda one, given, options, changes=changes: replace(one, **changes))
        own = f"the id '{changes['id']}' of its own making(.|\n)*benchmark here, instance {ONE.id}"
        with pytest.raises(PlumblineError, match=own):
            derive(benchmark, [ONE, OTHER])


@pytest.mark.parametrize(
    ("outcomes", "message"),
    [
        ([Derived("nobody", ONE, ONE)], "it speaks of the benchmark 'nobody', which it was not given"),
        ([Derived("parent", ONE, None)], f"of {ONE.id} it gives None, and should give an Instance"),
        ([Derived("parent", None, ONE)], "it gives Derived(.|\n)*and should give a Derived"),
        ([ONE], "and should give a Derived"),
        (None, "it gives None, and should yield Derived"),
        ([Derived("parent", ONE, ONE), Derived("parent", ONE, ONE)], f"the instance {ONE.id} is made twice"),
        ([Derived("parent", ONE, replace(ONE, id="mine"))], f"own making(.|\n)*instance {ONE.id}"),
        ([Derived("parent", ONE, Made(ONE, [GOLDS[0]]))], f"does not name them(.|\n)*instance {ONE.id}"),
    ],
)
def test_so_is_what_a_derivation_of_whole_benchmarks_does_wrong(registered, outcomes: object, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(PlumblineError, match=message) as refused:
        derive(registered(lambda parents, given, options: outcomes, whole=True), [ONE])
    assert "benchmark here" in str(refused.value)


# ids


@pytest.mark.parametrize("order", [(ONE, OTHER), (OTHER, ONE)])
def test_an_instance_keeps_its_id_though_another_becomes_the_same(registered, order: tuple[Instance, ...]) -> None:  # type: ignore[no-untyped-def]
    def own(one: Instance, given: Given, options: OfOne) -> Instance:
        return replace(OTHER, id="", key=one.key)

    derived = {one.key: one.id for one in made(derive(registered(own), order))}
    assert derived == {OTHER.key: OTHER.id, ONE.key: f"{OTHER.id}-2"}


def test_no_new_id_is_that_of_an_instance_that_was_dropped(registered) -> None:  # type: ignore[no-untyped-def]
    """Verdicts and decisions on that one are not about the new one, whatever it says."""

    def own(one: Instance, given: Given, options: OfOne) -> Result:
        return Dropped("no") if one == OTHER else replace(OTHER, id="")

    assert [one.id for one in made(derive(registered(own), [ONE, OTHER]))] == [f"{OTHER.id}-2"]
