"""What a job has asked and reused, counted while it works and kept in a file beside its log."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from plumbline.records.errors import PlumblineError
from plumbline.records.files import read_json, sweep_beside, write_json
from plumbline.records.joblog import log

SUFFIX = ".tally.json"


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
class Attempt:
    """How much one attempt at a job asked and reused; of one that was killed, what it had written down by then."""

    asked: int
    reused: int
    prompt_tokens: int
    completion_tokens: int

    @classmethod
    def of(cls, tally: Tally) -> Attempt:
        return cls(tally.asked, tally.reused, tally.prompt_tokens, tally.completion_tokens)


class TallyFile:
    """The attempts at a job in one run, the last of them at work now.

    No job fails because it cannot be counted: that is a warning.
    """

    def __init__(self, path: Path, tally: Tally) -> None:
        self.path, self.tally = path, tally
        self.earlier: list[Attempt] = []
        self.written: Attempt | None = None
        self.writable = True
        sweep_beside(path)
        try:
            self.earlier = read_attempts(path)
        except PlumblineError as error:
            log.warning("%s: earlier attempts are not counted", str(error).splitlines()[0])

    def write(self) -> None:
        """Write what is new, whole or not at all."""
        now = Attempt.of(self.tally)
        if now == self.written or not self.writable:
            return
        attempts = [asdict(attempt) for attempt in (*self.earlier, now)]
        try:
            write_json(self.path, {"attempts": attempts, "left": self.tally.left})
        except PlumblineError as error:
            self.writable = False
            log.warning("%s: what is asked is not counted", str(error).splitlines()[0])
        self.written = now


def tally_path(output: Path) -> Path:
    """Beside an output and its log."""
    return output.with_suffix(SUFFIX)


def read_attempts(path: Path) -> list[Attempt]:
    """All attempts at a job in its latest run, in order."""
    if not path.exists():
        return []
    try:
        attempts = read_json(path)["attempts"]
        return [Attempt(**{name: int(count) for name, count in attempt.items()}) for attempt in attempts]
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        raise PlumblineError(f"{path} is not a tally ({error})", where=str(path), do="remove it") from error


def read_left(path: Path) -> int | None:
    """About how many calls a job that runs has still to make, where that can be told."""
    left = read_json(path).get("left") if path.exists() else None
    return left if isinstance(left, int) else None
