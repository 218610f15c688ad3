"""Which judge may be trusted for what, and how far: from numbers to sentences, and where nothing may be concluded."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from plumbline.commands.comparing.declared import QUESTIONS, Comparison
from plumbline.commands.comparing.found import Found, Number
from plumbline.commands.comparing.items import Items

TRUSTED, UNTRUSTED, UNDECIDED = 0, 1, 2
FEWEST, FEWEST_CLUSTERS, FEWEST_SYSTEMS = 30, 20, 5
"""Of fewer labelled items, clusters or systems nothing is concluded about agreement, or about rankings."""
NEAR = 5.0
"""A win rate within so many points of people's is called right."""
Z = 1.959964 + 0.841621
"""A difference of so many standard errors is found in four of five samples (two-sided, 5 %)."""
NOUNS = {"pairs": "pairs", "words": "outputs", "ratings": "outputs"}
NOT_DRAWN = {
    "chosen": "The labelled items were chosen, not drawn at random: this holds for them, not for what else is judged.",
    "unknown": "Whether the labelled items were drawn at random is not known: if not, this holds for them alone.",
}
VERDICTS = {TRUSTED: "TRUSTED", UNTRUSTED: "NOT TRUSTED", UNDECIDED: "UNDECIDED"}


@dataclass(frozen=True)
class Wish:
    """What the user wants to know."""

    purpose: str = "agreement"
    floor: float | None = None
    drawn: str = ""


@dataclass
class Answer:
    """What is printed, and what the page and `--json` say besides."""

    head: list[str]
    rows: list[list[str]]
    conclusions: list[str]
    warnings: list[str]
    code: int
    data: dict[str, Any] = field(default_factory=dict)

    def lines(self) -> list[str]:
        widths = [max(map(len, column)) for column in zip(*self.rows, strict=True)]
        shown = [
            "   ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in self.rows
        ]
        return [*self.head, "", *shown, "", *self.conclusions, *self.warnings]


def answer(found: Found, wish: Wish) -> Answer:
    comparison = found.comparison
    if not comparison.items.labelled:
        return unlabelled(found, wish)
    rows, beats = judged_rows(found)
    code = verdict(found, wish)
    conclusions = [*which(found), *floor_lines(found, wish, code)]
    if comparison.kind == "pairs":
        conclusions += win_rate_lines(found)
    if comparison.kind == "words":
        conclusions += gate_lines(found)
    return Answer(
        understood(comparison), rows, conclusions, warnings(found, wish), code, data_of(found, beats, wish, code)
    )


# what was understood


def understood(comparison: Comparison) -> list[str]:
    """What the file is, in two or three lines."""
    items = comparison.items
    noun, raters = NOUNS[comparison.kind], items.raters
    people = "nobody's labels"
    if len(raters) == 1:
        people = "one label each" if items.labelled == len(items.items) else f"one label for {items.labelled:,} of them"
    elif raters:
        people = f"labels of {len(raters)} people for {items.labelled:,} of them"
    first = [f"{len(items.items):,} {noun}", people]
    if comparison.kind == "pairs" and not items.both_orders and all(judge.column for judge in comparison.judges):
        first.append("one order only, so position bias cannot be measured")
    columns = items.columns
    second = [f"labels: {', '.join(columns.label)} ({items.label_words})"] if columns.label else []
    named = [f"{judge.name} ({items.judge_words[judge.plain]})" for judge in items.judges]
    second += [f"verdicts: {', '.join(named)}"] if named else []
    texts = items.with_texts
    second.append(f"texts: {'none' if not texts else 'all' if texts == len(items.items) else f'{texts:,}'}")
    return [" · ".join(first), " · ".join(second), *unknown_words(items)]


def unknown_words(items: Items) -> list[str]:
    """What judges say that is no verdict."""
    each = []
    for column, words in items.unknown.items():
        if words:
            shown = ", ".join(f"{word!r}" for word in list(words)[:3])
            each.append(f"{sum(words.values()):,} of {column} ({shown}{' …' if len(words) > 3 else ''})")
    return [f"no verdict, as the word means nothing: {'; '.join(each)}"] if each else []


# numbers


def shown(number: Number, kind: str, signed: bool = False) -> str:
    if number.value is None:
        return "-"
    digits = 3 if kind == "ratings" else 1
    sign = "+" if signed else ""
    value = f"{number.value:{sign}.{digits}f}".replace("-", "−")
    if number.low is None or number.high is None:
        return value
    return f"{value} [{number.low:.{digits}f}, {number.high:.{digits}f}]".replace("-", "−")


