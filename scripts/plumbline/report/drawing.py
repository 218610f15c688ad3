"""Where things stand in the small charts of pages."""

from __future__ import annotations

from collections.abc import Iterable

WIDTH, HEIGHT, EDGE = 240.0, 160.0, 28.0


def across(value: float, least: float = 0.0, most: float = 1.0) -> str:
    return f"{EDGE + (WIDTH - 2 * EDGE) * (value - least) / (most - least):.1f}"


def up(value: float, least: float = 0.0, most: float = 1.0) -> str:
    return f"{HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * (value - least) / (most - least):.1f}"


def line(points: Iterable[tuple[float, float]], least: float = 0.0) -> str:
    """The points of a curve over 0 to 1, or from `least` to 1 across."""
    return " ".join(f"{across(x, least)},{up(y)}" for x, y in points)
