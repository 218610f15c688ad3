"""Ids of derived instances: kept where the content is, made of the content where it is new."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property
from itertools import count

from plumbline.data.instances import DOCUMENT, Instance, content_id
from plumbline.derive.carried import content_of
from plumbline.records.errors import PlumblineError


class InstanceIds:
    """Names the instances of one benchmark, in their order; no two of them alike.

    A new id is none of those that the benchmark's parents have: who stays keeps theirs, whatever else becomes the same.
    """

    def __init__(self, benchmark: str, before: Callable[[], Iterable[str]] = tuple) -> None:
        self.benchmark = benchmark
        self._before = before
        """The ids of all instances that it is made of, read when the first new one is made."""
        self._taken: dict[str, str] = {}
        """By id the parent and instance that it was kept from; nothing where it is new."""

    def of(self, made: Instance, before: Instance | None, parent: str = "") -> Instance:
        """The instance under its name. Context enters no id, and an id that is kept keeps its occurrence number.

        Instances of two parents may have the same id, and one that comes without an id may say again what it was made
        of: the later one gets the next occurrence number.
        """
        self._refuse_own(made, before)
        if before is None or content_of(made) != content_of(before):
            return self._new(made)
        source = f"{parent}/{before.id}"
        if before.id not in self._taken:
            self._taken[before.id] = source
            return replace(made, id=before.id)
        if made.id and self._taken[before.id] == source:
            raise PlumblineError(
                f"the instance {before.id} is made twice",
                where=f"benchmark {self.benchmark}",
                do="a derivation that makes several instances of one changes their instructions or outputs",
            )
        return self._new(made)

    def _new(self, made: Instance) -> Instance:
        base = content_id(made.instruction, *made.context.get(DOCUMENT, ()), "", *made.texts)
        names = (base if number == 1 else f"{base}-{number}" for number in count(1))
        name = next(name for name in names if name not in self._taken and name not in self._reserved)
        self._taken[name] = ""
        return replace(made, id=name)

    @cached_property
    def _reserved(self) -> frozenset[str]:
        return frozenset(self._before())

    def _refuse_own(self, made: Instance, before: Instance | None) -> None:
        allowed = {"", before.id} if before else {""}
        if made.id not in allowed:
            raise PlumblineError(
                f"a derivation gives an instance the id {made.id!r} of its own making",
                where=f"benchmark {self.benchmark}" + (f", instance {before.id}" if before else ""),
                do="leave the id as it was, or empty",
            )
