"""Pairs of responses of a pool and a baseline, so many longer and so many shorter ones for each instruction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plumbline.config.benchmark import OfOne
from plumbline.config.typed import Count
from plumbline.data.instances import DOCUMENT, Instance, Output, with_outputs
from plumbline.derive.derivation import Dropped, Made, Result, derivation
from plumbline.derive.given import Given
from plumbline.records.errors import PlumblineError
from plumbline.records.files import digest_value


@dataclass(frozen=True, kw_only=True)
class SampledPairs(OfOne):
    """What is sampled."""

    baseline: str
    """The system whose output stands in every pair, as the second one."""
    longer: Count = 1
    """How many responses with more characters than the baseline's are taken of each instance."""
    shorter: Count = 1
    """And how many with fewer."""
    seed: int = 20240424
    """What decides which, with each instruction."""

    def __post_init__(self) -> None:
        if not self.longer + self.shorter:
            raise PlumblineError(
                "neither longer nor shorter responses are sampled",
                where=f"the benchmark of pairs sampled from {self.of!r}",
                found="longer: 0, shorter: 0",
            )


@derivation(options=SampledPairs)
def sampled_pairs(instance: Instance, given: Given, options: SampledPairs) -> Iterator[Result]:
    """For each instruction so many longer and so many shorter responses beside the baseline (HREF, section 3.1).

    Which systems they are by is drawn for each instance by itself; where there are too few, the ledger says so. What a
    system left empty, or declined to write, is no response.
    """
    baseline = next((output for output in instance.outputs if output.system == options.baseline), None)
    if baseline is None or not baseline.text.strip():
        yield Dropped(f"the output by {options.baseline} is empty" if baseline else f"no output by {options.baseline}")
        return
    size = len(baseline.text)
    others = [output for output in instance.outputs if output.system != options.baseline and output.text.strip()]
    longer = [output for output in others if len(output.text) > size]
    shorter = [output for output in others if len(output.text) < size]
    for name, outputs, wanted in (("longer", longer, options.longer), ("shorter", shorter, options.shorter)):
        for output in drawn(outputs, wanted, instance, options.seed):
            facts = {"system": output.system, "length": name}
            yield Made(with_outputs(instance, (output, baseline)), facts=facts)
        if len(outputs) < wanted:
            yield Dropped(f"too few {name} responses", facts={"wanted": f"{wanted}", "found": f"{len(outputs)}"})


def drawn(outputs: Sequence[Output], count: int, instance: Instance, seed: int) -> list[Output]:
    """So many of them, each by a draw of its own, in whatever order they stand."""
    about = [instance.instruction, *instance.context.get(DOCUMENT, ())]
    ranked = sorted(outputs, key=lambda output: digest_value([seed, about, output.system, output.text]))
    return ranked[:count]
