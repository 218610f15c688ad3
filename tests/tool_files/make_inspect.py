"""Writes inspect.eval and inspect.json beside itself: `pip install inspect-ai`, then run it in this folder."""

from pathlib import Path

from inspect_ai import Task, eval, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import CORRECT, INCORRECT, NOANSWER, Score, accuracy, mean, scorer
from inspect_ai.solver import solver

ITEMS = [
    ("What is 2 + 2?", "4", "4", "C"),
    ("Name a river.", "The Rhine", "a river", "C"),
    ("Spell cat.", "kat", "cat", "I"),
    ("Say hello.", "Hello there", "a greeting", "C"),
    ("What is the capital of France?", "Lyon", "Paris", "I"),
    ("Count to three.", "1, 2, 3", "1, 2, 3", "C"),
]
ANSWERS = {question: answer for question, answer, _, _ in ITEMS}


@solver
def recorded():
    async def solve(state, generate):
        state.output = ModelOutput.from_content("recorded", ANSWERS[state.input_text])
        return state

    return solve


@scorer(metrics=[accuracy()])
def strict_judge():
    async def score(state, target):
        said = state.output.completion.lower()
        value = NOANSWER if said == "lyon" else CORRECT if target.text.lower() in said else INCORRECT
        return Score(value=value, answer=said)

    return score


@scorer(metrics=[accuracy()])
def kind_judge():
    async def score(state, target):
        return Score(value=INCORRECT if "kat" in state.output.completion else CORRECT)

    return score


@scorer(metrics=[mean()])
def characters():
    async def score(state, target):
        return Score(value=len(state.output.completion))

    return score


@task
def little():
    samples = [
        Sample(id=f"s{number}", input=question, target=target, metadata={"human": human, "topic": "words"})
        for number, (question, _, target, human) in enumerate(ITEMS)
    ]
    scorers = [strict_judge(), kind_judge(), characters()]
    return Task(dataset=MemoryDataset(samples, name="little"), solver=recorded(), scorer=scorers)


for kind in ("eval", "json"):
    [log] = eval(little(), model="mockllm/model", log_dir="logs", log_format=kind, display="none")
    Path(log.location).rename(f"inspect.{kind}")