def p_shown(p: float | None) -> str:
    if p is None:
        return ""
    return "p < .001" if p < 0.001 else f"p {p:.3f}".replace("0.", ".")


def better(number: Number) -> str:
    """Whether a difference is above nothing."""
    if number.low is None or number.high is None:
        return "too few to say"
    return "yes" if number.low > 0 else "worse" if number.high < 0 else "not shown"


def judged_rows(found: Found) -> tuple[list[list[str]], dict[str, dict[str, str]]]:
    """The table that is printed, and by judge what each rule is to it."""
    comparison = found.comparison
    labels, rules, kind = [judge.label for judge in comparison.judges], comparison.rules, comparison.kind
    first = labels[0]
    title = "correlates" if kind == "ratings" else "agrees"
    head = [
        "",
        title,
        *(f"beats {rule.lower()}?" for rule in rules),
        *([f"against {first}"] if len(labels) > 1 else []),
    ]
    if kind == "words":
        head[2:2] = ["passed rightly", "stopped rightly"]
    rows, beats = [head], {}
    for label in labels:
        beats[label] = {rule: better(found.difference(label, rule)) for rule in rules}
        gate = [
            shown(found.number("judges", label, "All", name), kind) for name in ("passed_rightly", "stopped_rightly")
        ]
        against = [compared(found, first, label)] if len(labels) > 1 else []
        cells = [shown(found.agreement(label), kind), *(gate if kind == "words" else []), *beats[label].values()]
        rows.append([label, *cells, *against])
    for rule in rules:
        empty = [""] * (len(head) - 2)
        rows.append([rule.lower(), shown(found.agreement(rule), kind), *empty])
    return rows, beats


def compared(found: Found, first: str, label: str) -> str:
    if label == first:
        return "–"
    less = found.difference(first, label)
    mine, theirs = found.against(label, first)
    p = p_shown(found.p(first, label))
    other = less.negated
    value = "-" if other.value is None else shown(Number(other.value), found.comparison.kind, signed=True)
    if found.comparison.kind == "ratings":
        return shown(other, found.comparison.kind, signed=True)
    return ", ".join([value, *filter(None, [p])]) + f" ({mine:,} against {theirs:,})"


# conclusions


def best_of(found: Found) -> list[str]:
    """The judges, the best first."""
    values = {judge.label: found.agreement(judge.label).value for judge in found.comparison.judges}
    return sorted(values, key=lambda label: -math.inf if values[label] is None else -values[label])  # type: ignore[operator]


def oriented(found: Found, one: str, other: str) -> Number:
    """The difference of two judges, whichever way round the table has it."""
    there = found.difference(one, other)
    if there.value is not None:
        return there
    return found.difference(other, one).negated


def which(found: Found) -> list[str]:
    """Which judge agrees most with people, or why that cannot be said."""
    ranked = best_of(found)
    if too_few(found):
        return [f"Too few labels to conclude anything ({too_few(found)})."]
    if len(ranked) == 1:
        above = {rule: better(found.difference(ranked[0], rule)) for rule in found.comparison.rules}
        beaten = [rule.lower() for rule, is_better in above.items() if is_better == "yes"]
        return [
            f"{ranked[0]} beats {' and '.join(beaten)}." if beaten else f"{ranked[0]} is shown to beat no simple rule."
        ]
    best, second = ranked[:2]
    less = oriented(found, best, second)
    if less.low is not None and less.low > 0:
        return [f"{best} agrees with people more than {second}{' and all others' if len(ranked) > 2 else ''}."]
    more = needed(less.value or 0.0, less.error, less.n)
    return [f"{best} and {second} cannot be told apart{f': about {more:,} labels would' if more else ''}."]


def needed(gap: float, error: float | None, n: int) -> int:
    """How many labels would show a gap in four of five samples; 0 where that cannot be said."""
    if not gap or error is None or not n:
        return 0
    return math.ceil(n * (Z * error / abs(gap)) ** 2)


def too_few(found: Found) -> str:
    comparison = found.comparison
    labelled = [item for item in comparison.items.items if item.labels]
    if len(labelled) < FEWEST:
        return f"{len(labelled)}, fewer than {FEWEST}"
    clusters = {item.context[comparison.cluster] for item in labelled} if comparison.cluster else set()
    if comparison.cluster and len(clusters) < FEWEST_CLUSTERS:
        return f"{len(clusters)} clusters, fewer than {FEWEST_CLUSTERS}"
    return ""


