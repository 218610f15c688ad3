"""Measures of yes and no about single outputs: what a judge says of them beside what most people say."""

from __future__ import annotations

from plumbline.data.verdicts import Reading
from plumbline.measuring.cells import PERCENT
from plumbline.measuring.measure import ratio
from plumbline.measuring.measures.scoring import Outputs, ScoredOutput, outputs

NOTHING_PASSED = "the judge passes nothing"
NOTHING_FAILED = "people fail nothing"


def share_of_yes(output: ScoredOutput) -> float:
    """1 where most people say yes, 0 where most say no, ½ where as many say one as the other."""
    return 0.5 if output.rating == 0.5 else float(output.rating > 0.5)


@ratio("same_answer", "Same answer", outputs, unit=PERCENT, missing="wrong")
def same_answer(unit: Outputs, reading: Reading) -> tuple[float, float]:
    """The share of outputs of which the judge says what most people say; where as many say yes as no, each is half
    right. No answer is wrong."""
    shares = [(share_of_yes(output), output.score(reading)) for output in unit.outputs]
    return sum(1.0 - abs(share - said) for share, said in shares if said is not None), float(len(shares))


@ratio(
    "passed_rightly",
    "Passed rightly",
    outputs,
    unit=PERCENT,
    missing="wrong",
    undefined=NOTHING_PASSED,
)
def passed_rightly(unit: Outputs, reading: Reading) -> tuple[float, float] | None:
    """Of the outputs that the judge passes, the share that most people pass; no answer passes nothing."""
    through = [output for output in unit.outputs if output.score(reading) == 1.0]
    return (sum(map(share_of_yes, through)), float(len(through))) if through else None


@ratio(
    "stopped_rightly",
    "Stopped rightly",
    outputs,
    unit=PERCENT,
    missing="wrong",
    undefined=NOTHING_FAILED,
)
def stopped_rightly(unit: Outputs, reading: Reading) -> tuple[float, float] | None:
    """Of the outputs that most people fail, the share that the judge does not pass; no answer stops nothing."""
    shares = [(1.0 - share_of_yes(output), output.score(reading)) for output in unit.outputs]
    whole = sum(share for share, _ in shares)
    return (sum(share for share, said in shares if said == 0.0), whole) if whole else None
