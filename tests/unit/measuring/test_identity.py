"""Identities: printed numbers held against what follows from one another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from plumbline.measuring import identity as module
from plumbline.measuring.identity import Finding, Identity, checks, read_checks, write_checks
from plumbline.measuring.identity_tables import WRITERS
from plumbline.measuring.printed import Printed
from plumbline.records.errors import PlumblineError
from plumbline.workflow.composing.resolved import Resolved
from rebuilt import setting

SETTING = {
    "table1": [
        {"row": "A", "column": "one", "metric": "acc", "value": 60.0, "digits": 1},
        {"row": "A", "column": "two", "metric": "acc", "value": 70.1, "digits": 1},
        {"row": "A", "column": "mean", "metric": "acc", "value": 65.0, "digits": 1},
        {"row": "A", "column": "mean", "metric": "agr", "value": 90.0, "digits": 1},
    ]
}
PRINTED = Printed.of("tiny", SETTING)


def means(printed: Printed) -> Iterator[Finding]:
    table = printed["table1"]
    derived = (table.value("A", "one") + table.value("A", "two")) / 2
    yield Finding("table1, A, mean", table.value("A", "mean", "acc"), derived, 1)
    yield Finding("table1, A", "mean", "mean | of two", tried="the <other> name")


@pytest.mark.parametrize(
    ("printed", "derived", "digits", "slack", "holds"),
    [
        (6.0, 6.8, 0, 0.1, False),
        (6.0, 6.5, 0, 0.0, True),
        (4.2, 5.3, 1, 0.1, False),
        (1.5, 1.62, 1, 0.1, True),
        (1.5, 1.56, 1, 0.0, False),
        ("A", "D", 0, 0.0, False),
        ("A", "A", 0, 0.0, True),
    ],
)
def test_a_number_holds_if_rounding_alone_explains_its_difference(
    printed: float | str, derived: float | str, digits: int, slack: float, holds: bool
) -> None:
    assert Finding("somewhere", printed, derived, digits, slack).holds == holds


def test_a_check_says_what_was_tried_only_where_it_does_not_hold(tmp_path: Path) -> None:
    results = list(Identity("The mean is that of both", means).checks(PRINTED))
    assert [(check.holds, check.tried) for check in results] == [(True, ""), (False, "the <other> name")]
    assert (results[0].printed, results[0].derived) == (65.0, pytest.approx(65.05))
    assert (results[1].printed, results[1].printed_word, results[1].derived_word) == (None, "mean", "mean | of two")
    write_checks(tmp_path / "checks.parquet", results)
    assert read_checks(tmp_path / "checks.parquet") == results


def test_each_form_of_the_table_shows_every_check_and_escapes_what_it_shows() -> None:
    results = list(Identity("The mean is that of both", means).checks(PRINTED))
    written = {form: write("tiny", results) for form, write in WRITERS.items()}
    assert written["csv"].splitlines()[1:] == [
        'The mean is that of both,"table1, A, mean",65.0,65.05,,,1,0.0,True,',
        'The mean is that of both,"table1, A",,,mean,mean | of two,0,0.0,False,the <other> name',
    ]
    assert r"| table1, A | mean | mean \| of two | no | the \<other\> name |" in written["md"]
    assert "<td>mean | of two</td><td>no</td><td>the &lt;other&gt; name</td>" in written["html"]
    assert r"table1, A, mean & 65.0 & 65.050 & yes &  \\" in written["tex"]
    assert all("1 of 2 hold." in written[form] for form in ("md", "tex", "html"))


@pytest.mark.parametrize(
    ("look", "words"),
    [
        (lambda: PRINTED["table2"], "'table2' is not known"),
        (lambda: PRINTED["table1"].value("B", "one"), "'B' is not known"),
        (lambda: PRINTED["table1"].value("A", "mean"), "2 numbers are printed here"),
        (lambda: PRINTED["table1"].value("A", "one", "agr"), "'agr' is not known"),
    ],
)
def test_a_number_that_is_not_printed_is_named(look: object, words: str) -> None:
    with pytest.raises(PlumblineError, match=words):
        look()  # type: ignore[operator]


def test_two_identities_of_a_paper_with_one_title_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REGISTERED", {})
    module.identity("tiny", "The mean")(means)
    with pytest.raises(ValueError, match="two identities of tiny are called 'The mean'"):
        module.identity("tiny", "The mean")(means)


def test_a_job_gets_each_printed_number_with_its_precision_and_none_of_the_rows_of_ones_own_models(
    papers: Resolved,
) -> None:
    printed = Printed.of("llmbar", setting(papers, "printed.llmbar"))
    assert printed["table2"].at("Vanilla*", "NEIGHBOR", "acc").value == 78.7
    assert {cell.digits for cell in printed["table1"].cells["Total", "INSTANCES"].values()} == {0}
    assert "figure4" not in printed.tables, "it prints no number"


def test_all_means_of_llmbars_tables_hold(papers: Resolved) -> None:
    results = checks("llmbar", Printed.of("llmbar", setting(papers, "printed.llmbar")))
    assert len(results) == 300 and all(check.holds for check in results)
