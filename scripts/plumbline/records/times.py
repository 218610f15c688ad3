"""How long a job's answers took, kept in a file beside its log: no result rests on it, and nothing compares it.

It is a script file, so that pages opened from disk can show it. What is measured adds up over the runs of a job: an
answer that is kept is not asked for again, so each that was asked counts once.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from plumbline.records.errors import PlumblineError
from plumbline.records.files import read_bytes, write_bytes
from plumbline.records.joblog import log
from plumbline.records.page_data import script, values_in

SUFFIX = ".times.js"
DIGITS = 3


@dataclass(frozen=True)
class Times:
    """So many answers came in so many seconds, loading the model among them."""

    answers: int
    seconds: float


def times_path(output: Path) -> Path:
    """Beside an output and its log."""
    return output.with_suffix(SUFFIX)


def times_name(output: Path) -> str:
    """What pages call it: its path as the report's folder sees it, without the end."""
    return "/".join(["..", *times_path(output).with_suffix("").parts[1:]])


def add_times(output: Path, measured: Times) -> None:
    """Add what was measured to what is known. No job fails because it cannot be timed: that is a warning."""
    path = times_path(output)
    if not measured.answers:
        return
    try:
        known = read_times(path) if path.exists() else Times(0, 0.0)
        seconds = round(known.seconds + measured.seconds, DIGITS)
        write_bytes(path, script(times_name(output), asdict(Times(known.answers + measured.answers, seconds))))
    except PlumblineError as error:
        log.warning("%s: how long its answers took is not kept", str(error).splitlines()[0])


def read_times(path: Path) -> Times:
    try:
        return Times(**values_in(read_bytes(path)))
    except (TypeError, ValueError) as error:
        raise PlumblineError(f"{path} does not tell times ({error})", where=str(path), do="remove it") from error
