"""A function as a judge: whatever a call does to itself or to Python costs its own verdict, and no other."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from asked import PLACE, answers
from plumbline.data.verdicts import Outcome
from plumbline.models.asking import FAILED, Completion, EngineStopped, Request
from plumbline.models.cached import CachedEngine
from plumbline.models.calls import FunctionCall, Returned, returned_in
from plumbline.models.context import EngineContext
from plumbline.models.engines import function_child
from plumbline.models.engines.function import FunctionEngine, FunctionModel, Settings, open_engine
from plumbline.models.kinds import model_on
from plumbline.models.store import Store
from plumbline.records.errors import PlumblineError
from plumbline.records.joblog import log

JUDGE = """
import builtins, json, os, random, subprocess, sys, time
from pathlib import Path

calls = 0


def judge(instruction, output_1, output_2):
    global calls
    calls += 1
    if instruction == "raise":
        print("about to fail")
        raise ValueError("no such \\x1b[2J thing")
    if instruction == "hang":
        time.sleep(600)
    if instruction == "print for ever":
        while True:
            print("again")
    if instruction == "print":
        print("x" * 10_000_000)
        sys.stderr.write("y" * 1_000_000)
    if instruction == "exit":
        sys.exit(4)
    if instruction == "end":
        os._exit(3)
    if instruction == "crash":
        os.kill(os.getpid(), 11)
    if instruction == "end the parent":
        os.kill(os.getppid(), 9)
        time.sleep(600)
    if instruction == "close":
        os.closerange(0, 64)
    if instruction == "read":
        return "tie" if sys.stdin.read() == "" else "first"
    if instruction == "change":
        os.chdir("/")
        os.environ["PLANTED"] = "1"
        json.dumps = builtins.len = random.random = None
        sys.stdout.close()
        return "first"
    if instruction == "leave":
        subprocess.Popen(["sleep", "61.25"])
    if instruction == "calls":
        return calls
    if instruction == "draw":
        return random.random() - 0.5
    if instruction == "look":
        return "tie" if "PLANTED" in os.environ or not callable(builtins.len) else len(str(Path.cwd()))
    return "first" if len(output_1) > len(output_2) else "second"
"""
FATAL = {
    "raise": "ValueError: no such  [2J thing (mine.py, line 13)",
    "hang": "no answer within 1 seconds",
    "print for ever": "no answer within 1 seconds",
    "exit": "SystemExit: 4 (mine.py, line 23)",
    "end": "its process ended: exit status 3",
    "crash": "its process ended: SIGSEGV",
}
"""What is said of a call that does this."""
FIRST = Returned(Outcome("first"))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where runs are started, with the function's file; afterwards nothing of it is running."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(JUDGE)
    yield tmp_path
    until = time.monotonic() + 5  # what is killed may be listed for a moment
    while (left := running(function_child.__file__) + running("61.25")) and time.monotonic() < until:
        time.sleep(0.02)
    assert not left


def running(word: str) -> list[int]:
    """The processes of this test whose command has the word."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (process / "cmdline").read_bytes().decode().split("\0")
            ours = (process / "cwd").readlink() == Path.cwd()
            if ours and word in words and (process / "stat").read_text().rpartition(")")[2].split()[0] != "Z":
                found.append(int(process.name))
    return found


def engine(function: str = "mine.py::judge", threads: int = 1, patience: int = 20, **options: object) -> FunctionEngine:
    given = {"label": "Mine", "engine": "function", "function": function, "timeout": 1, **options}
    model = model_on("function", given, "model.mine")
    assert isinstance(model, FunctionModel)
    return open_engine(model, Settings("function", import_timeout=patience), EngineContext((), (), threads, Path()))


def call(instruction: str, output_1: str = "longer", output_2: str = "short") -> Request:
    return FunctionCall(instruction, output_1, output_2).request


def called(instructions: Sequence[str], **how: object) -> list[Completion]:
    return answers(engine(**how), *map(call, instructions))  # type: ignore[arg-type]


def in_a_row(to: FunctionEngine, *instructions: str) -> list[Completion]:
    """One call after the other."""

    async def ask() -> list[Completion]:
        try:
            return [await to.answer(call(instruction), PLACE) for instruction in instructions]
        finally:
            await to.close()

    return asyncio.run(ask())


# what a call may do


@pytest.mark.parametrize("fresh", [True, False])
@pytest.mark.parametrize("deed", FATAL)
def test_a_call_that_comes_to_nothing_costs_its_own_verdict_alone(deed: str, fresh: bool) -> None:
    before, failed, after = in_a_row(engine(fresh=fresh), "before", deed, "after")
    assert returned_in(before) == returned_in(after) == FIRST
    assert failed == Completion(FATAL[deed], FAILED)
    assert returned_in(failed) == Returned(Outcome(missing="failed"))


