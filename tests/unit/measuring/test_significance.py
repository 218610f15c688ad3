"""P-values of paired differences: as often small as they say where nothing differs, and corrected for their number."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from invented import BOOTSTRAP, Outcome, cells, instance, pair, right_of, table, together
from plumbline.config.tables import Pick, Waits
from plumbline.measuring.cases import Case, Judge
from plumbline.measuring.cells import Cell
from plumbline.measuring.checks import check
from plumbline.measuring.paired import holm
from plumbline.measuring.significance import p_value
from plumbline.records.errors import PlumblineError

ROWS = {name: Pick(model=name, protocol="vanilla") for name in ("a", "b", "c")}
DIFFERENCES = {"a - b": Pick(difference=["a", "b"]), "a - c": Pick(difference=["a", "c"])}
COLUMNS = {"ALL": Pick(subsets=["easy"]), "p": Pick(p_value="ALL"), "Holm": Pick(holm="ALL")}


def test_holms_correction_of_known_values() -> None:
    """The example that R's p.adjust and others are shown with: 0.01, 0.02, 0.03, 0.04, 0.05."""
    assert holm([0.01, 0.02, 0.03, 0.04, 0.05]) == pytest.approx([0.05, 0.08, 0.09, 0.09, 0.09])
    assert holm([0.04, 0.01, 0.03, 0.005]) == pytest.approx([0.06, 0.03, 0.06, 0.02])
    assert holm([0.7, 0.6]) == [1.0, 1.0]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_a_correction_keeps_the_order_and_lies_between_the_value_and_bonferronis(values: list[float]) -> None:
    corrected = holm(values)
    for value, mine in zip(values, corrected, strict=True):
        assert value <= mine <= min(1.0, len(values) * value) + 1e-12
    assert [corrected[n] for n in np.argsort(values, kind="stable")] == sorted(corrected)


def test_a_p_value_is_the_level_at_which_the_interval_reaches_nothing() -> None:
    draws = np.random.default_rng(1).normal(1.5, 1.0, size=20_000)
    low = np.quantile(draws, p_value(draws) / 2)
    assert abs(low) < 0.01
    assert p_value(-draws) == p_value(draws)
    assert p_value(np.ones(999)) == pytest.approx(2 / 1000)
    assert p_value(np.zeros(999)) == 1.0


def compared(*judged: list[Outcome]) -> list[Case]:
    return together(
        *(
            [pair(instance(number), outcome, judge=Judge(name, "vanilla")) for number, outcome in enumerate(outcomes)]
            for name, outcomes in zip(ROWS, judged, strict=False)
        )
    )


def by_place(made: list[Cell]) -> dict[tuple[str, str], Cell]:
    return {(cell.row, cell.column): cell for cell in made}


def test_differences_have_p_values_alone_and_in_their_family() -> None:
    cases = compared(right_of(100, 80), right_of(100, 70), right_of(100, 80))
    made = by_place(cells(table(rows=ROWS | DIFFERENCES, columns=COLUMNS), cases))
    least = 2 / (BOOTSTRAP.replicates + 1)
    assert made["a - b", "p"].value == pytest.approx(least)
    assert made["a - b", "Holm"].value == pytest.approx(2 * least)
    assert (made["a - c", "p"].value, made["a - c", "Holm"].value) == (1.0, 1.0)
    assert made["a - b", "Holm"].marks == ("of 2 differences",)
    assert (made["a - b", "p"].digits, made["a - b", "p"].unit, made["a - b", "p"].low) == (3, "", None)


def test_only_differences_have_p_values_and_those_that_wait_are_no_family() -> None:
    rows = {"a": ROWS["a"], "b": ROWS["b"], "away": Pick(waits=Waits(data="weights"))}
    rows |= {"a - b": Pick(difference=["a", "b"]), "a - away": Pick(difference=["a", "away"])}
    cases = compared(right_of(40, 30), right_of(40, 20))
    made = by_place(cells(table(rows=rows, columns=COLUMNS, printed={"a - away": [1.0, 1.0, 1.0]}), cases))
    assert (made["a", "p"].status, made["a", "p"].reason) == ("undefined", "only a difference has a p-value")
    assert made["a - away", "Holm"].status == "waiting"
    assert made["a - b", "Holm"].value == made["a - b", "p"].value
    assert made["a - b", "Holm"].marks == ("of 1 differences",)


def test_equally_good_judges_do_not_differ_however_seldom_they_are_right_together() -> None:
    cases = compared(right_of(60, 40), right_of(60, 40)[::-1])
    made = by_place(cells(table(rows=ROWS | {"c": ROWS["b"]} | DIFFERENCES, columns=COLUMNS), cases))
    assert made["a - b", "p"].value > 0.8  # type: ignore[operator]


def test_two_judges_that_are_equally_good_differ_significantly_as_seldom_as_they_should() -> None:
    """Both right in 7 of 10, often in the same ones: 5 % of p-values lie below 0.05."""
    below, worlds = 0, 200
    for seed in range(worlds):
        random = np.random.default_rng(seed)
        easy = random.random(200) < 0.6
        rights = [easy | (random.random(200) < 0.25) for _ in range(2)]
        outcomes = [[("first", *(("first",) * 2 if right else ("second",) * 2)) for right in each] for each in rights]
        rows = {"a": ROWS["a"], "b": ROWS["b"], "a - b": Pick(difference=["a", "b"])}
        columns = {"ALL": Pick(subsets=["easy"]), "p": Pick(p_value="ALL")}
        made = by_place(cells(table(rows=rows, columns=columns), compared(*outcomes), seed=seed))  # type: ignore[arg-type]
        below += made["a - b", "p"].value < 0.05  # type: ignore[operator]
    assert 0.01 <= below / worlds <= 0.10


def test_a_p_value_follows_from_one_column_of_the_table() -> None:
    with pytest.raises(PlumblineError, match="did you mean 'ALL'"):
        check(table(rows=ROWS | DIFFERENCES, columns=COLUMNS | {"p": Pick(p_value="AL")}))
    with pytest.raises(PlumblineError, match="p-values stand in a column"):
        check(table(rows=ROWS | DIFFERENCES | {"p": Pick(p_value="a")}, columns={"ALL": Pick(subsets=["easy"])}))
