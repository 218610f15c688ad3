"""How fast an endpoint is asked: our own limits, those in the server's headers, and waits between repetitions."""

from __future__ import annotations

import asyncio
import math
import random
import re
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from plumbline.models.asking import EngineStopped

FIRST_WAIT = 0.5
LONGEST_WAIT = 30.0
LOOK_AGAIN = 1.0
"""Seconds after which whoever waits for a turn looks whether the server has allowed more meanwhile."""
DURATION = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?")
UNITS = (86400.0, 3600.0, 60.0, 1.0, 0.001)


def backoff(repetition: int) -> float:
    """Seconds before the first, second … repetition: twice as long each time, and at random less.

    The random part decides when something is sent, never what; so it needs no seed.
    """
    return min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(repetition, 30)) * random.uniform(0.5, 1.0)


class Bucket:
    """An allowance that refills steadily: of requests, or of tokens."""

    def __init__(self, per_minute: int = 0) -> None:
        self.size = float(per_minute) if per_minute else math.inf
        self.rate = per_minute / 60
        self.level = self.size
        self.under_way = 0.0
        self.filled = time.monotonic()

    def wait(self, amount: float) -> float:
        """Seconds until so much may be taken; more than ever fits may be taken from a full bucket."""
        self._fill()
        missing = min(amount, self.size) - self.level
        return missing / self.rate if missing > 0 else 0.0

    def take(self, amount: float) -> None:
        self.level -= amount
        self.under_way += amount

    def came_back(self, amount: float) -> None:
        self.under_way -= amount

    def update(self, size: float | None, left: float | None, refilled_in: float | None) -> None:
        """What the server says: how much it allows, how much is left, and when all of it is there again."""
        if size is None or left is None or not size > 0:
            return
        self.size = size
        self.rate = (size - left) / refilled_in if refilled_in and left < size else size / 60
        # What is on its way the server has not counted yet.
        self.level = min(size, left - self.under_way)
        self.filled = time.monotonic()

    def _fill(self) -> None:
        now = time.monotonic()
        if self.rate:
            self.level = min(self.size, self.level + (now - self.filled) * self.rate)
        self.filled = now


class RateLimiter:
    """Whose turn it is to be sent, and when."""

    def __init__(self, requests_per_minute: int, tokens_per_minute: int, longest: float) -> None:
        self.requests = (Bucket(requests_per_minute), Bucket())
        self.tokens = (Bucket(tokens_per_minute), Bucket())
        self.longest = longest
        self.paused_until = 0.0
        self._queue = asyncio.Lock()

    async def turn(self, tokens: int) -> None:
        """Wait until a request of so many tokens may be sent; first come, first served."""
        async with self._queue:
            while (wait := self._wait(tokens)) > 0:
                if wait > self.longest:
                    raise too_long(wait, self.longest)
                await asyncio.sleep(min(wait, LOOK_AGAIN))
            for bucket, amount in self._each(tokens):
                bucket.take(amount)

    def came_back(self, tokens: int) -> None:
        """What `turn` let go has been answered, or never will be."""
        for bucket, amount in self._each(tokens):
            bucket.came_back(amount)

    def pause(self, seconds: float) -> None:
        self.paused_until = max(self.paused_until, time.monotonic() + seconds)

    def update(self, headers: Mapping[str, str]) -> None:
        """Read `x-ratelimit-limit-requests: 500`, `…-remaining-…: 499`, `…-reset-…: 120ms`; and so for tokens."""
        for bucket, what in ((self.requests[1], "requests"), (self.tokens[1], "tokens")):
            size, left = (number(headers.get(f"x-ratelimit-{part}-{what}")) for part in ("limit", "remaining"))
            bucket.update(size, left, duration(headers.get(f"x-ratelimit-reset-{what}")))

    def _wait(self, tokens: int) -> float:
        pause = self.paused_until - time.monotonic()
        return max(pause, *(bucket.wait(amount) for bucket, amount in self._each(tokens)))

    def _each(self, tokens: int) -> list[tuple[Bucket, float]]:
        return [*((bucket, 1.0) for bucket in self.requests), *((bucket, float(tokens)) for bucket in self.tokens)]


def too_long(wait: float, longest: float) -> EngineStopped:
    return EngineStopped(
        f"the server's rate limit opens again only in {wait:,.0f} s",
        expected=f"at most the engine's patience of {longest:,.0f} s",
        do="run the same command again later: what was answered is kept, and only the rest is asked",
    )


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The wait a server asks for: in seconds, in milliseconds, or until a date."""
    milliseconds = number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return max(0.0, milliseconds / 1000)
    text = headers.get("retry-after")
    seconds = number(text)
    if seconds is not None or text is None:
        return seconds if seconds is None else max(0.0, seconds)
    try:
        until = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds())


def number(text: str | None) -> float | None:
    """A finite number; None for anything else a header may hold."""
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def duration(text: str | None) -> float | None:
    """Seconds in `1s`, `6m0s`, `120ms` or `12.5`; None for anything else."""
    seconds = number(text)
    if seconds is not None:
        return max(0.0, seconds)
    match = DURATION.fullmatch((text or "").strip()) if text else None
    if match is None:
        return None
    return sum(float(part) * unit for part, unit in zip(match.groups(), UNITS, strict=True) if part)
