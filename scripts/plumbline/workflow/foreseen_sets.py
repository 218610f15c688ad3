"""What models would be asked about sets that are not built yet: drawn, written and filtered with made-up texts.

Every text is as long as it may get, every candidate passes the filter, and any other instruction of the pool is a
neighbour: so there are at least as many asks as there will be.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from plumbline.asking.prompts import PromptSet
from plumbline.asking.protocols import StepName
from plumbline.asking.steps import prompts_of
from plumbline.asking.wording import CONFIGURED, pack_wording, wording_reader
from plumbline.config.construct import Construct
from plumbline.data.instances import Instance, identified, write_instances
from plumbline.derive.asked import FILTERING, PERTURBING, WRITING, Drawn, SetText, asked_about, texts_of
from plumbline.derive.candidates import Candidate
from plumbline.derive.filtering import Filtered, shown
from plumbline.derive.finals import Final
from plumbline.derive.making import Making, candidates
from plumbline.derive.material import Material, Text, Wording
from plumbline.derive.pairs import Pair, read_pairs
from plumbline.derive.pools import Item, draw, load_pool
from plumbline.derive.reviewed import unreviewed
from plumbline.derive.strategy import Drawn as DrawnSet
from plumbline.derive.strategy import needs_of
from plumbline.models.asking import CHARACTERS
from plumbline.records.files import digest_value
from plumbline.records.manifest import RESULTS
from plumbline.records.parquet import Row
from plumbline.sources.archive import SourceFiles
from plumbline.sources.source import fetch
from plumbline.workflow.builds import Build, constructed_benchmarks, filtered_sets
from plumbline.workflow.flow import Flow

DOWNLOADS = Path(".store/downloads")


@dataclass
class ForeseenSets:
    """The sets of one build as they may become at most; `folder` takes the files that are made for it."""

    flow: Flow
    build: Build
    folder: Path

    def instances(self, part: str) -> Path:
        """What is asked about in a part of the build, or once all is built."""
        path = self.folder / f"{self.build.name}-{part or 'judged'}.parquet"
        found = {PERTURBING: self._asked, WRITING: self._asked, FILTERING: self._shown}.get(part, self._judged)
        write_instances(path, identified(found(part)))
        return path

    def _asked(self, part: str) -> Iterable[Instance]:
        sets = self.build.asking(part)
        drawn = {name: Drawn(name, self._drawn(name), self._texts(name)) for name in sets}
        return asked_about((drawn[name], about) for name, asked in sets.items() for about in asked["about"])

    def _shown(self, part: str) -> Iterable[Instance]:
        return [one for name in filtered_sets(self.build) for one in shown(name, self._candidates(name))]

    def _judged(self, part: str) -> Iterable[Instance]:
        benchmark = constructed_benchmarks(self.flow.config)[self.build.name]
        for subset, made in benchmark.subsets.items():
            finals = self._finals(made.partition("/")[0])
            for final in finals[: benchmark.limit or None]:
                yield Pair("", subset, final.instruction, final.first, final.second, final.gold, final.origin).instance

    def _drawn(self, name: str) -> list[Item]:
        return [item for item in self._items(name) if item.drawn]

    def _items(self, name: str) -> list[Item]:
        declared, config = self._declared(name), self.flow.config
        pools = {pool: config.pool[pool] for pool in needs_of(declared).pools}
        items = [item for pool, one in pools.items() for item in load_pool(pool, one, self._source(one.source))]
        return draw(items, declared.size if isinstance(declared, DrawnSet) else 0, declared.seed)

    def _source(self, name: str) -> SourceFiles:
        """A source as the results have it, or as a run would fetch it."""
        path = RESULTS / "source" / f"{name}.zip"
        if not path.exists():
            path = self.folder / f"{name}.zip"
        if not path.exists():
            source = self.flow.config.source[name]
            pins = self.flow.folder / "source" / source.pins if source.pins else None
            fetch(name, source, pins, self.flow.mirror, DOWNLOADS, path)
        return SourceFiles(path)

    def _texts(self, name: str) -> dict[str, dict[str, Text]]:
        texts = texts_of(self._declared(name))
        return {text.role: {item.id: self._text(text, item) for item in self._drawn(name)} for text in texts}

    def _text(self, text: SetText, item: Item) -> Text:
        """As long as the model may make it, and like no other."""
        step = StepName.parse(text.step)
        templates = self.flow.config.prompts[step.wording].templates
        length = max(templates[prompt].max_tokens for prompt in prompts_of(self.flow.config, text.step)) * CHARACTERS
        words = (digest_value([text.role, item.id, number])[:6] for number in range(length // 7 + 1))
        return Text(" ".join(words)[:length])

    def _candidates(self, name: str) -> list[Candidate]:
        """All that could be made; those that are of no use in any case are left out."""
        declared = self._declared(name)
        needs, items = needs_of(declared), self._items(name)
        pairs = [RESULTS / kind / f"{needs.benchmark}.parquet" for kind in ("instances", "labels")]
        material = Material(
            self._wording(declared),
            items,
            self._texts(name),
            neighbours_among(items),
            self._finals(needs.counterpart.partition("/")[0]) if needs.counterpart else (),
            read_pairs(*pairs) if needs.benchmark else (),
        )
        return [candidate for candidate in candidates(Making(declared, material)) if not candidate.dropped]

    def _finals(self, name: str) -> list[Final]:
        kept = (Filtered(candidate, ()) for candidate in self._candidates(name))
        return unreviewed(name, kept, self._declared(name).seed)

    def _wording(self, declared: Construct) -> Wording:
        config, name = self.flow.config, declared.prompts
        path = self.folder / "prompts" / f"{name}.zip"
        kept = self.flow.resolved.get(f"wording.{name}")
        pack_wording(kept["folder"], kept["files"], None, Path(CONFIGURED), path)
        prompts = PromptSet(name, config.prompts[name], wording_reader(name, [path]))
        return lambda step, **values: prompts.render(prompts.template(step, "", rules=False), values)[0].content

    def _declared(self, name: str) -> Construct:
        return self.flow.config.construct[name]


def neighbours_among(items: Sequence[Item]) -> dict[str, Row]:
    """For each drawn item the next one of its pool, as if it were the nearest."""
    found: dict[str, Row] = {}
    usable = [item for item in items if not item.dropped]
    for item, other in zip(usable, [*usable[1:], *usable[:1]], strict=True):
        near = other.id if other.pool == item.pool and other is not item else ""
        found[item.id] = {"item": item.id, "neighbour": near, "similarity": 1.0}
    return found
