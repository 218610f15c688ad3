"""Texts of other sources that belong to an instance, e.g. what a person wrote for the same instruction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from plumbline.config.benchmark import Joined
from plumbline.data.instances import Instance, with_input
from plumbline.data.loaded import Loaded
from plumbline.records.errors import PlumblineError
from plumbline.records.joblog import log
from plumbline.sources.archive import SourceFiles
from plumbline.sources.reading import look_up, mapping, rows_of


@dataclass
class JoinedTexts:
    """The texts of one name, by what they belong to; counts whom it finds none for."""

    name: str
    by_key: bool
    texts: dict[str, tuple[str, ...]]
    origin: str
    seen: int = 0
    without: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, name: str, joined: Joined, source: SourceFiles) -> JoinedTexts:
        file = joined.file or _only(name, source)
        texts: dict[str, list[str]] = {}
        with source.open(file) as handle:
            for position, row in enumerate(rows_of(file, handle)):
                key, text = _entry(joined, mapping(row, f"{file}, row {position + 1}"), f"{file}, row {position + 1}")
                if text and text not in texts.setdefault(key, []):
                    texts[key].append(text)
        return cls(name, "key" in joined.columns, {key: tuple(each) for key, each in texts.items()}, file)

    def joined(self, one: Loaded) -> Loaded:
        """The instance with its texts; those that have none are counted in a warning."""
        instance = one.instance
        if self.name in instance.context:
            raise PlumblineError(
                f"the text {self.name!r} comes from the benchmark's own source and from another",
                where=instance.origin,
                do="give the joined text another name",
            )
        texts = self._texts_of(instance)
        return replace(one, instance=replace(instance, context={**instance.context, self.name: texts}))

    def _texts_of(self, instance: Instance) -> tuple[str, ...]:
        self.seen += 1
        texts = self.texts.get(instance.key if self.by_key else instance.instruction, ())
        if not texts:
            self.without.append(instance.origin)
        return texts

    def finish(self) -> None:
        if self.seen and len(self.without) == self.seen:
            raise PlumblineError(
                f"none of {self.seen} instances has a text {self.name!r}",
                where=self.origin,
                do="compare the columns of `joined` with both files",
            )
        if self.without:
            log.warning(
                "%d of %d instances have no text %r in %s, the first is %s",
                *(len(self.without), self.seen, self.name, self.origin, self.without[0]),
            )


def _entry(joined: Joined, row: Mapping[str, Any], where: str) -> tuple[str, str]:
    """What a row's text belongs to, and the text."""
    values = {ours: look_up(row, theirs) for ours, theirs in joined.columns.items()}
    for ours, theirs in joined.columns.items():
        if values[ours] is None and ours != "text":
            raise PlumblineError(f"a row has nothing under {theirs!r}", where=where)
    text = "" if values["text"] is None else str(values["text"])
    if "key" in values:
        return str(values["key"]), text
    return with_input(str(values["instruction"]), str(values.get("input", ""))), text


def _only(name: str, source: SourceFiles) -> str:
    files = source.names()
    if len(files) != 1:
        raise PlumblineError(
            f"the joined text {name!r} does not say which file it is in",
            where=str(source.path),
            expected=", ".join(files),
        )
    return files[0]
