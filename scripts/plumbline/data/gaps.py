"""What is uneven or double about a benchmark and easily overlooked: reported in the log and the run's summary, never
dropped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from plumbline.data.instances import Instance, base_id
from plumbline.data.labels import Label
from plumbline.data.loaded import Loaded
from plumbline.records.joblog import log


@dataclass
class Gaps:
    """Looks at instances as they pass; in the end says how unevenly people answered, which instances compare a system
    with itself, and which stand in the source more than once."""

    raters: dict[str, Counter[int]] = field(default_factory=dict)
    first: dict[tuple[str, int], str] = field(default_factory=dict)
    itself: list[str] = field(default_factory=list)
    seen: set[tuple[str, ...]] = field(default_factory=set)
    again: list[str] = field(default_factory=list)

    def joined(self, one: Loaded) -> Loaded:
        for question, count in (raters_of(one.labels) or {"": 0}).items():
            self.raters.setdefault(question, Counter())[count] += 1
            self.first.setdefault((question, count), one.instance.origin)
        if names_a_system_twice(one.instance):
            self.itself.append(one.instance.origin)
        systems = (output.system for output in one.instance.outputs)
        content = one.instance.subset, base_id(one.instance), *systems
        if one.instance.outputs and content in self.seen:
            self.again.append(one.instance.origin)
        self.seen.add(content)
        return one

    def finish(self) -> None:
        _report_raters(self.raters, self.first)
        if self.itself:
            what = "%d instances name one system for two of their outputs, the first is %s"
            log.warning(what, len(self.itself), self.itself[0])
        if self.again:
            what = "%d instances repeat the instruction, the outputs and the systems of an earlier one, the first is %s"
            log.warning(what, len(self.again), self.again[0])


def raters_of(labels: Sequence[Label]) -> dict[str, int]:
    """How many people answered each question of an instance."""
    asked = {(label.question, label.rater) for label in labels}
    return dict(Counter(question for question, _ in asked))


def names_a_system_twice(instance: Instance) -> bool:
    named = [output.system for output in instance.outputs if output.system]
    return len(set(named)) < len(named)


def _report_raters(raters: dict[str, Counter[int]], first: dict[tuple[str, int], str]) -> None:
    unlabelled = raters.pop("", Counter())[0]
    if unlabelled and raters:
        log.warning("%d instances have no label, the first is %s", unlabelled, first["", 0])
    for question, counts in raters.items():
        usual = counts.most_common(1)[0][0]
        for count, instances in sorted(counts.items()):
            if count != usual:
                log.warning(
                    "%d instances have %d raters of %r where most have %d, the first is %s",
                    *(instances, count, question, usual, first[question, count]),
                )
