"""What all readers share: how much of an answer is looked at, its two readings, and why there is none."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from plumbline.asking.conclusion import conclusion
from plumbline.asking.refusal import refused
from plumbline.asking.scores import Scores
from plumbline.config.parsers import Names
from plumbline.data.verdicts import Missing, Outcome
from plumbline.models.asking import Completion
from plumbline.records.errors import PlumblineError

TRUNCATED = frozenset({"length", "context"})
BY_CONCLUSION = "by its conclusion"
NONE_GIVEN = "none given"
CUT_OFF = "cut off"
DECLINED = "declined"
NO_REFERENCE = "no reference"
OFF_THE_SCALE = "off the scale"
FAILED = "failed"
GOES_BY: dict[Missing, str] = {
    "unparsed": NONE_GIVEN,
    "truncated": CUT_OFF,
    "refused": DECLINED,
    "no_reference": NO_REFERENCE,
    "failed": FAILED,
}
"""What a strict reading without a verdict goes by, where the published one differs."""
LONGEST_READ = 20_000
"""Characters of an answer that are looked at: a megabyte of one letter must not stall a parser."""
UNPARSED = Outcome(missing="unparsed")
EXCHANGED = {"first": "second", "second": "first"}


@dataclass(frozen=True, slots=True)
class Readings:
    """One answer read two ways."""

    as_published: Outcome
    strict: Outcome
    why: str = field(default="", compare=False)
    """Where the two differ: what the strict reading goes by."""
    scores: Scores | None = None
    """What the preference was read from, where that are scores."""

    def swapped(self) -> Readings:
        """The same about outputs that were shown in the other order."""
        published, strict = _exchanged(self.as_published), _exchanged(self.strict)
        return replace(self, as_published=published, strict=strict, scores=self.scores and self.scores.swapped())


def readings(
    completion: Completion, as_published: Outcome, strict: Outcome | None, why: str = BY_CONCLUSION
) -> Readings:
    """Both readings; without a strict one, why there is none."""
    strict = strict or Outcome(missing=why_none(completion))
    if strict.missing:
        why = why if why == OFF_THE_SCALE else GOES_BY[strict.missing]
    return Readings(as_published, strict, "" if strict == as_published else why)


def why_none(completion: Completion) -> Missing:
    """Why there is no verdict in an answer."""
    if refused(completion):
        return "refused"
    return "truncated" if completion.finish in TRUNCATED else "unparsed"


def looked_at(text: str) -> str:
    """The text without the space around it, shortened where it is very long."""
    return shortened(text.strip())


def shortened(text: str) -> str:
    """Of a very long text its two ends, where verdicts stand, joined so that no line begins there."""
    if len(text) <= LONGEST_READ:
        return text
    return text[: LONGEST_READ // 2] + " … " + text[-LONGEST_READ // 2 :]


def concluded(text: str, names: Names) -> Outcome | None:
    """What an answer concludes with, by the same rules for every model."""
    word = conclusion(text, names.first, names.second)
    return None if word == "none" else Outcome(word)


def check_scale(low: float, high: float, where: str) -> None:
    """Refuse a scale on which no number is."""
    if low >= high:
        raise PlumblineError("a scale ends above its beginning", where=where, found=f"low {low:g}, high {high:g}")


def _exchanged(outcome: Outcome) -> Outcome:
    return Outcome(EXCHANGED[outcome.word]) if outcome.word in EXCHANGED else outcome
