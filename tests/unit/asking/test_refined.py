"""Refinement: which rounds a writer gets to, what it is shown for them, and what becomes of rewrites of no use."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from asked import stored
from plumbline.asking.placeholder import PlaceholderEngine
from plumbline.data.texts import Text
from plumbline.models.asking import CallPlace, Completion, Request
from plumbline.models.cached import FLUSH_SECONDS, CachedEngine
from plumbline.models.store import Store
from plumbline.workflow.composing.resolved import Resolved
from refining import BENCHMARKS_OWN, mends_one, rounds_by, writer
from ticking_asks import QUESTIONS, Answers, Say


def refined(papers: Resolved, say: Say, **options: Any) -> tuple[list[Text], Answers]:
    """The rounds of one instance, by a writer that answers so."""
    engine = Answers(say)
    (result,) = rounds_by(papers, engine, **options)
    return result.texts, engine


def test_a_writer_that_mends_one_failed_question_a_round_stops_where_all_pass(papers: Resolved) -> None:
    texts, engine = refined(papers, writer(mends_one))
    assert [text.text for text in texts] == ["red", "red blue", "red blue brief", *["red blue brief polite"] * 2]
    assert {text.state for text in texts} == {"written"} and [text.number for text in texts] == [0, 1, 2, 3, 4]
    steps = [step.partition("/")[0] for step in engine.steps]
    assert (steps.count("refine"), steps.count("check"), steps.count("checklist")) == (3, 12, 1)


def test_a_response_that_passes_all_is_not_rewritten(papers: Resolved) -> None:
    texts, engine = refined(papers, writer(mends_one, draft="blue brief polite"))
    assert [text.text for text in texts] == ["blue brief polite"] * 5
    assert not [step for step in engine.steps if step.startswith("refine")]


def test_all_questions_go_back_with_their_answers_or_the_failed_ones_alone(papers: Resolved) -> None:
    for failed_only, shown in ((False, [f"{QUESTIONS[0]} Yes"]), (True, [])):
        _, engine = refined(papers, writer(mends_one, draft="blue"), rounds=1, failed_only=failed_only)
        prompt = next(request.messages[-1].content for place, request in engine.asked if place.step == "refine/1")
        answered = prompt.partition("[Questions and answers]\n")[2].partition("\n\n")[0].splitlines()
        assert answered == [*shown, f"{QUESTIONS[1]} No", f"{QUESTIONS[2]} No"]


@pytest.mark.parametrize("refine", ["checklist", "critique", "none"])
def test_the_benchmarks_own_checklist_is_in_no_prompt(papers: Resolved, refine: str) -> None:
    _, engine = refined(papers, writer(mends_one), refine=refine, rounds=2)
    assert not [place for place, request in engine.asked if BENCHMARKS_OWN in str(request.messages)]


@pytest.mark.parametrize(
    "rewrite",
    [
        "red blue, without a marker",
        "Revised response:",
        Completion("Revised response: red bl", finish="context"),
        "I'm sorry, but I can't help with that.",
    ],
)
def test_a_rewrite_of_no_use_keeps_the_text_before_it_and_says_so(papers: Resolved, rewrite: str | Completion) -> None:
    texts, engine = refined(papers, writer(lambda text: rewrite))
    assert [(text.text, text.state) for text in texts] == [("red", "written"), *[("red", "kept")] * 4]
    assert [step for step in engine.steps if step.startswith("refine")] == ["refine/1"]


def test_a_rewrite_that_is_cut_off_behind_its_marker_is_used_and_named_so(papers: Resolved) -> None:
    cut = Completion("Plan: x\nRevised response: red blue brief pol", finish="length")
    texts, _ = refined(papers, writer(lambda text: cut), rounds=1)
    assert [(text.text, text.state) for text in texts] == [("red", "written"), ("red blue brief pol", "truncated")]


def test_without_a_question_there_is_nothing_to_go_by(papers: Resolved) -> None:
    texts, engine = refined(papers, writer(mends_one, checklist="No idea."))
    assert [text.state for text in texts] == ["written", *["kept"] * 4]
    assert engine.steps == ["response", "checklist"]


@pytest.mark.parametrize(
    ("draft", "state", "asks"),
    [
        (Completion("", finish="context"), "missing", 1),
        ("", "empty", 1),
        (Completion("red", finish="length"), "truncated", 6),
    ],
)
def test_only_a_draft_with_words_is_refined(papers: Resolved, draft: str | Completion, state: str, asks: int) -> None:
    texts, engine = refined(papers, writer(mends_one, draft=draft), rounds=1)
    assert texts[0].state == state and len(engine.asked) == asks


def test_what_a_writer_says_when_it_declines_is_a_response_and_refined(papers: Resolved) -> None:
    texts, _ = refined(papers, writer(mends_one, draft="I'm sorry, but I can't help with that."), rounds=1)
    assert [text.state for text in texts] == ["refused", "written"] and texts[1].text.endswith("blue")


@pytest.mark.parametrize(
    ("refine", "asks"),
    [
        ("critique", ["response", "critique/1", "refine/1", "critique/2", "refine/2"]),
        ("none", ["response", "refine/1", "refine/2"]),
    ],
)
def test_without_a_checklist_every_round_is_asked_for(papers: Resolved, refine: str, asks: list[str]) -> None:
    texts, engine = refined(papers, writer(mends_one), refine=refine, rounds=2)
    assert [text.text for text in texts] == ["red", "red blue", "red blue brief"] and engine.steps == asks


def test_a_rewrite_that_changes_nothing_ends_it_as_the_next_round_would_ask_the_same(papers: Resolved) -> None:
    texts, engine = refined(papers, writer(lambda text: f"Revised response: {text}"), refine="none")
    assert [text.text for text in texts] == ["red"] * 5 and engine.steps == ["response", "refine/1"]


@pytest.mark.parametrize(("refine", "checks", "others"), [("checklist", 32, 6), ("critique", 0, 9), ("none", 0, 5)])
def test_a_preview_counts_every_round(papers: Resolved, refine: str, checks: int, others: int) -> None:
    """A checklist of eight questions, each checked in four rounds; nothing is taken to be in order before."""
    for reasoning in (True, False):
        engine = PlaceholderEngine({}, lambda request: None, lambda place, request, stored: None)
        (result,) = rounds_by(papers, engine, refine=refine, reasoning=reasoning)
        counts = Counter(asked.place.step.partition("/")[0] == "check" for asked in result.asked)
        assert (counts[True], counts[False]) == (checks, others)
        assert len({text.text for text in result.texts}) == 5


class Logging(Answers):
    """Writes down each ask before it answers; `last` kills its process, as `kill -9` does, which it reaches slowly."""

    stored = True

    def __init__(self, say: Say, log: Path, last: str = "") -> None:
        super().__init__(say)
        self.log, self.last, self.slow = log, last, SLOW if last else 0.0

    async def answer(self, request: Request, place: CallPlace) -> Completion:
        with self.log.open("a") as file:
            file.write(f"{place.instance} {place.step}\n")
        if f"{place.instance} {place.step}" == self.last:
            os.kill(os.getpid(), signal.SIGKILL)
        await asyncio.sleep(self.slow)
        return await super().answer(request, place)


SLOW, INSTANCES = 0.3, 4


def through_the_store(papers: Resolved, folder: Path, log: Path, last: str = "") -> list[list[str]]:
    with Store(folder) as store:
        engine = CachedEngine(Logging(writer(mends_one), log, last), store)
        return [[text.text for text in one.texts] for one in rounds_by(papers, engine, INSTANCES)]


def test_killed_in_round_two_it_asks_nothing_again_that_is_stored_and_a_batch_at_most(
    papers: Resolved, tmp_path: Path
) -> None:
    logs, folder = [tmp_path / "first", tmp_path / "second"], tmp_path / "store"
    arguments = (papers, folder, logs[0], "i3 refine/2")
    killed = get_context("fork").Process(target=through_the_store, args=arguments)
    killed.start()
    killed.join(60)
    assert killed.exitcode == -signal.SIGKILL
    kept = len(stored(folder))
    assert kept
    rounds = through_the_store(papers, folder, logs[1])
    first, second = (log.read_text().splitlines() for log in logs)
    again = set(first) & set(second)
    assert len(again) <= len(first) - kept, "what is stored is not asked again"
    assert len(again) <= INSTANCES * len(QUESTIONS) * (1 + FLUSH_SECONDS / SLOW) and "i3 refine/2" in again
    assert rounds == through_the_store(papers, tmp_path / "undisturbed", tmp_path / "third")
