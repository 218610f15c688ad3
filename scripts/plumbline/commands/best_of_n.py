"""Best of N: a model's answers to people's instructions, drawn and greedy, and a scorer that chooses among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from plumbline.asking.placeholder import MADE_UP
from plumbline.asking.protocols import ProtocolName
from plumbline.asking.replay import verdicts_of
from plumbline.asking.runs import Ran
from plumbline.commands.answer_scoring import ScorerKind, Scoring
from plumbline.commands.checklist_scoring import check_has
from plumbline.commands.direct_ask import (
    DirectAsk,
    Foreseen,
    can_write,
    chosen_model,
    step_asked,
)
from plumbline.data.instances import Instance, Output, identified, with_outputs
from plumbline.data.texts import Text
from plumbline.data.verdicts import Verdict, alone
from plumbline.derive.derivation import Made
from plumbline.derive.derivations.preferred import Preferred, counted, preferred, score_of
from plumbline.derive.given import Given
from plumbline.records.errors import PlumblineError
from plumbline.records.tally import Tally
from plumbline.report.best_of_n import GREEDY, BestSummary, Candidate, Choice
from plumbline.workflow.flow import Flow

RESPONSE, DRAWN = "response", "response_drawn"
RESPONSES = "plumbline"
"""The wording in which answers are asked for: the instruction as it is."""


@dataclass(frozen=True)
class Writing:
    """How answers are written."""

    answers: int
    temperature: float
    wording: str = RESPONSES
    longest: int | None = None

    def writer(self, flow: Flow, model: str) -> DirectAsk:
        if self.answers > 1 and not self.temperature > 0:
            raise PlumblineError(
                f"at temperature {self.temperature:g} all {self.answers} answers would be the same",
                where="--temperature",
                expected="above 0",
            )
        name = chosen_model(flow.config, model, "--model", can_write(flow.config))
        check_has(flow.config, self.wording, [(RESPONSE, "")], "--wording")
        greedy = step_asked(flow.config, RESPONSE, self.wording)
        options = {"temperature": self.temperature, "samples": self.answers}
        drawn = step_asked(flow.config, RESPONSE, self.wording, DRAWN, **options)
        return DirectAsk.of(flow, name, {**greedy, **drawn}, self.longest)


@dataclass(frozen=True)
class Chosen:
    """What was asked, and what was chosen."""

    summary: BestSummary
    written: list[Ran]
    scored: list[Ran]
    tallies: list[Tally]


@dataclass(frozen=True)
class BestOfN:
    """Who writes and who chooses, ready to be asked."""

    writer: DirectAsk
    judge: DirectAsk
    scorer: ScorerKind
    answers: int

    @classmethod
    def of(cls, flow: Flow, model: str, writing: Writing, scoring: Scoring, given: bool) -> BestOfN:
        writer = writing.writer(flow, model)
        return cls(writer, scoring.judge(flow, writer.model, given), scoring.kind, writing.answers)

    @property
    def is_self_judged(self) -> bool:
        return self.judge.model == self.writer.model

    def foresee(self, instances: Sequence[Instance]) -> list[Foreseen]:
        writing = self.writer.foresee("responses", instances)
        if self.scorer.model:
            return [writing]
        return [writing, self.judge.foresee("scores", self.to_score(instances, writing.runs))]

    def ask(self, instances: Sequence[Instance], folder: Path) -> Chosen:
        written, first = self.writer.ask(instances, folder / "responses.tally.json")
        to_score = self.to_score(instances, written)
        scored, second = self.judge.ask(to_score, folder / "scores.tally.json")
        return Chosen(self.summed_up(instances, written, scored), written, scored, [first, second])

    def to_score(self, instances: Sequence[Instance], written: Sequence[Ran]) -> list[Instance]:
        """The instructions with the answers that are of use; those without any drawn one are left out."""
        texts = by_instance(written)
        answered = [with_outputs(one, outputs_of(texts[one.id])) for one in instances]
        return list(identified(one for one in answered if any(output.system != GREEDY for output in one.outputs)))

    def summed_up(self, instances: Sequence[Instance], written: Sequence[Ran], scored: Sequence[Ran]) -> BestSummary:
        texts = {one.key: by_instance(written)[one.id] for one in instances}
        chosen = {run.instance.key: self.choose(run, texts[run.instance.key]) for run in scored}
        return BestSummary(
            self.answers,
            [choice for choice in chosen.values() if choice],
            [name for name in texts if name not in chosen],
            [name for name, choice in chosen.items() if choice is None],
        )

    def choose(self, run: Ran, texts: Sequence[Text]) -> Choice | None:
        """The best of the drawn answers; None where none has a score. The greedy one is no candidate."""
        instance, verdicts = run.instance, verdicts_of(run)
        drawn = [output for output in instance.outputs if output.system != GREEDY]
        name = self.judge.model
        options = Preferred(
            derive="preferred", of="", model=name, protocol=run.options.name, question=self.scorer.question
        )
        result = preferred(replace(instance, outputs=tuple(drawn)), Given(verdicts={name: verdicts}), options)
        if not isinstance(result, Made):
            return None
        kept = [output.text for output in result.instance.outputs]
        scores = [
            score_of(place, counted(verdicts, options.question), options) for place in range(len(instance.outputs))
        ]
        candidates = [candidate(run, place, score) for place, score in enumerate(scores)]
        systems = [output.system for output in instance.outputs]
        best = candidates[systems.index(result.instance.outputs[0].system)]
        return Choice(
            instance.key,
            instance.instruction,
            best,
            tuple(dict.fromkeys(text for text in kept if text != best.response)),
            tuple(candidates[: len(drawn)]),
            candidates[-1] if len(drawn) < len(candidates) else None,
            self.answers - len(drawn),
        )


def by_instance(written: Sequence[Ran]) -> dict[str, list[Text]]:
    """All answers to each instruction: the drawn ones in order, then the greedy one."""
    texts: dict[str, list[Text]] = {}
    for run in sorted(written, key=lambda run: is_greedy(run.options.name)):
        texts.setdefault(run.instance.id, []).extend(run.texts)
    return texts


def is_greedy(step: str) -> bool:
    return not ProtocolName.parse(step).base.endswith(DRAWN)


def outputs_of(texts: Sequence[Text]) -> list[Output]:
    """The answers that are of use, by the number of their draw."""
    usable = [(GREEDY if is_greedy(text.step) else str(text.sample + 1), text) for text in texts if text.usable]
    return [Output(name, told_apart(text.text, name)) for name, text in usable]


def told_apart(text: str, name: str) -> str:
    """An answer's text; a made-up one, in a preview, is another one for each, as drawn answers are."""
    return f"{text} {name}" if text.startswith(MADE_UP) else text


def candidate(run: Ran, place: int, score: float | None) -> Candidate:
    """An answer with what was said of it."""
    output, about = run.instance.outputs[place], [v for v in run.verdicts if v.showing == alone(place)]
    questions = [verdict for verdict in about if verdict.checklist and verdict.step]
    return Candidate(
        draw=0 if output.system == GREEDY else int(output.system),
        response=output.text,
        score=score,
        passed=asked_of(questions, "yes"),
        failed=asked_of(questions, "no"),
        unanswered=asked_of(questions, None),
        said="" if questions else said(run, place),
    )


def asked_of(verdicts: Sequence[Verdict], word: str | None) -> tuple[str, ...]:
    return tuple(verdict.question for verdict in verdicts if verdict.strict.word == word)


def said(run: Ran, place: int) -> str:
    """What the scorer wrote about an answer."""
    return next((asked.completion.text for asked in run.asked if asked.place.showing == alone(place)), "")
