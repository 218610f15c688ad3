"""What stands by its own manifest, but rests on something that will be made again: it may or may not come out new.

Snakemake plans all that comes after a job that will run. Files that only stand in doubt are therefore best decided
before it plans: what asks nobody is made first, and where it comes out as it was, what asks is not planned at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from plumbline.audit.asking_rules import ASKING
from plumbline.audit.extended import Extensions
from plumbline.audit.freshness import Reasons
from plumbline.records.manifest import Manifest

Links = Mapping[str, Manifest]


@dataclass(frozen=True)
class Doubts:
    """The files that Snakemake would make again, or look at again, because of what does not stand."""

    links: Links
    stale: Mapping[str, Reasons]
    extensions: Extensions | None = None
    """Says of which parts of a stale file it is known that they will come out as they are."""
    known: dict[str, bool] = field(default_factory=dict)

    def about(self, path: str) -> bool:
        """Whether a file does not stand, or rests on one that does not."""
        if path not in self.known:
            self.known[path] = path in self.stale or any(self.through(path, name) for name in self.inputs(path))
        return self.known[path]

    def through(self, path: str, name: str) -> bool:
        """Whether an input is in doubt as far as it is used."""
        return self.about(name) and not self.will_stay(name, self.links[path].fingerprint.parts.get(name))

    def will_stay(self, path: str, names: Iterable[str] | None) -> bool:
        """Whether of a file that is made again these parts will come out as they are: it is only extended by others."""
        if names is None or self.extensions is None:
            return False
        return self.about(path) and self.extensions.only(path, names, self.about)

    def inputs(self, path: str) -> Iterable[str]:
        return self.links[path].fingerprint.inputs if path in self.links else ()


def made_first(doubts: Doubts, wanted: Callable[[str], bool]) -> list[str]:
    """The files to make before the run is planned: in doubt, asking nobody, and an answer that is there rests on them.

    Between them and their sources nothing that asks is in doubt. Where an asking job itself is stale, it will run
    anyway, and nothing is gained. `wanted` says what this run is about.
    """
    links = doubts.links
    kept = [path for path in links if asks(links[path]) and path not in doubts.stale and wanted(path)]
    needed = behind(links, (path for path in kept if doubts.about(path)))
    decided: dict[str, bool] = {}
    return sorted(
        path
        for path in needed
        if path in links and wanted(path) and doubts.about(path) and can_be_made(path, doubts, decided)
    )


def can_be_made(path: str, doubts: Doubts, known: dict[str, bool]) -> bool:
    """Whether making a file, with all behind it that is in doubt, asks nobody.

    A file in doubt without a manifest may be anything.
    """
    if path not in known:
        link = doubts.links.get(path)
        known[path] = not doubts.about(path) or (
            link is not None
            and not asks(link)
            and all(can_be_made(name, doubts, known) for name in link.fingerprint.inputs if doubts.through(path, name))
        )
    return known[path]


def asks(link: Manifest) -> bool:
    return link.fingerprint.rule in ASKING


def behind(links: Links, paths: Iterable[str]) -> set[str]:
    """All files that these were made from, directly or not, and none of themselves unless another rests on it."""
    reached: set[str] = set()
    waiting = [name for path in paths if path in links for name in links[path].fingerprint.inputs]
    while waiting:
        path = waiting.pop()
        if path not in reached:
            reached.add(path)
            waiting.extend(links[path].fingerprint.inputs if path in links else ())
    return reached
