"""The process in which a function is called: it imports the function's file once, and calls come as lines of JSON.

It imports nothing of Plumbline, and what it needs by name: a file may replace functions of the standard library. What
the file and the function print goes elsewhere than answers do. With `fresh` each call happens in a fork, in a process
group that ends with the call, so that nothing which a call changes outlives it.
"""

from __future__ import annotations

import importlib.util
import inspect
import math
import random
import sys
import threading
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from json import dumps, loads
from numbers import Real
from os import _exit, close, devnull, dup, dup2, fork, getpid, killpg, pipe, read, setpgid, waitpid, write
from os import waitstatus_to_exitcode as code_of
from pathlib import Path
from select import select
from signal import SIG_DFL, SIGALRM, SIGKILL, Signals, alarm, signal
from typing import Any, NamedTuple, NoReturn

GRACE = 5
"""A call that goes on so many seconds after its time is up ends itself: then nobody is left who would end it."""
CHUNK = 65_536
LONGEST_WORD, LONGEST_MESSAGE, LONGEST_TRACE = 200, 200, 4_000
PARAMETERS = ("instruction", "output_1", "output_2")
HERE = Path.cwd()
"""Before a call goes elsewhere."""
FORKS = r".*use of fork\(\) may lead to deadlocks"
Message = dict[str, Any]


class Given(NamedTuple):
    """What the process is started with."""

    answers: int
    """The pipe that takes answers."""
    file: str
    name: str
    fresh: bool
    timeout: int


class Unusable(Exception):
    """The file or the function cannot be used: what is wrong, in the words of an error's parts."""

    def __init__(self, what: str, **parts: str) -> None:
        self.parts = {"what": what, **parts}


def main() -> NoReturn:
    answers, file, name, fresh, timeout = sys.argv[1:]
    given = Given(int(answers), file, name, fresh == "fresh", int(timeout))
    calls = dup(0)
    with Path(devnull).open() as nothing:
        dup2(nothing.fileno(), 0)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)  # type: ignore[union-attr]
    warnings.filterwarnings("ignore", message=FORKS)
    try:
        serve(given, calls)
    finally:
        _exit(0)  # whatever threads the function has left behind


def serve(given: Given, calls: int) -> None:
    try:
        function = usable(given)
    except Unusable as error:
        send(given.answers, error.parts)
        return
    send(given.answers, {"ready": True})
    while line := read_line(calls):
        call = loads(line)
        send(given.answers, in_fork(function, call, given, calls) if given.fresh else here(function, call, given))


def usable(given: Given) -> Callable[..., Any]:
    """The function, once it is sure that it can be called."""
    function: Callable[..., Any] = named(imported(given.file), given.name, given.file)
    if problem := problem_of(function):
        raise Unusable(f"{given.name!r} is no function that judges: {problem}", where=line_of(function, given.file))
    if given.fresh and threading.active_count() > 1:
        raise Unusable(
            "the file starts threads when it is imported, which are lost where each call has a process of its own",
            where=short(given.file),
            found=", ".join(thread.name for thread in threading.enumerate()[1:]),
            do="start them in the function, or set `fresh: false` in the model's file",
        )
    return function


def imported(file: str) -> Any:
    """Its own folder is the first in which it finds modules, then the folder of the run."""
    sys.path[:0] = [str(Path(file).parent), str(Path.cwd())]
    name = f"judging_{Path(file).stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec and spec.loader, "a file that ends in .py has a loader"
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        what = f"the file cannot be imported: {described(error)}"
        raise Unusable(what, where=place_in(error, file), trace=trace_of(error)) from error
    return module


def named(module: Any, name: str, file: str) -> Any:
    if not hasattr(module, name):
        own = (key for key, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__)
        raise Unusable(f"there is no {name!r} in the file", where=short(file), found=", ".join(own) or "no function")
    return getattr(module, name)


def problem_of(function: Any) -> str:
    """Why it cannot judge, in words; nothing where it can."""
    if inspect.isclass(function) or not callable(function):
        return f"it is {'a class' if inspect.isclass(function) else f'a value of the type {type(function).__name__}'}"
    if inspect.iscoroutinefunction(function):
        return "it is declared with `async`, and nobody would await it"
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        return "it has a `yield` and returns nothing"
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some that are written in C tell nothing
        return ""
    try:
        signature.bind(*PARAMETERS)
    except TypeError:
        return f"it is called with {', '.join(PARAMETERS)} and takes {signature}"
    return ""