@pytest.mark.parametrize("fresh", [True, False])
def test_a_call_may_print_megabytes_and_read_from_nobody(fresh: bool) -> None:
    words = [returned_in(one).outcome.word for one in in_a_row(engine(fresh=fresh), "print", "read", "after")]
    assert words == ["first", "tie", "first"]


def test_a_call_that_ends_or_closes_what_it_knows_nothing_of_costs_its_own_verdict_alone() -> None:
    done = in_a_row(engine(), "close", "before", "end the parent", "after")
    assert [one.finish for one in done] == ["failed", "stop", "failed", "stop"]


def test_whatever_a_call_changes_is_as_it_was_in_the_next(folder: Path) -> None:
    done = in_a_row(engine(), "calls", "look", "change", "calls", "look")
    assert [returned_in(one).margin for one in done] == [1, len(str(folder)), None, 1, len(str(folder))]
    assert returned_in(done[2]) == FIRST, "what the call broke was its own"


def test_calls_share_a_process_where_the_model_says_so_and_it_is_started_anew_when_one_ends_it() -> None:
    done = in_a_row(engine(fresh=False), "calls", "calls", "end", "calls")
    assert [returned_in(one).margin for one in done] == [1, 2, None, 1]


@pytest.mark.parametrize("fresh", [True, False])
def test_what_a_call_leaves_running_is_ended(fresh: bool) -> None:
    assert returned_in(*in_a_row(engine(fresh=fresh), "leave")) == FIRST


@pytest.mark.parametrize("fresh", [True, False])
def test_answers_are_equal_however_many_calls_are_made_at_a_time(fresh: bool) -> None:
    """Draws at random included: they depend on what is asked."""
    deeds = [*FATAL, "draw", "print", *(f"pair {number}" for number in range(20)), "draw"]
    alone, together = called(deeds, fresh=fresh), called(deeds, fresh=fresh, threads=4)
    assert alone == together
    assert alone[deeds.index("draw")] == alone[-1]


def test_several_calls_are_made_at_a_time() -> None:
    begun = time.monotonic()
    assert {one.finish for one in answers(engine(threads=4), *(call("hang", str(n)) for n in range(4)))} == {"failed"}
    assert time.monotonic() - begun < 3, "each takes a second"


def test_a_job_that_is_cancelled_leaves_nothing_running() -> None:
    async def cancelled() -> None:
        opened = engine(timeout=600)
        task = asyncio.create_task(opened.answer(call("hang"), PLACE))
        while not running(function_child.__file__):
            await asyncio.sleep(0.02)
        task.cancel()
        begun = time.monotonic()
        await opened.close()
        assert time.monotonic() - begun < 5

    asyncio.run(cancelled())


# what it returns


@pytest.mark.parametrize(
    ("value", "outcome", "margin"),
    [
        ("'tie'", Outcome("tie"), None),
        ("0.25", Outcome("first"), 0.25),
        ("-3", Outcome("second"), -3.0),
        ("0", Outcome("tie"), 0.0),
        ("fractions.Fraction(1, 2)", Outcome("first"), 0.5),
        ("numpy.float32(-0.5)", Outcome("second"), -0.5),
        *((value, Outcome(missing="unparsed"), None) for value in ("True", "None", "'First'", "'third'", "[1]")),
        *((value, Outcome(missing="unparsed"), None) for value in ("float('nan')", "-float('inf')", "10**400")),
        *((value, Outcome(missing="unparsed"), None) for value in ("'x' * 10**7", "object()", "numpy.bool_(True)")),
    ],
)
def test_words_and_numbers_are_verdicts_and_nothing_else_is(value: str, outcome: Outcome, margin: float | None) -> None:
    Path("mine.py").write_text(f"import fractions, numpy\ndef judge(a, b, c):\n    return {value}\n")
    [completion] = called(["any"])
    assert returned_in(completion) == Returned(outcome, margin)
    assert len(completion.text) < 300


def test_in_the_other_order_words_and_signs_are_exchanged() -> None:
    assert Returned(Outcome("first"), 2.0).swapped() == Returned(Outcome("second"), -2.0)
    for alike in (Returned(Outcome("tie"), 0.0), Returned(Outcome(missing="failed")), Returned(Outcome("tie"))):
        assert str(alike.swapped()) == str(alike)


# what is told


def test_each_kind_of_failure_is_told_once_with_its_traceback_and_what_was_printed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.DEBUG, log.name):
        in_a_row(engine(), "raise", "end", "raise")
    told = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert told[:2] == [
        f"mine.py::judge fails: {FATAL['raise']} (first at instance pair, plain)",
        f"mine.py::judge fails: {FATAL['end']} (first at instance pair, plain)",
    ]
    assert told[2:] == [f"3 calls of mine.py::judge failed: 2 × ValueError, mine.py, line 13; 1 × {FATAL['end']}"]
    assert "Traceback" in caplog.text and "it printed:\nabout to fail" in caplog.text and "\x1b" not in caplog.text


