"""The three rule-raters of the embedded rated answers and pairs, written down a second time.

They are described in docs/judge_your_own/rated_answers.md.

`config/benchmark/risum_embedded_labels.jsonl` and `href_demo_labels.jsonl` hold what they say; tests say it again from
`points`, `form` and `wrong` of each row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Seen:
    """What the rules see of one answer."""

    covered: float
    """The share of the points that it names."""
    formed: bool
    """Whether it keeps the form that is asked for."""
    wrong: bool
    """Whether it says something that the document does not."""

    @classmethod
    def of(cls, answer: str, rules: Mapping[str, Any]) -> Seen:
        text = answer.lower()
        named = sum(any(words in text for words in point) for point in rules["points"])
        return cls(named / len(rules["points"]), formed(answer, rules["form"]), any(w in text for w in rules["wrong"]))


def formed(answer: str, form: Mapping[str, int]) -> bool:
    """At most so many sentences or words, or exactly so many bullet points and nothing else."""
    [(kind, number)] = form.items()
    if kind == "bullets":
        lines = answer.splitlines()
        return len(lines) == number and all(line.startswith("- ") for line in lines)
    if kind == "words":
        return len(answer.split()) <= number
    return len(re.findall(r"[.!?](?:\s|$)", answer)) <= number


def content(seen: Seen) -> tuple[bool, int]:
    """Goes by what is said: every point, and nothing wrong."""
    return seen.covered == 1 and not seen.wrong, max(1, int(1.5 + 4 * seen.covered) - 2 * seen.wrong)


def form(seen: Seen) -> tuple[bool, int]:
    """Goes by the form first; half of the points are enough."""
    enough = seen.covered >= 0.5
    if seen.formed:
        rating = 5 if seen.covered == 1 else 4 if enough else 2
    else:
        rating = 3 if seen.covered == 1 else 2 if enough else 1
    return seen.formed and enough, max(1, rating - seen.wrong)


def both(seen: Seen) -> tuple[bool, int]:
    """Wants the form and two thirds of the points, and nothing wrong."""
    most = seen.covered >= 2 / 3
    whole = seen.covered == 1 and not seen.wrong
    return seen.formed and most and not seen.wrong, 1 + seen.formed + (seen.covered > 0) + most + whole


RATERS: dict[str, Callable[[Seen], tuple[bool, int]]] = {"content": content, "form": form, "both": both}


def labels(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What each rater says of each of a row's answers, as rows of the file of labels."""
    rows: list[dict[str, Any]] = []
    for about in (1, 2, 3):
        seen = Seen.of(row[f"output_{about}"], row["rules"])
        for rater, rule in RATERS.items():
            follows, rating = rule(seen)
            answers = {"instance": row["id"], "about": about, "rater": rater}
            rows.append({**answers, "question": "follows", "word": "yes" if follows else "no"})
            rows.append({**answers, "question": "rating", "value": rating})
    return rows


def preferences(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Which of a pair's outputs each rater rates higher, as rows of the file of labels."""
    rows: list[dict[str, Any]] = []
    for rater, rule in RATERS.items():
        first, second = (rule(Seen.of(row[f"output_{place}"], row["rules"]))[1] for place in (1, 2))
        word = "first" if first > second else "second" if second > first else "tie"
        rows.append({"instance": row["id"], "rater": rater, "question": "better", "word": word})
    return rows