def in_fork(function: Callable[..., Any], call: Message, given: Given, calls: int) -> Message:
    """What comes of a call in a process of its own."""
    reading, writing = pipe()
    pid = fork()
    if not pid:
        try:
            setpgid(0, 0)
            send(given.answers, {"pid": getpid()})  # itself, and first: the call may end the process that forked it
            for end in (reading, calls, given.answers):
                close(end)
            send(writing, called(function, call, given))
        finally:
            _exit(0)
    close(writing)
    with suppress(OSError):  # it has done so itself, or is gone
        setpgid(pid, pid)
    ready, _, _ = select([reading, calls], [], [])
    line = b"" if calls in ready else read_line(reading)  # no call comes before an answer: nobody waits any more
    with suppress(OSError):
        killpg(pid, SIGKILL)
    code = code_of(waitpid(pid, 0)[1])
    close(reading)
    return loads(line) if line.endswith(b"\n") else {"failed": f"its process ended: {ended(code)}"}


def here(function: Callable[..., Any], call: Message, given: Given) -> Message:
    """What comes of a call in this process."""
    send(given.answers, {"pid": getpid()})
    return called(function, call, given)


def called(function: Callable[..., Any], call: Message, given: Given) -> Message:
    signal(SIGALRM, SIG_DFL)
    alarm(given.timeout + GRACE)
    try:
        seed_generators(call["seed"])
        return {"answer": written(function(*call["texts"]))}
    except BaseException as error:
        place = place_in(error, given.file)
        kind = f"{type(error).__name__}, {place}"
        return {"failed": f"{described(error)} ({place})", "kind": kind, "trace": trace_of(error)}
    finally:
        with suppress(Exception):
            sys.stdout.flush()
        alarm(0)


def seed_generators(seed: int) -> None:
    """What a function draws at random depends on what it is asked, and not on which calls came before."""
    random.seed(seed)
    if numpy := sys.modules.get("numpy"):
        numpy.random.seed(seed % 2**32)


def written(value: Any) -> str:
    """What a function returned as JSON, from which the same word or number is read; of anything else, what it is."""
    if isinstance(value, str):
        return dumps(value[:LONGEST_WORD])
    if value is None or isinstance(value, bool):
        return dumps({"returned": repr(value)})
    if not isinstance(value, Real):
        return dumps({"returned": type(value).__name__})
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    return repr(number) if math.isfinite(number) else dumps({"returned": repr(number)})


def described(error: BaseException) -> str:
    """An error in one line."""
    try:
        message = printable(" ".join(str(error)[:LONGEST_MESSAGE].split()))
    except Exception:
        message = ""
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def place_in(error: BaseException, file: str) -> str:
    """The last line of the function's file that was reached."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{short(error.filename)}, line {error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename == file] or frames
    return f"{short(own[-1].filename)}, line {own[-1].lineno}"


def line_of(function: Any, file: str) -> str:
    code = getattr(function, "__code__", None)
    return f"{short(code.co_filename)}, line {code.co_firstlineno}" if code else short(file)


def short(file: str) -> str:
    """A file's path from the folder of the run, where it is in there."""
    return str(Path(file).relative_to(HERE)) if Path(file).is_relative_to(HERE) else file


def printable(text: str) -> str:
    """Without what would move, colour or hide what a terminal shows."""
    return "".join(letter if letter.isprintable() or letter == "\n" else " " for letter in text)


def trace_of(error: BaseException) -> str:
    """The traceback without this module's own line; of a very long one its two ends."""
    within = error.__traceback__.tb_next if error.__traceback__ else None
    try:
        text = printable("".join(traceback.format_exception(type(error), error, within)))
    except Exception:
        return ""
    if len(text) <= LONGEST_TRACE:
        return text
    return f"{text[: LONGEST_TRACE // 2]}\n…\n{text[-LONGEST_TRACE // 2 :]}"


def ended(code: int) -> str:
    """How a process ended, by its exit code as Python has it."""
    return f"exit status {code}" if code >= 0 else Signals(-code).name


def send(pipe: int, message: Message) -> None:
    data = f"{dumps(message)}\n".encode("ascii")
    while data:
        data = data[write(pipe, data) :]


def read_line(pipe: int) -> bytes:
    """One line, behind which nothing is written before it is answered; less where the pipe ends."""
    data = b""
    while not data.endswith(b"\n") and (more := read(pipe, CHUNK)):
        data += more
    return data


if __name__ == "__main__":
    main()
