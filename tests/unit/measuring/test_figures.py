"""Figures: every row is drawn, hostile names are text, and equal cells make equal bytes."""

from __future__ import annotations

from dataclasses import replace

from plumbline.measuring.figures import bars
from shown import HOSTILE, cells, table


def test_a_figure_draws_every_row_and_shows_hostile_names_as_text() -> None:
    made = cells([*HOSTILE, r"$\\nothing$"], ["X"])
    drawn = bars(table(title=HOSTILE[0]), made).decode()
    assert "<script" not in drawn and "<img" not in drawn
    assert "&lt;script&gt;alert(1)" in drawn
    assert bars(table(title=HOSTILE[0]), made).decode() == drawn


def test_an_axis_says_what_is_measured_and_ends_at_100_only_for_percent() -> None:
    percent = bars(table(), cells(["A"], ["X"])).decode()
    assert "Acc., %" in percent and ">100<" in percent
    kappa = bars(
        table(), cells(["A"], ["X"], metric="kappa", title="Kappa", unit="", value=0.5, low=0.4, high=0.6)
    ).decode()
    assert "Kappa" in kappa and ">100<" not in kappa


def test_what_waits_is_left_out_and_a_number_without_an_interval_has_no_whisker() -> None:
    made = cells(["A"], ["X", "Y"])
    waiting = [replace(cell, value=None, low=None, high=None) if cell.column == "Y" else cell for cell in made]
    bare = [replace(cell, low=None, high=None) for cell in waiting]
    assert bars(table(), waiting) != bars(table(), made)
    assert bars(table(), bare) != bars(table(), waiting)
