"""Systems beside a baseline: the output of each makes a pair with the baseline's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from plumbline.config.benchmark import DerivedBenchmark
from plumbline.data.instances import Instance, Output, with_outputs
from plumbline.derive.derivation import Derived, Dropped, Made, derivation
from plumbline.derive.given import GivenSet
from plumbline.records.errors import PlumblineError
from plumbline.records.joblog import log

NO_BASELINE = "no response by the baseline"
NOT_SHARED = "not every system responded"
MISSING, EMPTY = "without a response", "with an empty one"
WORDS: Mapping[str, str] = {"missing": MISSING, "ambiguous": "with two that differ"}
"""What an output without text is called, by what is flawed of it; else it is empty."""


@dataclass(frozen=True, kw_only=True)
class AgainstBaseline(DerivedBenchmark):
    """Whose outputs. The systems are its subsets."""

    of: str
    """The benchmark whose instances have an output by each system: one with `derive: with_texts` and `models`."""
    baseline: str
    """The system that all others are compared with."""
    incomplete: Literal["refused", "shared", "judged"] = "refused"
    """What becomes of a system that left an instruction without a response, or with an empty one: it is refused, with
    the count; only instructions to which every system responded are taken (shared); or no response is one of no text,
    which is judged."""

    @property
    def parents(self) -> list[str]:
        return [self.of]


@derivation(options=AgainstBaseline, whole=True)
def against_baseline(
    benchmarks: Mapping[str, Iterable[Instance]], given: GivenSet, options: AgainstBaseline
) -> Iterator[Derived]:
    """For each instruction and system a pair: the system's output, then the baseline's (HREF, section 4.2).

    The baseline may be one of the systems: its output stands beside itself.
    """
    [(name, instances)] = benchmarks.items()
    systems, stored = list(options.subsets), list(instances)
    report(stored, systems, options.incomplete)
    for instance in stored:
        baseline = output_of(options.baseline, instance)
        lacking = [system for system in systems if why_none(system, instance)]
        if baseline is None or not baseline.text.strip():
            yield Derived(name, instance, Dropped(NO_BASELINE, facts={"baseline": options.baseline}))
        elif lacking and options.incomplete == "shared":
            yield Derived(name, instance, Dropped(NOT_SHARED, facts={"without": ", ".join(lacking)}))
        else:
            for system in systems:
                output = output_of(system, instance) or Output(system, "")
                pair = replace(with_outputs(instance, (output, baseline)), subset=system)
                yield Derived(name, instance, Made(pair, facts={"system": system}))


def output_of(system: str, instance: Instance) -> Output | None:
    return next((output for output in instance.outputs if output.system == system), None)


def why_none(system: str, instance: Instance) -> str:
    """Why a system has no response to an instruction; nothing where it has one."""
    output = output_of(system, instance)
    if output is None:
        return MISSING
    return "" if output.text.strip() else WORDS.get(instance.flawed.get(system, ""), EMPTY)


def report(instances: Sequence[Instance], systems: Sequence[str], incomplete: str) -> None:
    """Say who left how many instructions without a response; refuse it unless the benchmark says what to do then."""
    counts = {system: Counter(filter(None, (why_none(system, one) for one in instances))) for system in systems}
    sentences = [
        f"{system} responded to {len(instances) - of.total():,} of {len(instances):,} instructions ("
        + ", ".join(f"{number:,} {words}" for words, number in sorted(of.items()))
        + ")"
        for system, of in counts.items()
        if of
    ]
    if sentences and incomplete == "refused":
        raise PlumblineError(
            "a system did not respond to every instruction",
            where="`incomplete: refused`",
            found="; ".join(sentences),
            do="leave the system out; or set `incomplete: shared` to compare all on what every one of them responded "
            "to, or `incomplete: judged` to judge no response as one of no text",
        )
    for sentence in sentences:
        log.warning("%s", sentence)
