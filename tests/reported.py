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
WIDE = [f"COLUMN-{number:02}" for number in range(30)]
LONG = [f"Longer wins, {number:02}" for number in range(50)]
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
            "answers": {
                "compare": [f"{EVIL} Output (a)", "Output (b)", EVIL, "Output (a)"],
                "perturb": [f"Task: {EVIL} one", f"Task: {EVIL} two", f"Task: {EVIL} three"],
                "response": [
                    f"Of that nothing was asked. {ATTACKS[0]}",
                    f"Nor of this, which is about rivers. {ATTACKS[3]}",
                ],
            },
        },
        "model/evil": {"label": EVIL, "engine": "evil"},
        "experiment/evil": {"title": EVIL, "tables": ["evil/*"], "construct": ["evil_built"], "replicates": 200},
        "source/evil_pool": {"title": EVIL, "licence": EVIL, "citation": EVIL, "path": "data/evil_pool.jsonl"},
        "pool/evil": {"source": "evil_pool", "columns": {"instruction": "task", "output": "reply"}},
        "construct/evil_set": {
            "title": EVIL,
            "strategy": "gptinst",
            "pools": ["evil"],
            "size": 12,
            "perturb": "evil",
            "second": "evil",
            "filter": {"evaluators": {"evil": ["vanilla"]}},
        },
        "engine/mute": {"kind": "scripted", "answers": {"perturb": ["I'm sorry, but I can't help with that."]}},
        "model/mute": {"label": "Mute", "engine": "mute"},
        "construct/evil_empty": {
            "title": EVIL,
            "strategy": "gptinst",
            "pools": ["evil"],
            "size": 3,
            "perturb": "mute",
            "second": "evil",
        },
        "benchmark/evil_built": {"derive": "together", "subsets": {"made": "evil_set", "none": "evil_empty"}},
        "table/evil/built": {
            "paper": "evil",
            "name": "built",
            "title": f"Built: {EVIL}",
            "source": EVIL,
            "benchmark": "evil_built",
            "metrics": ["acc"],
            "columns": {EVIL: ["made"], "NONE": ["none"]},
            "rows": {"Longer": {"model": "length", "protocol": "longer"}},
        },
        "table/evil/wide": {
            "paper": "evil",
            "name": "wide",
            "title": "Wider and longer than a sheet of paper",
            "source": EVIL,
            "benchmark": "evil",
            "metrics": ["acc"],
            "columns": {name: {"subsets": ["plain"], "rater": NAMES[0]} for name in WIDE},
            "rows": {name: {"model": "length", "protocol": "longer"} for name in LONG},
        },
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
    pool = [{"task": f"Say {number}: {EVIL}", "reply": EVIL} for number in range(15)] + [{"task": "", "reply": EVIL}]
    configured = {f"config/{name}.yaml": json.dumps(value) for name, value in files.items()}
    data = {"evil": pairs, "evil_labels": labels, "evil_pool": pool}
    return configured | {f"data/{name}.jsonl": lines(rows) for name, rows in data.items()}
