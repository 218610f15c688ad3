"""The best of several, chosen where it is not measured: without the gain of choosing among equals."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from invented import PlantedRow, all_cells, cells, outputs, pair, right_of, table, together, waiting
from plumbline.config.tables import Pick
from plumbline.data.instances import Instance
from plumbline.measuring.cases import Case, Judge
from plumbline.measuring.cells import Cell
from plumbline.measuring.checks import check
from plumbline.measuring.parts import FOLDS
from plumbline.records.errors import PlumblineError
from plumbline.records.files import digest_value

NAMES = ("a", "b", "c", "d", "e")
RIGHT, WRONG = ("first", "first", "first"), ("first", "second", "second")


def rows(names: Sequence[str] = NAMES) -> dict[str, Pick]:
    return {name: Pick(model=name, protocol="vanilla") for name in names} | {"Best": Pick(best_of=list(names))}


def judged(outcomes: Sequence[Sequence[PlantedRow]], subset: str = "easy", size: int = 1) -> list[Case]:
    """The outcomes of each judge; so many instances share an instruction."""
    about = [clustered(number, subset, size) for number in range(len(outcomes[0]))]
    judges = [Judge(name, "vanilla") for name in NAMES]
    return together(
        *(
            [pair(each, outcome, judge) for each, outcome in zip(about, mine, strict=True)]
            for judge, mine in zip(judges, outcomes, strict=False)
        )
    )


def clustered(number: int, subset: str, size: int) -> Instance:
    return Instance(f"{subset}-{number}", subset, f"Do {subset} {number // size}", outputs((1, 1)))


def drawn(rates: Sequence[float], n: int, seed: int) -> list[list[PlantedRow]]:
    draw = np.random.default_rng(seed)
    return [[RIGHT if draw.random() < rate else WRONG for _ in range(n)] for rate in rates]


def best(cases: Sequence[Case], names: Sequence[str], **changes: object) -> Cell:
    """The best of some, read strictly."""
    return both_bests(cases, names, **changes)["strict"]


def both_bests(cases: Sequence[Case], names: Sequence[str], **changes: object) -> dict[str, Cell]:
    """The best of some in each reading."""
    declared = table(rows=rows(names), **{"columns": {"ALL": Pick(subsets=["easy"])}, **changes})
    return {cell.reading: cell for cell in all_cells(declared, cases) if cell.row == "Best"}


def by_hand(outcomes: Sequence[Sequence[PlantedRow]], names: Sequence[str]) -> float:
    """Fold by fold and instance by instance, the mean of equally good ones."""
    order = sorted(range(len(outcomes[0])), key=lambda number: digest_value(f"easy-{number}")[:16])
    fold = {number: place % FOLDS for place, number in enumerate(order)}
    scores = np.array([[float(outcome == RIGHT) for outcome in mine] for mine in outcomes])
    total = 0.0
    for each in range(FOLDS):
        held = [number for number in range(len(order)) if fold[number] == each]
        rest = [number for number in range(len(order)) if fold[number] != each]
        sums = scores[:, rest].sum(axis=1)
        chosen = sums == sums.max()
        total += scores[chosen][:, held].mean(axis=0).sum() if held else 0.0
    return 100 * total / len(order)


@pytest.mark.parametrize("seed", range(5))
def test_the_value_is_that_of_choosing_fold_by_fold(seed: int) -> None:
    outcomes = drawn([0.6, 0.62, 0.58], 57, seed)
    assert best(judged(outcomes), NAMES[:3]).value == pytest.approx(by_hand(outcomes, NAMES[:3]))


def test_where_one_is_clearly_best_choosing_costs_nothing() -> None:
    cases = judged([right_of(60, 50), right_of(60, 20)])
    cell = best(cases, NAMES[:2])
    assert cell.value == pytest.approx(100 * 50 / 60)
    assert "best of 2, chosen on other folds: a in 10" in cell.marks
    assert cell.reason == ""


def test_the_best_of_equals_is_too_good_as_published_and_as_good_as_they_are_strictly() -> None:
    """Five judges that are right in 7 of 10: whichever is chosen will be right in 7 of 10.

    Their interval is wider than need be, since other samples choose others; with the choices kept it were too narrow.
    """
    held, values, worlds = {"as_published": 0, "strict": 0}, {"as_published": 0.0, "strict": 0.0}, 100
    for seed in range(worlds):
        cases = judged(drawn([0.7] * 5, 200, seed))
        for reading, cell in both_bests(cases, NAMES).items():
            values[reading] += cell.value / worlds  # type: ignore[operator]
            held[reading] += cell.low <= 70 <= cell.high  # type: ignore[operator]
    assert values["as_published"] > 72.5
    assert values["strict"] == pytest.approx(70, abs=1)
    assert held["strict"] / worlds >= 0.95 > 0.85 > held["as_published"] / worlds


def test_the_best_is_found_where_it_is_better() -> None:
    """What a user of the choice gets is what the best is worth, as it is chosen nearly always."""
    held, worlds = 0, 100
    for seed in range(worlds):
        cell = best(judged(drawn([0.8, 0.6, 0.6], 200, seed)), NAMES[:3])
        held += cell.low <= 80 <= cell.high  # type: ignore[operator]
    assert 0.90 <= held / worlds <= 0.99


def test_the_choice_says_by_how_much_it_is_worse_than_choosing_where_it_is_measured() -> None:
    outcomes = drawn([0.6, 0.6, 0.6], 50, 1)
    bests = both_bests(judged(outcomes), NAMES[:3])
    cell, published = bests["strict"], bests["as_published"]
    difference = cell.value - published.value  # type: ignore[operator]
    assert difference < 0
    assert cell.reason == f"strictly {difference:+.3g}, as the best is chosen on other instances than it is measured on"


def test_the_order_of_the_instances_is_of_no_matter() -> None:
    cases = judged(drawn([0.6, 0.6, 0.6], 50, 1))
    mixed = random.Random(1).sample(cases, len(cases))
    assert best(mixed, NAMES[:3]).value == pytest.approx(best(cases, NAMES[:3]).value)


def test_a_cluster_is_never_chosen_on_and_measured_at_once() -> None:
    """Ten clusters, in each of which one judge is always right and the other always wrong, by turns.

    Chosen by the other nine clusters, it is always the wrong one; by instances, each cluster would give itself away.
    """
    mine = [RIGHT if number // 10 % 2 else WRONG for number in range(100)]
    theirs = [WRONG if number // 10 % 2 else RIGHT for number in range(100)]
    cases = judged([mine, theirs], size=10)
    columns = {"ALL": Pick(subsets=["easy"], cluster="instruction")}
    assert best(cases, NAMES[:2], columns=columns).value == 0.0
    assert best(cases, NAMES[:2]).value == pytest.approx(50, abs=15)


def test_one_instance_leaves_nothing_to_choose_by() -> None:
    bests = both_bests(judged([[RIGHT], [WRONG]]), NAMES[:2])
    cell = bests["strict"]
    assert (cell.value, cell.status) == (None, "undefined")
    assert "best of 2, chosen on other folds: nothing, as there are none" in cell.marks
    assert bests["as_published"].value == 100.0


def test_it_is_chosen_in_each_category_and_the_mean_of_all_instances_follows() -> None:
    """HREF's Composite, and its column All."""
    cases = judged([right_of(60, 50), right_of(60, 20)]) + judged([right_of(20, 2), right_of(20, 18)], "hard")
    columns = {"EASY": Pick(subsets=["easy"]), "HARD": Pick(subsets=["hard"])}
    columns |= {"ALL": Pick(mean=["EASY", "HARD"], pooled=True), "ONE": Pick(subsets=["easy", "hard"], pooled=True)}
    made = cells(table(rows=rows(NAMES[:2]), columns=columns), cases, "strict")
    values = {(cell.row, cell.column): cell for cell in made}
    assert values["Best", "ALL"].value == pytest.approx(100 * (50 + 18) / 80)
    assert values["Best", "ALL"].n == 80
    assert values["a", "ALL"].value == pytest.approx(values["a", "ONE"].value)
    assert values["Best", "ONE"].value == pytest.approx(100 * (50 + 2) / 80)


