"""Labels that come from elsewhere, as lines of journals, and what of them is new there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from plumbline.people.lines import ItemLabels

EDITED, GONE = "about a text that was edited", "about an instance that the benchmark does not have"


@dataclass
class Imported:
    """The lines of a file from elsewhere, and how many answers were left out for which reason."""

    lines: list[ItemLabels]
    left_out: Counter[str] = field(default_factory=Counter)

    @property
    def counts(self) -> str:
        """In a sentence, what came of all answers."""
        kept = sum(len(line.answers) for line in self.lines)
        raters = len({line.rater for line in self.lines})
        skipped = sum(bool(line.skipped) for line in self.lines)
        lost = [f"{count:,} left out: {why}" for why, count in self.left_out.items() if count]
        return "; ".join([f"{kept:,} answers of {raters:,} raters, {skipped:,} items skipped", *lost])

    def by_rater(self) -> dict[str, list[ItemLabels]]:
        lines: dict[str, list[ItemLabels]] = {}
        for line in self.lines:
            lines.setdefault(line.rater, []).append(line)
        return lines


def new_lines(standing: Iterable[ItemLabels], imported: Iterable[ItemLabels]) -> list[ItemLabels]:
    """Of one rater's lines those that a journal does not end with already: what is imported twice changes nothing."""
    last = {(line.item, line.arm, line.time): line for line in standing}
    return [
        line
        for line in imported
        if last.get((line.item, line.arm, line.time), ItemLabels(line.item, line.rater)) != line
        and (_says(line) or _says(last.get((line.item, line.arm, line.time))))
    ]


def _says(line: ItemLabels | None) -> bool:
    """Whether it is more than taking back."""
    return line is not None and bool(line.answers or line.skipped)
