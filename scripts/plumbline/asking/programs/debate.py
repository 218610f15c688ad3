"""Multi-LLM Agreement: several agents rate an output and read one another until they agree."""

from __future__ import annotations

from asyncio import gather
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from plumbline.asking.ask import Ask, Call, VerdictWithText
from plumbline.asking.pooled import mean_outcome
from plumbline.asking.program import ProgramStep, program
from plumbline.config.protocol import Protocol
from plumbline.config.scored_on import ScoredOn
from plumbline.config.typed import Positive
from plumbline.data.instances import Instance
from plumbline.data.verdicts import READINGS, Outcome, Reading, Showing, Verdict, alone


@dataclass(frozen=True)
class Options(Protocol):
    """Who debates, for how long, and what counts in the end."""

    agents: Positive = 3
    """How many agents debate; all are the same model."""
    rounds: Positive = 3
    """How many rounds there are at most; a debate ends with the first in which all agree."""
    repeats: Positive = 3
    """How many debates are held about an output; the rating is the mean of theirs."""
    undecided: Literal["mean", "median", "none"] = "mean"
    """What a debate gives where no two agents agree in the last round, which riSum leaves open: the mean or the median
    of their ratings, or none. A majority's rating is the debate's."""


@dataclass(frozen=True)
class Turn:
    """What one agent said in a round."""

    agent: int
    text: str


def steps(options: Options) -> list[ProgramStep]:
    return [ProgramStep("debate", "", ("number",), values=("agent", "turns", "said", "round", "rounds"))]


@program(
    options=Options,
    asks="words",
    shows="each output alone",
    steps=steps,
    scored_on=ScoredOn.always("rating"),
)
async def debate(instance: Instance, ask: Ask, options: Options) -> Sequence[Verdict]:
    """Agents rate each output in rounds and see one another's words of the rounds before (riSum, section 3.3).

    Besides the rating there are, for each output, the shares of the debates that end in unanimity and in a majority.
    """
    outputs = [alone(output) for output in range(len(instance.outputs))]
    ratings = await gather(*(rate(ask, options, showing) for showing in outputs))
    return [verdict for verdicts in ratings for verdict in verdicts]


async def rate(ask: Ask, options: Options, showing: Showing) -> list[Verdict]:
    """What all debates about one output give."""
    discussions = await gather(*(discuss(ask, options, showing, repeat) for repeat in range(options.repeats)))
    published, strict = (pooled([decided(one, options, reading) for one in discussions]) for reading in READINGS)
    verdicts = [ask.verdict("rating", showing, published, strict, step="debate")]
    for question, is_so in (("unanimous", unanimous), ("majority", by_majority)):
        shares = [fmean(is_so(numbers_of(one, reading), options.agents) for one in discussions) for reading in READINGS]
        of_all, strictly = (Outcome(number=share) for share in shares)
        verdicts.append(ask.verdict(question, showing, of_all, strictly, step="debate"))
    return verdicts


async def discuss(ask: Ask, options: Options, showing: Showing, repeat: int) -> list[Verdict]:
    """The last round of one debate. Within a round, no agent sees what the others say in it."""
    turns: list[list[Turn]] = []
    answers: Sequence[VerdictWithText] = ()
    for number in range(1, options.rounds + 1):
        places = [(repeat, number, agent) for agent in agents(options)]
        answers = await gather(*(say(ask, options, showing, place, turns) for place in places))
        verdicts = [answer.verdict for answer in answers]
        if unanimous(numbers_of(verdicts, "as_published"), options.agents):
            break
        turns.append([Turn(agent, answer.text) for agent, answer in zip(agents(options), answers, strict=True)])
    return [answer.verdict for answer in answers]


def agents(options: Options) -> range:
    return range(1, options.agents + 1)


async def say(
    ask: Ask, options: Options, showing: Showing, place: tuple[int, int, int], turns: Sequence[Sequence[Turn]]
) -> VerdictWithText:
    """What one agent says in one round of one debate."""
    repeat, number, agent = place
    said = [turn for each in turns for turn in each]
    values = {"agent": agent, "turns": turns, "said": said, "round": number, "rounds": options.rounds}
    call = Call("debate", "", values, part=f"{number}/{agent}")
    return await ask.draw(repeat, options.repeats).answer("rating", call, showing)


def numbers_of(verdicts: Sequence[Verdict], reading: Reading) -> list[float]:
    return [
        outcome.number for outcome in (verdict.outcome(reading) for verdict in verdicts) if outcome.number is not None
    ]


def unanimous(numbers: Sequence[float], agents: int) -> bool:
    """All agents gave a rating, and the same."""
    return len(numbers) == agents and len(set(numbers)) == 1


def by_majority(numbers: Sequence[float], agents: int) -> bool:
    """More than half of the agents gave the same rating, and not all did."""
    most = max(Counter(numbers).values(), default=0)
    return 2 * most > agents and not unanimous(numbers, agents)


def decided(verdicts: Sequence[Verdict], options: Options, reading: Reading) -> Outcome:
    """What one debate gives: the rating of all or of most agents, else what is declared."""
    numbers = numbers_of(verdicts, reading)
    if unanimous(numbers, options.agents) or by_majority(numbers, options.agents):
        return Outcome(number=Counter(numbers).most_common(1)[0][0])
    if not numbers or options.undecided == "none":
        return Outcome(missing="unparsed") if numbers else mean_outcome(verdicts, reading)
    ordered = sorted(numbers)
    middle = ordered[(len(ordered) - 1) // 2 : len(ordered) // 2 + 1]
    return Outcome(number=fmean(numbers if options.undecided == "mean" else middle))


def pooled(outcomes: Sequence[Outcome]) -> Outcome:
    """The mean of the debates that gave a rating; where none did, why."""
    numbers = [one.number for one in outcomes if one.number is not None]
    return Outcome(number=fmean(numbers)) if numbers else outcomes[0]
