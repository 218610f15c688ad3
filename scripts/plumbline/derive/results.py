"""What a derivation gives, held to what it should be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from plumbline.data.instances import Instance
from plumbline.data.labels import Label
from plumbline.derive.derivation import Derived, Dropped, Made, Result
from plumbline.records.own_code import Misgiven, misfit_of, named_misfit


def results_of(given: Any) -> Sequence[Result]:
    """What a derivation of one instance gives, as several."""
    several = isinstance(given, Iterable) and not isinstance(given, str)
    results = list(given) if several else [given]
    if not results:
        raise Misgiven("it gives neither an instance nor a reason why there is none")
    return [fitting(one) for one in results]


def outcomes_of(given: Any, parents: Mapping[str, Any]) -> Iterator[Derived]:
    """What a derivation of whole benchmarks gives, one after another."""
    if not isinstance(given, Iterable):
        raise Misgiven(f"it gives {given!r:.80}, and should yield Derived(benchmark, instance, result)")
    for one in given:
        if not isinstance(one, Derived) or not isinstance(one.of, Instance | str):
            raise Misgiven(f"it gives {one!r:.80}, and should give a Derived(benchmark, instance, result)")
        if isinstance(one.of, Instance) and one.parent not in parents:
            raise Misgiven(f"it speaks of the benchmark {one.parent!r}, which it was not given")
        fitting(one.result, f"of {one.of if isinstance(one.of, str) else one.of.id} ")
        yield one


def fitting(result: Any, about: str = "") -> Result:
    """A result of which every part has its type."""
    if not isinstance(result, Instance | Made | Dropped):
        raise Misgiven(f"{about}it gives {result!r:.80}, and should give an Instance, Made or Dropped")
    if problem := next(filter(None, misfits(result)), ""):
        raise Misgiven(about + problem)
    return result


def misfits(result: Result) -> Iterator[str]:
    """What of a result has another type than it should, in words; empty where all is well."""
    if isinstance(result, Instance):
        yield named_misfit("the instance", result, Instance)
        return
    if isinstance(result, Made):
        yield named_misfit("the instance", result.instance, Instance)
        yield from (named_misfit("a label", label, Label) for label in result.labels or ())
    else:
        yield named_misfit("the reason", result.reason, str)
    for name, texts in (("texts", result.texts), ("facts", result.facts)):
        problem = misfit_of(Mapping[str, str])(texts)
        yield f"{name}{problem}" if problem else ""