def standing(found: Found, label: str, floor: float) -> int:
    """Whether a judge's agreement is above the floor, below it, or neither is shown."""
    number = found.agreement(label)
    unit = 1.0 if found.comparison.kind == "ratings" else 100.0
    if number.low is None or number.high is None or too_few(found):
        return UNDECIDED
    return TRUSTED if number.low > floor * unit else UNTRUSTED if number.high < floor * unit else UNDECIDED


def verdict(found: Found, wish: Wish) -> int:
    """Trusted if every judge is above the floor, not if any is below it."""
    if wish.floor is None:
        return UNDECIDED if too_few(found) else TRUSTED
    each = {standing(found, judge.label, wish.floor) for judge in found.comparison.judges}
    return UNTRUSTED if UNTRUSTED in each else TRUSTED if each == {TRUSTED} else UNDECIDED


def floor_lines(found: Found, wish: Wish, code: int) -> list[str]:
    if wish.floor is None:
        return []
    unit = 1.0 if found.comparison.kind == "ratings" else 100.0
    each = [
        f"{judge.label} {VERDICTS[standing(found, judge.label, wish.floor)].lower()}"
        for judge in found.comparison.judges
    ]
    lines = [f"{VERDICTS[code]} at a floor of {wish.floor:g}: {', '.join(each)}."]
    if code == UNDECIDED and not too_few(found):
        more = []
        for judge in found.comparison.judges:
            number = found.agreement(judge.label)
            if standing(found, judge.label, wish.floor) == UNDECIDED and number.value is not None:
                labels = needed(number.value - wish.floor * unit, number.error, number.n)
                more.append(f"{judge.label} about {labels:,}" if labels else f"{judge.label} more than can be said")
        lines.append(f"Labels that would decide it: {', '.join(more)}.")
    return lines


def win_rate_errors(found: Found) -> dict[str, float]:
    """By judge, by how many points it is off of people's win rate of the system that it gets most wrong."""
    errors = {}
    for judge in found.comparison.judges:
        rates = [
            (found.number("win_rates", system, judge.label).value, found.number("win_rates", system, "People").value)
            for system in found.comparison.items.systems
        ]
        known = [abs(mine - theirs) for mine, theirs in rates if mine is not None and theirs is not None]
        if known:
            errors[judge.label] = max(known)
    return errors


def win_rate_lines(found: Found) -> list[str]:
    systems, errors = len(found.comparison.items.systems), win_rate_errors(found)
    if not errors:
        return []
    right = [label for label, error in errors.items() if error <= NEAR]
    off = " and ".join(f"{error:.0f}" for error in errors.values())
    few = f"Too few systems ({systems}) to rank judges by ranking; for" if systems < FEWEST_SYSTEMS else "For"
    who = (
        ", ".join(right)
        if right
        else "neither"
        if len(errors) == 2
        else "none"
        if len(errors) > 2
        else "not this judge"
    )
    return [f"{few} win rates {who} (off by up to {off} points)."]


def gate_lines(found: Found) -> list[str]:
    """What a gate of each of these judges would let through."""
    rates = {
        judge.label: found.number("judges", judge.label, "All", "passed_rightly").value
        for judge in found.comparison.judges
    }
    let = [f"{label} {100 - rate:.0f}" for label, rate in rates.items() if rate is not None]
    return [f"As a gate, of each 100 passed people would fail: {', '.join(let)}."] if let else []


def warnings(found: Found, wish: Wish) -> list[str]:
    comparison, lines = found.comparison, []
    missing = {
        judge.label: found.number(
            "judges", judge.label, "All", "unscored" if comparison.kind != "pairs" else "unparsed"
        ).value
        for judge in comparison.judges
    }
    if lacking := [f"{label} {value:.1f} %" for label, value in missing.items() if value]:
        lines.append(f"No verdict, which counts as wrong: {', '.join(lacking)}.")
    alike = {
        judge.label: found.number("biases", judge.label, "Same in both orders").value for judge in comparison.judges
    }
    if in_both := [f"{label} {value:.0f} %" for label, value in alike.items() if value is not None]:
        lines.append(f"Says the same in both orders: {', '.join(in_both)}.")
    ceiling = found.number("people", "People", "Noise ceiling").value
    if ceiling is not None:
        lines.append(f"One more person would agree with the best possible judge {ceiling:.1f} % of the time.")
    if len(comparison.slices) and comparison.items.labelled:
        lines.append("The page has the slices: many looks, of whose intervals one in twenty misses by chance.")
    if wish.drawn in NOT_DRAWN:
        lines.append(NOT_DRAWN[wish.drawn])
    return lines


