"""What went wrong with single instances, while the others go on."""

from __future__ import annotations

from plumbline.models.asking import EngineStopped
from plumbline.records.errors import PlumblineError
from plumbline.records.joblog import log

TOLERATED = 20
"""After so many failed instances no other is begun: whatever it is, it will not be better with the next."""


class Failures:
    """Collects errors; each kind is logged once."""

    def __init__(self) -> None:
        self.errors: list[BaseException] = []
        self._told: set[str] = set()

    def add(self, error: BaseException) -> None:
        self.errors.append(error)
        if isinstance(error, PlumblineError) and str(error) not in self._told:
            self._told.add(str(error))
            log.warning("%s", str(error).replace("\n  ", "; "))

    @property
    def enough(self) -> bool:
        """Whether to begin nothing more: the engine stopped, or plumbline itself is wrong, or there are too many."""
        return len(self.errors) >= TOLERATED or any(map(ends_all, self.errors))

    def raise_any(self) -> None:
        """Fail with the error that says most; how many others there are is said beside it."""
        if not self.errors:
            return
        worst = next(filter(ends_all, self.errors), self.errors[0])
        others = len(self.errors) - 1
        if ends_all(worst) or not others:
            raise worst
        raise PlumblineError(f"{worst}\n  besides:  {others} more instances failed; the log names each kind once")


def ends_all(error: BaseException) -> bool:
    return isinstance(error, EngineStopped) or not isinstance(error, PlumblineError)