def test_a_failure_is_not_kept_and_an_answer_is(tmp_path: Path) -> None:
    with Store(tmp_path / "store") as store:
        first = CachedEngine(engine(), store)
        assert [one.finish for one in answers(first, call("raise"), call("any"))] == ["failed", "stop"]
        assert (first.known(call("raise")), first.known(call("any"))) == (None, Completion('"first"'))


# what decides its answers


def test_another_file_or_module_beside_it_is_another_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "from words import WORD\ndef judge(a, b, c):\n    return WORD\n"
    Path("judges").mkdir()
    Path("judges/mine.py").write_text(source)
    Path("judges/words.py").write_text("WORD = 'first'\n")
    identities = [identity_of("judges/mine.py::judge")]
    assert called(["any"], function="judges/mine.py::judge") == [Completion('"first"')]
    Path("judges/words.py").write_text("WORD = 'second'\n")
    identities.append(identity_of("judges/mine.py::judge"))
    assert called(["any"], function="judges/mine.py::judge") == [Completion('"second"')]
    Path("judges/mine.py").write_text(f"{source}\n")
    identities.append(identity_of("judges/mine.py::judge"))
    assert len(set(identities)) == 3
    monkeypatch.setenv("HOME", str(Path.cwd()))
    assert identity_of("~/judges/mine.py::judge") == identities[-1]


def identity_of(function: str) -> str:
    return str(engine(function).identity["code"])


def test_a_file_that_is_edited_meanwhile_ends_the_job() -> None:
    opened = engine(fresh=False)
    Path("mine.py").write_text(f"{JUDGE}\n")
    with pytest.raises(EngineStopped, match="edited while"):
        answers(opened, call("any"))


# mistakes


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import nothing_like_it", ["cannot be imported: ModuleNotFoundError", "'nothing_like_it'", "mine.py, line 1"]),
        ("def judge(a, b):\n    return 1", ["takes (a, b)", "instruction, output_1, output_2", "mine.py, line 1"]),
        ("def juge(a, b, c):\n    return 1", ["there is no 'judge'", "found:    juge"]),
        ("judge = 3", ["a value of the type int"]),
        ("class judge:\n    pass", ["it is a class"]),
        ("async def judge(a, b, c):\n    return 1", ["`async`"]),
        ("def judge(a, b, c):\n    yield 1", ["`yield`"]),
        ("raise SystemExit(3)", ["cannot be imported: SystemExit: 3", "mine.py, line 1"]),
        ("import os; os._exit(3)", ["the process ended while the file was imported: exit status 3"]),
        ("import time; time.sleep(600)", ["is not imported within 1 seconds", "import_timeout"]),
        (
            "import threading, time\nthreading.Thread(target=time.sleep, args=[600], name='one').start()\n"
            "def judge(a, b, c):\n    return 1",
            ["starts threads", "found:    one", "fresh: false"],
        ),
    ],
)
def test_a_function_that_cannot_be_called_is_one_error(source: str, words: list[str]) -> None:
    Path("mine.py").write_text(source)
    with pytest.raises(EngineStopped) as refusal:
        called(["one", "two"], threads=2, patience=1 if "sleep(600)" in source else 20)
    assert all(word in str(refusal.value) for word in ["the function mine.py::judge: ", *words])


def test_a_file_that_is_not_there_or_not_python_is_refused_before_anything_is_started() -> None:
    with pytest.raises(PlumblineError, match=r"is not there(.|\n)*of the model 'Mine'(.|\n)*none\.py"):
        engine("judges/none.py::judge")
    Path("mine.py").write_text("def judge(")
    with pytest.raises(PlumblineError, match=r"is not Python(.|\n)*mine\.py, line 1"):
        engine()


@pytest.mark.parametrize(
    "function", ["mine.py", "mine::judge", "mine.py::", "mine.py:judge", "::judge", "mine.py::a b"]
)
def test_a_function_is_named_with_its_file(function: str) -> None:
    with pytest.raises(PlumblineError, match=r"model\.mine\.function(.|\n)*judges/mine\.py::judge"):
        engine(function)


def test_a_function_answers_no_prompt() -> None:
    with pytest.raises(PlumblineError, match="answers no prompt"):
        answers(engine(), Request(()))


def test_a_function_may_be_anything_that_can_be_called_with_three_texts() -> None:
    Path("mine.py").write_text("class Rule:\n    def __call__(self, *texts):\n        return 1\nrule = Rule()\n")
    assert called(["any"], function="mine.py::rule") == [Completion("1.0")]


def test_the_process_that_waits_for_calls_ends_when_nobody_is_left_to_make_any() -> None:
    parent = os.fork()
    if not parent:
        try:
            asyncio.run(engine(timeout=600).answer(call("any"), PLACE))
        finally:
            os._exit(0)
    os.waitpid(parent, 0)
    deadline = time.monotonic() + 5
    while running(function_child.__file__) and time.monotonic() < deadline:
        time.sleep(0.05)
