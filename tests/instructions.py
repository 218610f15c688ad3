"""Made-up instructions in the layout of HREF's development set: as a test asks, and not as a rehearsal does."""

from __future__ import annotations

import json

CATEGORIES = ("Brainstorm", "Open QA", "Closed QA", "Extract", "Generation", "Rewrite", "Summarize", "Classify")
BASELINE = "Llama-3.1-405B-Instruct-FP8"
HUMAN = "Thing {} is called so by people who know it well."


def category(number: int) -> str:
    return CATEGORIES[number % len(CATEGORIES)]


def instruction(number: int) -> str:
    return f"{category(number)}: name thing {number}."


def development(size: int) -> str:
    """The file's lines: as many of each category, the baseline's responses more or less long."""
    rows = [
        {
            "instruction": instruction(number),
            "category": category(number),
            "reference": HUMAN.format(number),
            "output": f"Thing {number} is called so." + " And so on." * (number % 3),
        }
        for number in range(size)
    ]
    return "".join(json.dumps(row) + "\n" for row in rows)
