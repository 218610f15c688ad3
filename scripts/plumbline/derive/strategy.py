"""Strategies: how the candidates of a set come about, each in a file of its own, with all about it beside it.

Only here are strategies imported, each by its name and only when it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from plumbline.config.construct import Construct
from plumbline.config.typed import Amount, Count, build, lacking
from plumbline.derive import strategies
from plumbline.records.plugins import place_of
from plumbline.records.registry import Registry

if TYPE_CHECKING:
    from plumbline.derive.candidates import Candidate
    from plumbline.derive.material import Material

O = TypeVar("O", bound=Construct)  # noqa: E741
FIRST, SECOND, CHANGED = "first", "second", "changed"
"""What models write for a set: O1, O2, another instruction."""


@dataclass(frozen=True)
class TextNeed:
    """A text that a model writes about each drawn instruction."""

    role: str
    """What it is to the strategy."""
    step: str
    """The step in which it is written, in the set's wording."""
    model: str
    about: str = ""
    """The role of the instruction that it is written about; none: the drawn one."""


@dataclass(frozen=True)
class Retrieval:
    """How neighbours are found."""

    embedder: str
    prefix: str
    ceiling: float
    floor: float = 0.0


@dataclass(frozen=True)
class Needs:
    """What a set is made of besides its options."""

    pools: Sequence[str] = ()
    texts: Sequence[TextNeed] = ()
    """Those for which a model is named."""
    retrieval: Retrieval | None = None
    counterpart: str = ""
    """A finished set."""
    benchmark: str = ""
    subsets: Sequence[str] = ()
    """Those of the benchmark (none: all)."""
    templates: Sequence[str] = ()
    """Templates of the set's wording that word its instructions."""


Function = Callable[["Material", O], Iterable["Candidate"]]


@dataclass(frozen=True)
class Strategy(Generic[O]):
    """A strategy, and what the rest must know of it."""

    name: str
    candidates: Function[O]
    options: type[O]
    """What a set may be declared with."""
    needs: Callable[[O], Needs]

    @property
    def doc(self) -> str:
        return self.candidates.__doc__ or ""


STRATEGIES: Registry[Strategy[Any]] = Registry("strategy", strategies)
names, named, module_of = STRATEGIES.names, STRATEGIES.named, STRATEGIES.module_of
plugin_of = STRATEGIES.plugin_of


def strategy(*, options: type[O], needs: Callable[[O], Needs]) -> Callable[[Function[O]], Function[O]]:
    """Register a function as the strategy of its name."""

    def register(function: Function[O]) -> Function[O]:
        name = function.__name__
        STRATEGIES.add(name, Strategy(name, function, options, needs), function.__module__, place_of(function))
        return function

    return register


def construct_of(declared: Any, where: str) -> Construct:
    """A set's declaration in the class of its strategy."""
    if not isinstance(declared, Mapping) or "strategy" not in declared:
        raise lacking("strategy", names(), declared, where)
    made: Construct = build(named(str(declared["strategy"]), f"{where}.strategy").options, declared, where)
    return made


def needs_of(declared: Construct) -> Needs:
    needs: Needs = named(declared.strategy).needs(declared)
    return needs


@dataclass(frozen=True, kw_only=True)
class Drawn(Construct):
    """A set whose pairs are made of drawn instructions."""

    pools: list[str]
    """Pools the instructions are drawn from; a neighbour is always one of the same pool."""
    size: Count = 0
    """How many instructions are drawn (0: all there are)."""


@dataclass(frozen=True, kw_only=True)
class Answered(Drawn):
    """A set whose outputs models may write."""

    first: str = ""
    """Model that writes O1, the output that follows the instruction; without one it is the reference output."""
    alike: Amount = 0.9
    """Two outputs with this share of their letter triples in common are near-duplicates, and dropped."""

    @property
    def first_text(self) -> list[TextNeed]:
        return [TextNeed(FIRST, "response", self.first)] if self.first else []


@dataclass(frozen=True, kw_only=True)
class Misled(Answered):
    """A set whose second output looks right and is of no use."""

    second: str
    """Model that writes O2."""

    @property
    def texts(self) -> list[TextNeed]:
        return [*self.first_text, TextNeed(SECOND, "unhelpful", self.second)]
