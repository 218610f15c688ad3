"""From what the earlier stages left on disk to the candidates of a set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plumbline.asking.prompts import PromptSet
from plumbline.asking.wording import wording_reader
from plumbline.config.construct import Construct
from plumbline.config.prompts import Prompts
from plumbline.config.typed import build
from plumbline.derive.asked import SetText, TextFiles
from plumbline.derive.candidates import Candidate, screened
from plumbline.derive.finals import read_finals
from plumbline.derive.material import Material
from plumbline.derive.pairs import read_pairs
from plumbline.derive.pools import read_pool
from plumbline.derive.retrieval import NEIGHBOURS
from plumbline.derive.strategy import Answered, construct_of, named
from plumbline.records.parquet import read_rows


@dataclass(frozen=True)
class Making:
    """A set with all that its candidates are made of."""

    declared: Construct
    material: Material

    @classmethod
    def of(cls, name: str, settings: Mapping[str, Any], files: Mapping[str, Sequence[Path]]) -> Making:
        """From the files a rule names; which of them there are follows from the strategy."""
        declared = construct_of(settings["declared"] | {"title": ""}, "construct")
        prompts = build(Prompts, settings["prompts"] | {"title": "", "parsers": {}}, "prompts")
        wording = PromptSet(declared.prompts, prompts, wording_reader(declared.prompts, files["prompts"]))
        wanted = [SetText(**text) for text in settings["texts"]]
        material = Material(
            lambda name, **values: wording.render(wording.template(name, "", rules=False), values)[0].content,
            [item for path in files["pool"] for item in read_pool(path)],
            TextFiles.of(files["asked"], files["written"]).of_set(name, wanted),
            {row["item"]: row for path in files["neighbours"] for row in read_rows(path, NEIGHBOURS)},
            [final for path in files["counterpart"] for final in read_finals(path)],
            read_pairs(*files["pairs"]) if files["pairs"] else (),
        )
        return cls(declared, material)


def candidates(making: Making) -> list[Candidate]:
    """All candidates of a set, those of no use with their reason.

    Near-duplicates are of no use only where a model wrote an output: where the label is proved or people gave it, the
    difference may lie in a comma.
    """
    declared = making.declared
    found = named(declared.strategy).candidates(making.material, declared)
    return screened(found, declared.alike if isinstance(declared, Answered) else None)
