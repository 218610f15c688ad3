"""Figures: every row is drawn, hostile names are text, and equal cells make equal bytes."""

from __future__ import annotations

from dataclasses import replace

from plumbline.measuring.figures import DRAWN, bars, forest
from shown import HOSTILE, cells, table


def test_a_figure_draws_every_row_and_shows_hostile_names_as_text() -> None:
    made = cells([*HOSTILE, r"$\\nothing$"], ["X"])
    drawn = bars(table(title=HOSTILE[0]), made)["svg"].decode()
    assert "<script" not in drawn and "<img" not in drawn
    assert "&lt;script&gt;alert(1)" in drawn
    assert bars(table(title=HOSTILE[0]), made)["svg"].decode() == drawn


def test_an_axis_says_what_is_measured_and_ends_at_100_only_for_percent() -> None:
    percent = bars(table(), cells(["A"], ["X"]))["svg"].decode()
    assert "Acc., %" in percent and ">100<" in percent
    kappa = bars(table(), cells(["A"], ["X"], metric="kappa", title="Kappa", unit="", value=0.5, low=0.4, high=0.6))[
        "svg"
    ].decode()
    assert "Kappa" in kappa and ">100<" not in kappa


def test_what_waits_is_left_out_and_a_number_without_an_interval_has_no_whisker() -> None:
    made = cells(["A"], ["X", "Y"])
    waiting = [replace(cell, value=None, low=None, high=None) if cell.column == "Y" else cell for cell in made]
    bare = [replace(cell, low=None, high=None) for cell in waiting]
    assert bars(table(), waiting) != bars(table(), made)
    assert bars(table(), bare) != bars(table(), waiting)


def test_every_figure_draws_hostile_names_as_text_and_equal_bytes_in_both_formats() -> None:
    made = [
        cell for name in (*HOSTILE, "A") for metric in ("acc", "agr") for cell in cells([name], ["X"], metric=metric)
    ]
    for draw in DRAWN.values():
        first, again = (
            draw(table(title=HOSTILE[0], chance=50.0), made),
            draw(table(title=HOSTILE[0], chance=50.0), made),
        )
        assert first == again and first["pdf"].startswith(b"%PDF")
        assert b"<script" not in first["svg"] and b"<img" not in first["svg"]
        assert b"&lt;script&gt;alert(1)" in first["svg"]


def test_a_forest_shows_the_printed_number_of_what_waits_and_nothing_else_of_it() -> None:
    made = cells(["A", "B"], ["X"])
    waiting = [replace(cell, value=None, low=None, high=None, paper=None) if cell.row == "B" else cell for cell in made]
    printed = [replace(cell, paper=60.0) if cell.row == "B" else cell for cell in waiting]
    drawn = [forest(table(), each)["svg"].count(b"<use") for each in (waiting, printed, made)]
    assert drawn == sorted(drawn) and drawn[0] < drawn[1]
