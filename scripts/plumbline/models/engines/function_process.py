"""A process in which a function is called, one call at a time, as who waits for the answers sees it."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from plumbline.models.asking import EngineStopped
from plumbline.models.engines import function_child
from plumbline.models.engines.function_child import CHUNK, GRACE, Message, ended, printable
from plumbline.records.plugins import shown

PRINTED = 2_000
"""So many bytes of what a call prints are kept; the rest is read and forgotten."""


@dataclass(frozen=True)
class JudgingFunction:
    """A function in a file, and how it is called."""

    file: Path
    name: str
    fresh: bool
    timeout: int
    import_timeout: int

    def __str__(self) -> str:
        return f"{shown(self.file)}::{self.name}"


class CallResult(NamedTuple):
    """What came of one call."""

    text: str
    """What was returned, as JSON, or why nothing was."""
    kind: str = ""
    """Of a failure: equal for those that are alike; empty where there is an answer."""
    details: str = ""
    """Of a failure: the traceback, and what the call printed."""


class ProcessEnded(Exception):
    """No more messages come."""


BROKEN = (ProcessEnded, OSError, ValueError, KeyError, TypeError)
"""What reading a message from a process may end with that has ended, or that something else was written to."""


class FunctionProcess:
    """It is started with the first call, and anew after it has ended. `check` is called after each start."""

    def __init__(self, function: JudgingFunction, check: Callable[[], None]) -> None:
        self.function, self.check = function, check
        self._process: subprocess.Popen[bytes] | None = None
        self._selector = selectors.DefaultSelector()
        self._answers = -1
        self._received = self._printed = b""
        self._group = 0
        """The process group of the call that is under way."""
        self._abandoned = False

    def call(self, texts: Sequence[str], seed: int) -> CallResult:
        try:
            self._begin(texts, seed)
        except BROKEN:  # what an earlier call left behind has ended the process
            self.stop()
        try:
            if not self._group:
                self._begin(texts, seed)
            return self._result()
        except BROKEN:
            return self._failed(f"its process ended: {ended(self.stop())}")

    def abandon(self) -> None:
        """End what runs, whoever waits for it, and start nothing more."""
        self._abandoned = True
        self._kill()

    def stop(self) -> int:
        """End what runs and forget it; the exit code."""
        process = self._process
        if process is None:
            return 0
        self._kill()
        code = process.wait()
        self._read_output()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):  # what could not be sent any more
                pipe.close()  # type: ignore[union-attr]
        os.close(self._answers)
        self._selector.close()
        self._process, self._group, self._received = None, 0, b""
        return code

    def _kill(self) -> None:
        for group in filter(None, (self._group, self._process.pid if self._process else 0)):
            with suppress(OSError):
                os.killpg(group, signal.SIGKILL)

    def _begin(self, texts: Sequence[str], seed: int) -> None:
        if self._process is None:
            self._start()
        self._read_output()
        self._printed = b""
        self._send({"texts": texts, "seed": seed})
        self._group = self._receive(GRACE)["pid"]

    def _start(self) -> None:
        function = self.function
        if self._abandoned:
            raise EngineStopped(f"{function} is called no more")
        self._answers, theirs = os.pipe()
        how = (str(theirs), str(function.file), function.name, "fresh" if function.fresh else "", str(function.timeout))
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-B", function_child.__file__, *how],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=[theirs],
            start_new_session=True,
            env=os.environ | {"PYTHONHASHSEED": "0"},  # sets have one order, in this process and in the next
        )
        os.close(theirs)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._answers, selectors.EVENT_READ)
        self._selector.register(self._output, selectors.EVENT_READ)
        os.set_blocking(self._output, False)
        if self._abandoned:
            self._kill()
        self._refuse_unusable()
        self.check()

    @property
    def _output(self) -> int:
        assert self._process and self._process.stdout, "it is running"
        return self._process.stdout.fileno()

    def _refuse_unusable(self) -> None:
        """A mistake in the function's file ends the job, as it would be in every call."""
        seconds = self.function.import_timeout
        try:
            first = self._receive(seconds)
        except TimeoutError:
            self.stop()
            first = {
                "what": f"the file is not imported within {seconds} seconds",
                "do": "engine.function.import_timeout",
            }
        except (ProcessEnded, ValueError):
            first = {"what": f"the process ended while the file was imported: {ended(self.stop())}"}
        if "ready" not in first:
            self.stop()
            first.pop("trace", "")
            raise EngineStopped(f"the function {self.function}: {first.pop('what')}", **first)

    def _result(self) -> CallResult:
        try:
            message = self._receive(self.function.timeout)
        except TimeoutError:
            self._end_call()
            return self._failed(f"no answer within {self.function.timeout} seconds")
        self._group = 0
        if "answer" in message:
            return CallResult(message["answer"])
        return self._failed(message["failed"], message.get("kind", ""), message.get("trace", ""))

    def _end_call(self) -> None:
        """Where the call had a process of its own, the one that has imported the file goes on."""
        with suppress(OSError):
            os.killpg(self._group, signal.SIGKILL)
        try:
            self._receive(GRACE)
            self._group = 0
        except BROKEN:
            self.stop()

    def _failed(self, text: str, kind: str = "", trace: str = "") -> CallResult:
        if self._process:
            self._read_output()
        printed = printable(self._printed.decode("utf-8", "replace"))
        details = [trace.rstrip(), f"it printed:\n{printed.rstrip()}" if printed.strip() else ""]
        return CallResult(text, kind or text, "\n".join(filter(None, details)))

    def _send(self, message: Message) -> None:
        assert self._process and self._process.stdin, "it is running"
        self._process.stdin.write(f"{json.dumps(message)}\n".encode("ascii"))
        self._process.stdin.flush()

    def _receive(self, seconds: float) -> Message:
        """The next message; what is printed meanwhile is read, so that nobody waits to be rid of it."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self._received:
            left = deadline - time.monotonic()
            ready = self._selector.select(left) if left > 0 else []
            if not ready:
                raise TimeoutError
            for key, _ in ready:
                self._read_output() if key.fd != self._answers else self._read_answers()
        line, _, self._received = self._received.partition(b"\n")
        message: Message = json.loads(line)
        return message

    def _read_answers(self) -> None:
        data = os.read(self._answers, CHUNK)
        if not data:
            raise ProcessEnded
        self._received += data

    def _read_output(self) -> None:
        """What a pipe holds of it; of each call the beginning is kept."""
        with suppress(BlockingIOError, KeyError):
            data = os.read(self._output, CHUNK)
            self._printed = (self._printed + data)[:PRINTED]
            if not data:
                self._selector.unregister(self._output)
