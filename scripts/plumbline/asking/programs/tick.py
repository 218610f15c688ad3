"""TICK: answer the questions of a checklist one by one; the response that passes more of them is preferred."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from plumbline.asking.ask import Ask, Call
from plumbline.asking.checklists import Checking, checklist, none_written
from plumbline.asking.derived import from_scores, scores_of_two
from plumbline.asking.program import ProgramStep, program
from plumbline.config.typed import Positive
from plumbline.data.instances import Instance
from plumbline.data.verdicts import Outcome, Verdict, alone
from plumbline.records.errors import PlumblineError

PASS_RATE = "pass_rate"
"""The question whose answer is the share of a checklist that a response passes."""


@dataclass(frozen=True, kw_only=True)
class Options(Checking):
    """How a checklist is answered."""

    draws: Positive = 1
    """How often each question is answered, with a temperature; tables count the first answer, or the majority of as
    many `votes` as they pick."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.draws > 1 and not self.temperature:
            raise PlumblineError(
                f"at temperature 0 all {self.draws} draws would be the same answer",
                where=f"protocol {self.title!r}: draws",
                do="set a `temperature` above 0, or leave `draws` at 1",
            )


def steps(options: Options) -> list[ProgramStep]:
    return [*options.written, ProgramStep("check", options.variant, ("yes_no",), values=("question",))]


def derive(options: Options, verdicts: Sequence[Verdict]) -> Iterable[Verdict]:
    """The pass rate of each response, and which of two is preferred: the higher one, a tie where they are equal."""
    showings = dict.fromkeys(verdict.showing for verdict in verdicts)
    rates = [pass_rate([verdict for verdict in verdicts if verdict.showing == showing]) for showing in showings]
    return [*rates, *(from_scores(*scores) for scores in scores_of_two(rates, PASS_RATE))]


def pass_rate(answers: Sequence[Verdict]) -> Verdict:
    """No answer is no; without any answer there is no pass rate."""
    first = answers[0]
    return replace(
        first,
        question=PASS_RATE,
        as_published=share([verdict.as_published for verdict in answers]),
        strict=share([verdict.strict for verdict in answers]),
        why=next((verdict.why for verdict in answers if verdict.why), ""),
        logprobs={},
        gap=min((verdict.gap for verdict in answers if verdict.gap is not None), default=None),
        derived_from=tuple(f"{verdict.question}/{verdict.showing}" for verdict in answers),
    )


def share(answers: Sequence[Outcome]) -> Outcome:
    known = [answer for answer in answers if answer.missing is None]
    if not known:
        return answers[0]
    return Outcome(number=sum(answer.word == "yes" for answer in known) / len(answers))


@program(options=Options, asks="words", shows="each output alone", steps=steps, derive=derive)
async def tick(instance: Instance, ask: Ask, options: Options) -> Sequence[Verdict]:
    """Ask each question of a checklist about each output (TICK, section 3.1.2)."""
    questions = await checklist(instance, ask, options)
    if not questions:
        return [none_written(ask, output, options.answered) for output in range(len(instance.outputs))]
    draws = [ask.draw(number, options.draws) for number in range(options.draws)]

    async def check(draw: Ask, output: int, number: int) -> Verdict:
        call = Call("check", options.variant, {"question": questions[number]}, part=str(number + 1))
        answer = await draw.answer(questions[number], call, alone(output))
        return replace(answer.verdict, checklist=options.answered)

    every = [(draw, o, n) for o in range(len(instance.outputs)) for n in range(len(questions)) for draw in draws]
    return await gather(*(check(*each) for each in every))
