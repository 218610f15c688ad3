"""Who said something about an instance: raters appear under numbers, never under their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from plumbline.data.labels import GOLD, Label


def numbered(labels: Iterable[Label]) -> dict[str, str]:
    """What each rater of a benchmark is called on a page; `gold` is the agreed label and no person."""
    names = sorted({label.rater for label in labels} - {GOLD})
    return {GOLD: GOLD} | {name: f"rater {number}" for number, name in enumerate(names, start=1)}


def label_data(label: Label, names: Mapping[str, str]) -> dict[str, object]:
    """A label as a page shows it."""
    return {
        "rater": names[label.rater],
        "question": label.question,
        "about": label.about,
        "label": label.word if label.value is None else f"{label.value:g}",
    }
