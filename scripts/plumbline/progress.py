"""How far a job that asks has come: one line that a terminal keeps up to date, or one line a minute in a log."""

from __future__ import annotations

import logging
import re
import shutil
import sys
import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import Self

log = logging.getLogger("plumbline")

TERMINAL_SECONDS = 0.5
LOG_SECONDS = 60.0
RATE_SECONDS = 60.0
"""Rates are those of the last minute: loading a model, or a pause at a rate limit, soon no longer counts."""
COUNTED = re.compile(r": asked ([\d,]+) \(.*\), reused ([\d,]+), in ")
"""What `Progress.summary` says, where it is read again."""
CLEAR = "\r\x1b[K"


@dataclass
class Tally:
    """What has been asked so far; whoever asks counts here."""

    label: str = "asking"
    instances: int = 0
    finished: int = 0
    calls_of_finished: int = 0
    asked: int = 0
    reused: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def calls(self) -> int:
        return self.asked + self.reused

    @property
    def left(self) -> int | None:
        """Calls still to be made, if the other instances need as many as those that are finished."""
        if not self.finished:
            return None
        return max(0, round(self.instances * self.calls_of_finished / self.finished) - self.calls)

    def finish(self, calls: int) -> None:
        """An instance is done, after so many calls."""
        self.finished += 1
        self.calls_of_finished += calls


@dataclass(frozen=True)
class Moment:
    """A tally at one time."""

    time: float
    asked: int
    calls: int
    tokens: int


class Progress:
    """Tells while a `with` block runs; a thread of its own, so that no engine has to think of it."""

    def __init__(self, tally: Tally) -> None:
        self.tally = tally
        self.started = time.monotonic()
        self.moments: deque[Moment] = deque([self._now()])
        self._terminal = sys.stderr.isatty()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._tell, name="progress", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        if self._terminal:
            print(CLEAR, end="", file=sys.stderr, flush=True)
        log.info("%s", self.summary())

    def line(self) -> str:
        """`asked`, `reused` and `left`, how fast, and how long it may still take."""
        tally, parts = self.tally, []
        if tally.instances:
            parts.append(f"{tally.finished:,} of {tally.instances:,} instances")
        left = "" if tally.left is None else f", about {tally.left:,} left"
        parts.append(f"asked {tally.asked:,}, reused {tally.reused:,}{left}")
        first, now = self.moments[0], self._now()
        seconds = max(now.time - first.time, 1e-9)
        prompts, tokens = (now.asked - first.asked) / seconds, (now.tokens - first.tokens) / seconds
        parts.append(f"{prompts:,.1f} prompts/s, {tokens:,.0f} tokens/s")
        if tally.left and now.calls > first.calls:
            parts.append(f"{spoken(tally.left * seconds / (now.calls - first.calls))} to go")
        return f"{tally.label}: " + "; ".join(parts)

    def summary(self) -> str:
        tally, seconds = self.tally, time.monotonic() - self.started
        tokens = f"{tally.prompt_tokens:,} prompt and {tally.completion_tokens:,} answer tokens"
        return f"{tally.label}: asked {tally.asked:,} ({tokens}), reused {tally.reused:,}, in {spoken(seconds)}"

    def _tell(self) -> None:
        logged = time.monotonic()
        while not self._over.wait(TERMINAL_SECONDS if self._terminal else min(1.0, LOG_SECONDS)):
            self.moments.append(self._now())
            while self.moments[-1].time - self.moments[0].time > RATE_SECONDS:
                self.moments.popleft()
            if self._terminal:
                width = shutil.get_terminal_size().columns
                print(CLEAR + self.line()[: width - 1], end="", file=sys.stderr, flush=True)
            if time.monotonic() - logged >= LOG_SECONDS:
                log.info("%s", self.line())
                logged = time.monotonic()

    def _now(self) -> Moment:
        tally = self.tally
        return Moment(time.monotonic(), tally.asked, tally.calls, tally.prompt_tokens + tally.completion_tokens)


def counts_in(log_text: str) -> tuple[int, int]:
    """How much a job asked and reused by its log, in all its attempts."""
    counts = [[int(number.replace(",", "")) for number in found] for found in COUNTED.findall(log_text)]
    return sum(asked for asked, _ in counts), sum(reused for _, reused in counts)


def spoken(seconds: float) -> str:
    """A time as people say it."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
