"""People's decisions on pairs: the file they are kept in, and what becomes of the pairs (LLMBar, sections 2.1, 2.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, get_args

from plumbline.data.journal_lines import lines_in
from plumbline.data.labelled import Gold, Labelled
from plumbline.records.errors import PlumblineError
from plumbline.records.files import digest_value, read_bytes

Action = Literal["keep", "edit", "swap", "discard", "clear"]
Status = Literal["kept", "edited", "swapped", "discarded", "unreviewed"]
STATUS: dict[Action, Status] = {
    "keep": "kept",
    "edit": "edited",
    "swap": "swapped",
    "discard": "discarded",
    "clear": "unreviewed",
}
EDITABLE = ("instruction", "first", "second", "gold")
EXCHANGED: dict[Gold, Gold] = {"first": "second", "second": "first", "tie": "tie"}
NAMED = 100
"""So many pairs are named in one line."""


@dataclass(frozen=True)
class Decision:
    """One line of a decisions file. Of several by one reviewer on one pair the last counts."""

    item: str
    """Id of the pair. Where no pair has it any more, the decision is about those that show the same."""
    shown: str
    """Digest of the pair as the queue had it: a decision on other words than today's is stale."""
    reviewer: str
    """Who decided."""
    action: Action
    """keep; edit; swap the label; discard; or clear (take back)."""
    fields: dict[str, str] = field(default_factory=dict)
    """For edit and swap: what the changed fields say now."""
    reason: str = ""
    """Why it is discarded, or any remark."""


@dataclass(frozen=True)
class Reviewed:
    """A pair as people left it, under the id that the queue has it by."""

    pair: Labelled
    status: Status
    reason: str = ""
    reviewers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Conflict:
    """Reviewers who want different things of one pair."""

    item: str
    by_reviewer: Mapping[str, str]
    """What each reviewer's decision comes to."""


@dataclass(frozen=True)
class Review:
    """All pairs in their order, and what could not be applied."""

    reviewed: list[Reviewed]
    conflicts: list[Conflict]
    """Pairs that stay unreviewed until their reviewers agree."""
    stale: list[Decision]
    """Decisions on pairs that are no longer in the queue, or no longer say the same."""


class Queue:
    """The pairs as they are now, and which of them a decision is about.

    A pair's id follows from what else is in its set, and older files have ids of another kind: what its reviewer saw
    decides where the id is not known.
    """

    def __init__(self, pairs: Sequence[Labelled]) -> None:
        self.digests = {pair.id: shown_digest(pair) for pair in pairs}
        self.alike: dict[str, list[str]] = {}
        for name, digest in self.digests.items():
            self.alike.setdefault(digest, []).append(name)

    def about(self, decision: Decision) -> list[str]:
        """Ids of the pairs that a decision is about: its own, or every one that shows the same; none if it is stale."""
        if decision.item in self.digests:
            return [decision.item] if self.digests[decision.item] == decision.shown else []
        return self.alike.get(decision.shown, [])

    def standing(self, decisions: Iterable[Decision]) -> dict[tuple[str, str], Decision]:
        """What each reviewer says of each pair, by its id and the reviewer; one by its id counts before others."""
        by_id: dict[tuple[str, str], Decision] = {}
        by_words: dict[tuple[str, str], Decision] = {}
        for decision in {(decision.item, decision.reviewer): decision for decision in decisions}.values():
            for name in self.about(decision):
                if decision.item == name:
                    by_id[name, decision.reviewer] = decision
                elif decision.action != "clear":
                    by_words[name, decision.reviewer] = decision
        return {key: decision for key, decision in (by_words | by_id).items() if decision.action != "clear"}

    def stale(self, decisions: Iterable[Decision]) -> list[Decision]:
        """Those about no pair of the queue."""
        return [decision for decision in latest(decisions).values() if not self.about(decision)]


def shown_digest(pair: Labelled) -> str:
    return digest_value([pair.instance.instruction, pair.first, pair.second, pair.gold])[:16]


def fields_of(pair: Labelled) -> dict[str, str]:
    """What people may change of a pair."""
    return {"instruction": pair.instance.instruction, "first": pair.first, "second": pair.second, "gold": pair.gold}


def with_fields(pair: Labelled, fields: Mapping[str, str]) -> Labelled:
    """A pair with some of its fields changed."""
    new: dict[str, Any] = fields_of(pair) | dict(fields)
    outputs = zip(pair.instance.outputs, (new["first"], new["second"]), strict=True)
    changed = tuple(replace(output, text=text) for output, text in outputs)
    return Labelled(replace(pair.instance, instruction=new["instruction"], outputs=changed), new["gold"])


