"""Experiments whose report is worth looking at: one whose every text is hostile, and one rated by several people."""

from __future__ import annotations

import json
from typing import Any

ATTACKS = (
    "<script>window.owned = 1</script>",
    '<img src=x onerror="window.owned = 2">',
    "</script><script>window.owned = 3</script>",
    "</td></table><svg onload='window.owned = 4'>",
    '<a href="javascript:window.owned = 5">click</a>',
    "{{ 7 * 7 }}{% include 'x' %}",
    "\x1b[2J\x1b]0;owned\x07",
    "\u202edlrow olleh\u2066",
    "line\u2028break \u2029",
    "<link rel=stylesheet href=http://attacker.invalid/x.css>"
    "<meta http-equiv=refresh content='0;url=http://attacker.invalid'>",
    "]]></textarea></title><base href=http://attacker.invalid/>",
)
EVIL = " ".join(ATTACKS)
NAMES = ("Ann Example <ann@example.org>", "Bob Example")
SIZE = 60
ROW = f"Vanilla {EVIL}"


def lines(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def hostile() -> dict[str, str]:
    """Pairs with two raters, a judge that says what it likes, and a table whose names are markup too."""
    pairs = [
        {
            "id": f"pair-{number}",
            "subset": "plain" if number % 2 else "trap",
            "instruction": f"{number}: {EVIL}",
            "output_1": f"{EVIL} one {number}",
            "output_2": f"{EVIL} two, which is longer {number}",
            "system_1": EVIL,
            "system_2": "honest",
            "reference": EVIL,
        }
        for number in range(SIZE)
    ]
    labels = [
        {"instance": f"pair-{number}", "rater": name, "question": "better", "word": word}
        for number in range(SIZE)
        for name, word in zip(NAMES, ("first", "first" if number % 3 else "second"), strict=True)
    ]
    files: dict[str, Any] = {
        "source/evil": {"title": EVIL, "licence": EVIL, "citation": EVIL, "path": "data/evil.jsonl"},
        "source/evil_labels": {"title": "Labels", "licence": "-", "citation": "-", "path": "data/evil_labels.jsonl"},
        "benchmark/evil": {
            "source": "evil",
            "loader": "rows",
            "subsets": {"plain": "", "trap": ""},
            "labels": "evil_labels",
            "context": {"reference": "reference"},
            "questions": {"better": {"words": ["first", "second"]}},
        },
        "engine/evil": {
            "kind": "scripted",
            "answers": {"compare": [f"{EVIL} Output (a)", "Output (b)", EVIL, "Output (a)"]},
        },
        "model/evil": {"label": EVIL, "engine": "evil"},
        "experiment/evil": {"title": EVIL, "tables": ["evil/*"], "replicates": 200},
        "table/evil/judges": {
            "paper": "evil",
            "name": "judges",
            "title": EVIL,
            "source": EVIL,
            "benchmark": "evil",
            "metrics": ["acc", "agr"],
            "figures": ["forest"],
            "columns": {
                "PLAIN": {"subsets": ["plain"], "rater": NAMES[0]},
                f"TRAP {ATTACKS[0]}": {"subsets": ["trap"], "rater": NAMES[1]},
            },
            "rows": {
                "Longer": {"model": "length", "protocol": "longer"},
                ROW: {"model": "evil", "protocol": "vanilla"},
            },
            "notes": [EVIL],
            "printed": {"Longer": [0.0, 100.0, 99.0, 100.0]},
            "reasons": [{"row": "Longer", "reason": EVIL}],
        },
    }
    configured = {f"config/{name}.yaml": json.dumps(value) for name, value in files.items()}
    return configured | {"data/evil.jsonl": lines(pairs), "data/evil_labels.jsonl": lines(labels)}