# a file that nobody labelled


def unlabelled(found: Found, wish: Wish) -> Answer:
    comparison = found.comparison
    first, kind = comparison.judges[0].label, comparison.kind
    rows = [["", "verdicts", "no verdict", f"same as {first}"]]
    data = []
    for judge in comparison.judges:
        said = found.said[judge.label]
        counts: dict[str, int] = {}
        for words in said.values():
            for word in words:
                counts[word] = counts.get(word, 0) + 1
        none = sum(counts.get(word, 0) for word in ("unparsed", "refused", "truncated", "failed"))
        same, both = found.same(first, judge.label)
        counted = (
            "numbers" if kind == "ratings" else ", ".join(f"{counts.get(word, 0):,} {word}" for word in words_of(kind))
        )
        alike = "–" if judge.label == first else f"{100 * same / both:.1f} % of {both:,}" if both else "-"
        rows.append([judge.label, counted, f"{none:,}", alike])
        data.append({"judge": judge.label, "counts": counts, "same_as_first": same, "of": both})
    conclusions = [
        "Nobody labelled these: which judge is right cannot be said. That two say the same is no sign that either is.",
        f"Read those first on which they differ; label {needed_labels()} that are drawn at random.",
    ]
    if comparison.kind == "pairs":
        conclusions += win_rate_spread(found)
    drawn = [NOT_DRAWN[wish.drawn]] if wish.drawn in NOT_DRAWN else []
    kept = {"kind": kind, "items": len(comparison.items.items), "labelled": 0, "judges": data, "code": UNDECIDED}
    return Answer(understood(comparison), rows, conclusions, drawn, UNDECIDED, kept)


def words_of(kind: str) -> Sequence[str]:
    return ("first", "second", "tie") if kind == "pairs" else ("yes", "no")


def needed_labels() -> int:
    """So many labels have a 95 % interval of ten points about an agreement of 80 %."""
    return math.ceil((1.959964 / 0.05) ** 2 * 0.8 * 0.2 / 10) * 10


def win_rate_spread(found: Found) -> list[str]:
    """How far judges are apart in the win rates that they give."""
    spread = []
    for system in found.comparison.items.systems:
        rates = [found.number("win_rates", system, judge.label).value for judge in found.comparison.judges]
        known = [rate for rate in rates if rate is not None]
        if len(known) > 1:
            spread.append(max(known) - min(known))
    return [f"Their win rates of one system differ by up to {max(spread):.0f} points."] if spread else []


# --json


def data_of(found: Found, beats: dict[str, dict[str, str]], wish: Wish, code: int) -> dict[str, Any]:
    comparison = found.comparison
    errors = win_rate_errors(found)

    def number(each: Number) -> dict[str, Any]:
        return {"value": each.value, "low": each.low, "high": each.high, "n": each.n}

    judges = [
        {
            "judge": judge.label,
            "agreement": number(found.agreement(judge.label)),
            "beats": beats[judge.label],
            "win_rates_off_by": errors.get(judge.label),
            **({} if wish.floor is None else {"standing": VERDICTS[standing(found, judge.label, wish.floor)]}),
        }
        for judge in comparison.judges
    ]
    first, *others = [judge.label for judge in comparison.judges]
    return {
        "kind": comparison.kind,
        "question": QUESTIONS[comparison.kind],
        "items": len(comparison.items.items),
        "labelled": comparison.items.labelled,
        "raters": len(comparison.items.raters),
        "judges": judges,
        "rules": {rule: number(found.agreement(rule)) for rule in comparison.rules},
        "against_first": {
            other: {
                "difference": number(oriented(found, other, first)),
                "mid_p": found.p(first, other),
                "p": found.p(first, other, "p"),
                "holm": found.p(first, other, "Holm"),
                "more_right": found.against(other, first),
            }
            for other in others
        },
        "floor": wish.floor,
        "drawn": wish.drawn or None,
        "verdict": VERDICTS[code],
        "code": code,
    }