def decision_on(pair: Labelled, reviewer: str, fields: Mapping[str, str], reason: str = "") -> Decision:
    """Acceptance of a pair with what was changed in it; unchanged fields are left out."""
    now = fields_of(pair)
    changed = {name: value for name, value in fields.items() if value != now.get(name)}
    action: Action = "edit" if set(changed) - {"gold"} else "swap" if changed else "keep"
    return checked(Decision(pair.id, shown_digest(pair), reviewer, action, changed, reason), "this decision")


def read_decisions(paths: Iterable[Path]) -> list[Decision]:
    """All decisions of some files, in order."""
    return [decision for path in paths for decision in decisions_in(read_bytes(path), str(path))]


def decisions_in(data: bytes, path: str) -> list[Decision]:
    """Those of one file."""
    return [checked(decision, where) for decision, where in lines_in(Decision, data, path)]


def checked(decision: Decision, where: str) -> Decision:
    """Refuse what cannot be applied to any pair."""
    wrong = {name: value for name, value in decision.fields.items() if name not in EDITABLE or not value.strip()}
    if wrong:
        name, value = next(iter(wrong.items()))
        problem = "cannot be edited" if name not in EDITABLE else "would be empty"
        raise PlumblineError(f"the field {name!r} {problem}", where=where, expected=", ".join(EDITABLE), found=value)
    if decision.fields.get("gold", "first") not in get_args(Gold):
        raise PlumblineError(
            "the label names no output", where=where, expected="first, second or tie", found=decision.fields["gold"]
        )
    if decision.action == "discard" and not decision.reason.strip():
        raise PlumblineError("a pair is discarded without a reason", where=where, do="say why")
    return decision


def latest(decisions: Iterable[Decision]) -> dict[tuple[str, str], Decision]:
    """The last decision of each reviewer on each pair, of those that were not taken back."""
    last = {(decision.item, decision.reviewer): decision for decision in decisions}
    return {key: decision for key, decision in last.items() if decision.action != "clear"}


def named(decisions: Sequence[Decision]) -> str:
    """The pairs that decisions are about, each with who decided."""
    shown = ", ".join(f"{decision.item} ({decision.reviewer})" for decision in decisions[:NAMED])
    return shown + (f" and {len(decisions) - NAMED} more" if len(decisions) > NAMED else "")


def apply_decisions(pairs: Sequence[Labelled], decisions: Sequence[Decision]) -> Review:
    """Every pair as its reviewers left it; a pair they disagree on stays unreviewed, and is reported."""
    queue = Queue(pairs)
    on_pair: dict[str, list[Decision]] = {}
    for (name, _), decision in queue.standing(decisions).items():
        on_pair.setdefault(name, []).append(decision)
    reviewed, conflicts = [], []
    for pair in pairs:
        outcomes = [outcome(pair, decision) for decision in on_pair.get(pair.id, [])]
        if len({result(one) for one in outcomes}) > 1:
            by_reviewer = {
                one.reviewers[0]: one.status + (f" ({one.reason})" if one.reason else "") for one in outcomes
            }
            conflicts.append(Conflict(pair.id, by_reviewer))
            outcomes = []
        reviewed.append(_joined(outcomes) if outcomes else Reviewed(pair, "unreviewed"))
    return Review(reviewed, conflicts, queue.stale(decisions))


def outcome(pair: Labelled, decision: Decision) -> Reviewed:
    """What one decision makes of a pair."""
    fields = {} if decision.action == "discard" else decision.fields
    return Reviewed(
        with_fields(pair, fields), STATUS[decision.action], reason=decision.reason, reviewers=(decision.reviewer,)
    )


def result(one: Reviewed) -> tuple[Any, ...]:
    """What reviewers have to agree on: the pair they want, or that they want none of it; not their reasons."""
    return ("discarded",) if one.status == "discarded" else tuple(fields_of(one.pair).values())


def _joined(outcomes: Sequence[Reviewed]) -> Reviewed:
    ordered = sorted(outcomes, key=lambda one: one.reviewers)
    reasons = dict.fromkeys(one.reason for one in ordered if one.reason)
    names = tuple(name for one in ordered for name in one.reviewers)
    return replace(ordered[0], reason="; ".join(reasons), reviewers=names)
