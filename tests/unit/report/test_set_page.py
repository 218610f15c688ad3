"""The page of a set that was built: every row met one end, and a set of which nothing is left says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from changes import with_values
from plumbline.derive.candidates import Candidate
from plumbline.derive.ends import End, ends
from plumbline.derive.filtering import SEEN_THROUGH, EvaluatorLabel, Filtered, write_filtered
from plumbline.derive.finals import Final, read_finals, write_finals
from plumbline.derive.funnel import ROWS, Count, as_csv, counted, emptied, from_csv
from plumbline.derive.pools import Item, write_pool
from plumbline.derive.reviewed import unreviewed
from plumbline.measuring.bootstrap import Bootstrap
from plumbline.report.datasheet import MadeBy
from plumbline.report.funnel_figure import funnel
from plumbline.report.index import index_page, set_line
from plumbline.report.set_page import InTable, set_data, set_page
from plumbline.report.sheet import profile_of
from plumbline.workflow.resolved import Resolved

HOSTILE = "<script>window.owned = 1</script>"
ITEMS = [
    Item("a", "pool", "Say a.", "A", "", "", "file#0", drawn=True),
    Item("b", "pool", "Say b.", "B", "", "", "file#1"),
    Item("c", "pool", "", "C", "", "", "file#2", dropped="empty instruction"),
]
MADE = Candidate("1", "Say a.", "A", HOSTILE, "first", "a", "Say z.", None, "asked first", "asked second", "", "file#0")
LABELS = (EvaluatorLabel("judge", "vanilla", "plain", "second"),)
ROWS_OF_SET = [
    Filtered(MADE, LABELS),
    Filtered(replace(MADE, id="2"), LABELS),
    Filtered(replace(MADE, id="3", dropped=SEEN_THROUGH), LABELS),
    Filtered(replace(MADE, id="4", second="", dropped="O2 is empty"), ()),
]


def written(folder: Path, rows: Sequence[Filtered] = ROWS_OF_SET, items: Sequence[Item] = ITEMS) -> list[Path]:
    pool, filtered, final = (folder / f"{name}.parquet" for name in ("pool", "filtered", "unreviewed"))
    write_pool(pool, items)
    write_filtered(filtered, rows)
    write_finals(final, unreviewed("set", rows, 1))
    return [pool, filtered]


def page_of(stages: Sequence[Path], rows: Sequence[Filtered], tables: Sequence[InTable] = ()) -> str:
    counts = counted(stages)
    finals = read_finals(stages[0].parent / "unreviewed.parquet")
    profile = profile_of("set", rows, finals, counts, Bootstrap(1, 50, 0.95))
    made_by = MadeBy({"writer": ["second"]}, ["writer"])
    return set_page("built/set", HOSTILE, counts, profile, [], made_by, tables, [], list(ends(stages)))


def test_each_row_but_those_never_drawn_meets_one_end_as_the_funnel_counts_them(tmp_path: Path) -> None:
    stages = written(tmp_path)
    last = {("filter", "kept")}
    told = Counter((end.stage, end.outcome) for end in ends(stages))
    passed = {(count.stage, "kept") for count in counted(stages)} - last
    funnelled = {(c.stage, c.outcome): c.count for c in counted(stages) if c.outcome not in (ROWS, "not drawn")}
    assert told == {end: count for end, count in funnelled.items() if end not in passed}


def test_what_people_made_of_a_pair_is_its_end(tmp_path: Path) -> None:
    stages = written(tmp_path)
    first, second = read_finals(tmp_path / "unreviewed.parquet")
    decided: list[Final] = [
        replace(first, state="edited", first="A!"),
        replace(second, state="discarded", dropped="discarded: trivial"),
    ]
    write_finals(tmp_path / "reviewed.parquet", decided)
    found = [end for end in ends([*stages, tmp_path / "reviewed.parquet"]) if end.stage == "review"]
    assert [end.outcome for end in found] == ["kept", "discarded: trivial"]
    assert found[0].texts["first output as edited"] == "A!"


def test_the_page_shows_the_funnel_the_models_and_where_the_set_counts(tmp_path: Path) -> None:
    stages = written(tmp_path)
    page = page_of(stages, ROWS_OF_SET, [InTable("paper/table", "A table", ["MADE"])])
    assert '<a href="../../tables/paper/table.html">A table</a>: MADE' in page
    assert "writer filtered what it wrote itself" in page
    assert f'<a href="#stage=filter&amp;outcome={SEEN_THROUGH.replace(" ", "%20")}">{SEEN_THROUGH}</a> 1' in page
    assert "<li>not drawn 1</li>" in page, "there is nothing to read about what was never drawn"
    assert "<b>2</b> pairs are in this set" in page
    assert HOSTILE not in page and "&lt;script&gt;" in page


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([ROWS_OF_SET[2]], "none of the 1 rows got through the filter stage"),
        ([ROWS_OF_SET[3]], "none of the 1 rows got through the candidates stage"),
        ([], "no row was there"),
    ],
)
def test_a_set_of_which_nothing_is_left_has_a_page_that_says_where_it_went(
    tmp_path: Path, rows: list[Filtered], said: str
) -> None:
    stages = written(tmp_path, rows, [])[1:]
    page = page_of(stages, rows)
    assert "Nothing is left of this set" in page and said in page
    assert [end.outcome for end in ends(stages)] == [row.dropped for row in rows]
    line = set_line("built/set", "Title", counted(stages))
    index = index_page("index", "Title", {}, {}, {}, [line], {})
    assert "All of them came out empty" in index and said in index and 'href="sets/built/set.html"' in index


def test_an_index_with_sets_does_not_call_all_empty_that_are_not() -> None:
    lines = [set_line("a", "A", [Count("filter", ROWS, 2), Count("filter", "kept", kept)]) for kept in (0, 2)]
    index = index_page("index", "Title", {}, {}, {}, lines, {})
    assert "All of them" not in index and "Empty: none of the 2 rows" in index
    assert 'id="sets"' not in index_page("index", "Title", {}, {}, {}, [], {})


def test_an_index_names_the_sets_that_wait_for_data(papers: Resolved) -> None:
    assert not papers.plain["sets_left_out"]["index"]
    waits = with_values(papers, {"experiment.construct": ["neighbor"]}).plain["sets_left_out"]["index"]
    assert list(waits) == ["neighbor"] and "plumbline pin" in waits["neighbor"]
    index = index_page("index", "Title", {}, {}, {}, [], waits | {"other": "<Pool>: pin it"})
    assert 'id="left-out"' in index and "plumbline pin" in index and "other: &lt;Pool&gt;: pin it" in index


@pytest.mark.filterwarnings("error")
def test_the_funnel_of_nothing_is_drawn() -> None:
    assert b"0 of 0 kept" in funnel("set", [Count("candidates", ROWS, 0), Count("candidates", "kept", 0)])["svg"]
    assert funnel("set", [])["svg"]


def test_a_funnel_is_read_back_as_it_was_written() -> None:
    counts = [Count("pool", ROWS, 3), Count("pool", "kept", 2), Count("pool", 'a "reason", with commas', 1)]
    assert from_csv(as_csv(counts)) == counts and emptied(counts) == ""


def test_data_of_a_row_holds_its_texts_and_labels(tmp_path: Path) -> None:
    listed: list[End] = list(ends(written(tmp_path)))
    data = set_data(listed)
    number = next(str(n) for n, end in enumerate(listed) if end.outcome == SEEN_THROUGH)
    assert data[number]["texts"]["O2 (asked second)"] == HOSTILE
    assert data[number]["labels"] == ({"model": "judge", "protocol": "vanilla", "showing": "plain", "label": "second"},)
