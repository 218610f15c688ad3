"""A tiny experiment: six pairs, a scripted judge and two length rules, as files of a configuration."""

from __future__ import annotations

import json


def pairs() -> list[dict[str, object]]:
    """In `plain` the longer output is the better one, in `trap` the shorter."""
    return [
        {
            "subset": subset,
            "instruction": f"Say {number}.",
            "output_1": "short" if better == 2 else "a much longer answer",
            "output_2": "a much longer answer" if better == 2 else "short",
            "better": better if subset == "plain" else 3 - better,
        }
        for subset in ("plain", "trap")
        for number, better in enumerate((1, 2, 1))
    ]


def as_lines(rows: list[dict[str, object]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


PAIRS = "config/benchmark/tiny.jsonl"
TINY = {
    PAIRS: as_lines(pairs()),
    "config/source/tiny.yaml": "{title: Pairs, licence: CC0-1.0, citation: none, path: config/benchmark/tiny.jsonl}",
    "config/benchmark/tiny.yaml": "{source: tiny, loader: rows, subsets: {plain: '', trap: ''}}",
    "config/engine/tiny.yaml": """
        kind: scripted
        answers:
          compare: [Output (a) is better, Output (b) is better, "neither \\e[2J\\0<script>alert(1)</script>"]
          synthesize: [Output (a), Output (b)]
    """,
    "config/model/tiny.yaml": "{label: Tiny, engine: tiny}",
    "config/experiment/tiny.yaml": "{title: Tiny, tables: ['tiny/*'], replicates: 200}",
    "config/table/tiny/judges.yaml": """
        paper: tiny
        name: judges
        title: A scripted judge and two rules
        source: Plumbline
        benchmark: tiny
        metrics: [acc, agr]
        chance: 50.0
        columns: {PLAIN: [plain], TRAP: [trap]}
        rows:
          Longer: {model: length, protocol: longer}
          Vanilla: {model: tiny, protocol: vanilla}
          Swap: {model: tiny, protocol: swap}
        printed:
          Longer: [100.0, 100.0, 0.0, 100.0]
    """,
    "config/table/tiny/lengths.yaml": """
        paper: tiny
        name: lengths
        title: Only the rules
        source: Plumbline
        benchmark: tiny
        metrics: [acc]
        columns: {PLAIN: [plain], TRAP: [trap]}
        rows:
          Shorter: {model: length, protocol: shorter}
    """,
}