def test_kappa_and_whatever_is_no_mean_is_measured_on_all_folds_together() -> None:
    first = [("first", "first", "first"), ("second", "second", "second")] * 30
    second = [("first", "first", "second"), ("second", "first", "second")] * 30
    cell = best(judged([first, second]), NAMES[:2], metrics=["kappa"])
    assert cell.value == pytest.approx(1.0)


def test_the_best_of_what_waits_waits() -> None:
    declared = waiting(table(rows=rows(NAMES[:2]), printed={"Best": [1.0]}), "b")
    made = cells(declared, judged([right_of(10, 5), right_of(10, 6)]), "strict")
    assert next(cell for cell in made if cell.row == "Best").status == "waiting"


def test_many_instances_that_share_weights_do_so_fold_by_fold(monkeypatch: pytest.MonkeyPatch) -> None:
    from plumbline.measuring import bootstrap, sampling

    cases = judged(drawn([0.7, 0.6], 2000, 1))
    apart = best(cases, NAMES[:2])
    monkeypatch.setattr(sampling, "MANY", 1000)
    monkeypatch.setattr(bootstrap, "DEALT", 500)
    together_ = best(cases, NAMES[:2])
    assert together_.value == pytest.approx(apart.value)
    assert together_.se == pytest.approx(apart.se, rel=0.2)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rows": rows() | {"Of the best": Pick(best_of=["Best", "a"])}}, "among what is measured"),
        (
            {
                "columns": {
                    "EASY": Pick(subsets=["easy"]),
                    "HARD": Pick(subsets=["hard"]),
                    "B": Pick(best_of=["EASY", "HARD"]),
                }
            },
            "measured on the same instances",
        ),
    ],
)
def test_a_choice_among_what_cannot_be_compared_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(PlumblineError, match=message):
        check(table(**{"rows": rows(), **changes}))
