"""How the answers of Best of N are scored, and by whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from plumbline.commands.checklist_scoring import GIVEN, OWN, WORDING, check_has, check_wording
from plumbline.commands.direct_ask import Asked, DirectAsk, can_judge, chosen_model, protocol_asked
from plumbline.records.errors import PlumblineError
from plumbline.workflow.flow import Flow


@dataclass(frozen=True)
class ScorerKind:
    """A way to score answers."""

    protocol: str
    question: str
    """Which of the judge's statements is the score."""
    worded: bool = True
    """Whether a model is asked in words: then the writer may judge itself."""
    model: str = ""
    """Who it is where no model is asked."""


SCORERS: Mapping[str, ScorerKind] = {
    "tick": ScorerKind(OWN, "pass_rate"),
    "score": ScorerKind("direct_scoring", "rating"),
    "reward": ScorerKind("reward", "score", worded=False),
    "length": ScorerKind("longer", "length", worded=False, model="length"),
}


@dataclass(frozen=True)
class Scoring:
    """How answers are scored."""

    by: str
    model: str = ""
    """Empty: the writer judges itself."""
    wording: str = ""
    reasoning: bool = True
    longest: int | None = None

    @property
    def kind(self) -> ScorerKind:
        return SCORERS[self.by]

    def check(self) -> None:
        """Refuse what would change nothing."""
        idle = {"--by-model": bool(self.kind.model and self.model)}
        idle |= {} if self.kind.worded else {"--by-wording": bool(self.wording), "--no-reasoning": not self.reasoning}
        idle |= {} if self.kind.worded else {"--by-longest": self.longest is not None}
        for flag in (name for name, given in idle.items() if given):
            raise PlumblineError(f"--by {self.by} has no use for {flag}", where=flag, do="leave it out")

    def judge(self, flow: Flow, writer: str, given: bool) -> DirectAsk:
        self.check()
        if self.kind.model:
            return DirectAsk.of(flow, self.kind.model, self.asked(flow, given))
        name = self.model or (writer if self.kind.worded else "")
        judge = chosen_model(flow.config, name, "--by-model", can_judge(flow.config, self.kind.protocol))
        return DirectAsk.of(flow, judge, self.asked(flow, given), self.longest)

    def asked(self, flow: Flow, given: bool) -> Asked:
        wording = self.wording or WORDING
        if not self.kind.worded:
            return protocol_asked(flow.config, self.kind.protocol, wording)
        if self.by == "tick":
            check_wording(flow.config, wording, given, self.reasoning, "--by-wording")
        else:
            check_has(flow.config, wording, [("rate", "cot" if self.reasoning else "")], "--by-wording")
        protocol = GIVEN if given and self.by == "tick" else self.kind.protocol
        return protocol_asked(flow.config, protocol, wording, reasoning=self.reasoning)
