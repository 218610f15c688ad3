"""The scale of the adversarial road stands in one place, and one override changes all its sets."""

from __future__ import annotations

import pytest
from plumbline.derive.recipe import Drawn
from plumbline.records.errors import PlumblineError
from plumbline.workflow.composing.compose import compose
from plumbline.workflow.composing.resolved import Resolved
from plumbline.workflow.composing.sets import texts_of
from rebuilt import CONFIG

FILTERED = {"adversarial_neighbor", "adversarial_gptinst", "adversarial_gptout", "adversarial_negation"}


@pytest.fixture(scope="module")
def larger() -> Resolved:
    words = "size=7 constrained=3 sums=5 pools=[demo] weaker=length stronger=gpt_4o prompts=construct"
    scale = " ".join(f"scale.adversarial.{word}" for word in words.split())
    return compose(CONFIG, "adversarial", overrides=f"{scale} scale.adversarial.filter=alpaca_farm")


def test_one_override_changes_every_set(larger: Resolved) -> None:
    by_name = {name: declared for name, declared in larger.config.construct.items() if name.startswith("adversarial_")}
    drawn = {name: declared for name, declared in by_name.items() if isinstance(declared, Drawn)}
    assert {name: declared.size for name, declared in drawn.items() if declared.size != 7} == {
        "adversarial_constraint": 3
    }
    assert all(declared.pools == ["demo"] and declared.prompts == "construct" for declared in drawn.values())
    writers = {text.model for name in drawn for text in texts_of(larger.builds[name], name).values()}
    assert writers == {"length", "gpt_4o"}
    assert all(by_name[name].filter == larger.config.filter["alpaca_farm"] for name in FILTERED)


def test_what_needs_no_filter_has_none(larger: Resolved) -> None:
    made = larger.config.benchmark["adversarial"].subsets.values()
    assert {name for name in made if larger.config.construct[name].filter.evaluators} == FILTERED
    assert [name for name in made if larger.config.construct[name].strategy == "addition"] == [
        "adversarial_base_9",
        "adversarial_base_10",
    ]


def test_the_table_has_a_column_for_each_set_and_their_average(larger: Resolved) -> None:
    table, subsets = larger.table("adversarial", "judges"), list(larger.config.benchmark["adversarial"].subsets)
    *columns, average = table.columns.values()
    assert [column.subsets for column in columns] == [[subset] for subset in subsets]
    assert average.subsets == subsets


def test_a_wrong_value_is_named_where_it_was_set_and_not_in_a_set_that_refers_to_it() -> None:
    with pytest.raises(PlumblineError, match=r"out of range(.|\n)*config\.scale\.adversarial\.size"):
        compose(CONFIG, "adversarial", overrides="scale.adversarial.size=-1")


def test_a_misspelt_key_of_the_scale_is_answered_with_the_nearest_right_one() -> None:
    with pytest.raises(PlumblineError, match=r"scale\.adversarial\.sise(.|\n)*did you mean 'size'"):
        compose(CONFIG, "adversarial", overrides="scale.adversarial.sise=3")
