"""A folder that Hugging Face's `datasets` reads: a Parquet file for each subset, digests, and a dataset card."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from plumbline.config.source import Source
from plumbline.data.labelled import Gold, Labelled
from plumbline.derive.history import OTHER_INSTRUCTION, History
from plumbline.records.errors import PlumblineError
from plumbline.records.files import digest_file, write_text
from plumbline.records.manifest import Manifest
from plumbline.records.rows import shape_of, write_records
from plumbline.report.datasheet import plain

BETTER: dict[Gold, int] = {"first": 1, "second": 2, "tie": 0}


@dataclass(frozen=True)
class Exported:
    """A pair as it is published."""

    id: str
    subset: str
    instruction: str
    output_1: str
    output_2: str
    better: int
    review: str
    related: str
    detail: str
    origin: str


COLUMNS = {
    "id": "stable name of the pair",
    "subset": "part of the benchmark; also the name of its split",
    "instruction": "what was asked for",
    "output_1": "one answer",
    "output_2": "the other answer",
    "better": "which answer follows the instruction better: 1 or 2 (0: neither)",
    "review": "unreviewed, or what people made of the pair: kept, edited, swapped",
    "related": "the other instruction the pair was made from, where there is one",
    "detail": "what the label can be proved from, as JSON, where it can",
    "origin": "where its instruction comes from",
}
DIGESTS = "SHA256SUMS"
LICENCES = frozenset(
    {
        *("apache-2.0", "mit", "bsd-2-clause", "bsd-3-clause", "gpl-3.0", "openrail", "cc0-1.0", "odc-by", "odbl"),
        *("cc-by-3.0", "cc-by-4.0", "cc-by-sa-3.0", "cc-by-sa-4.0", "cc-by-nd-4.0"),
        *("cc-by-nc-2.0", "cc-by-nc-4.0", "cc-by-nc-sa-4.0"),
    }
)
"""Licences the hub knows by their SPDX name in small letters; others are written out beside `other`."""


@dataclass(frozen=True)
class Card:
    """What a dataset card says that no data tells."""

    title: str
    licences: Sequence[str]
    """SPDX identifiers of what the pairs are made of."""
    description: str = ""
    citations: Sequence[str] = ()
    languages: Sequence[str] = ("en",)

    @classmethod
    def of(cls, title: str, description: str, sources: Sequence[Source]) -> Card:
        """With the licences and citations of the sources that the pairs were made from, each once."""
        licences = dict.fromkeys(source.licence for source in sources)
        return cls(title, [*licences], description, [*dict.fromkeys(source.citation for source in sources)])


@dataclass(frozen=True)
class SetProvenance:
    """What the pairs were made of and how far that can be traced."""

    manifests: Sequence[Manifest]
    """Of the finished sets and whatever lies behind them."""
    statistics: str = ""
    """The datasheet."""


def export(
    folder: Path, pairs: Sequence[Labelled], histories: Mapping[str, History], card: Card, provenance: SetProvenance
) -> list[Path]:
    """Write the folder of a finished set's pairs, with the history of each. Equal pairs give equal bytes."""
    subsets: dict[str, list[Labelled]] = {}
    for pair in pairs:
        subsets.setdefault(split_name(pair.instance.subset), []).append(pair)
    if not subsets:
        raise PlumblineError("there is no pair to export", where=str(folder), do="see the funnel for where they went")
    files = [folder / data_file(subset, subsets) for subset in subsets]
    for file, rows in zip(files, subsets.values(), strict=True):
        write_records(file, Exported, [_exported(pair, histories[pair.id]) for pair in rows])
    digests = {file.relative_to(folder).as_posix(): digest_file(file) for file in files}
    write_text(folder / DIGESTS, "".join(f"{digest}  {name}\n" for name, digest in digests.items()))
    counts = {subset: len(rows) for subset, rows in subsets.items()}
    write_text(folder / "README.md", readme(card, counts, digests, provenance))
    return [*files, folder / DIGESTS, folder / "README.md"]


def data_file(subset: str, subsets: Collection[str]) -> str:
    """Where a split's rows are; those of a single set have the same name in every folder."""
    return f"data/{subset if len(subsets) > 1 else 'pairs'}.parquet"


def split_name(subset: str) -> str:
    """Splits of a dataset have names like variables."""
    if not re.fullmatch(r"\w+", subset, re.ASCII):
        raise PlumblineError(
            f"the subset {subset!r} cannot name a split", expected="letters, digits and _", do="rename the subset"
        )
    return subset


def _exported(pair: Labelled, history: History) -> Exported:
    return Exported(
        id=pair.id,
        subset=pair.instance.subset,
        instruction=pair.instance.instruction,
        output_1=pair.first,
        output_2=pair.second,
        better=BETTER[pair.gold],
        review=history.facts.get("state", "unreviewed"),
        related=history.texts.get(OTHER_INSTRUCTION, ""),
        detail=history.facts.get("detail", ""),
        origin=history.origin,
    )


def readme(card: Card, counts: Mapping[str, int], digests: Mapping[str, str], provenance: SetProvenance) -> str:
    """The dataset card: its header for machines, the rest for people."""
    first, shape = next(iter(counts)), shape_of(Exported).schema
    parts = [
        f"---\n{yaml.safe_dump(header(card, counts), sort_keys=False, allow_unicode=True)}---",
        f"# {plain(card.title)}",
        plain(card.description),
        "Each row is an instruction with two outputs and the label of the one that follows it better.",
        f'```python\nfrom datasets import load_dataset\n\npairs = load_dataset("PATH", split="{first}")\n```',
        "## Columns",
        _table(
            ["column", "type", "what it says"],
            [[name, str(shape.field(name).type), says] for name, says in COLUMNS.items()],
        ),
        "## Licence",
        f"Made of material under {plain(', '.join(card.licences) or 'a licence nobody has named')}.",
        *(f"- {plain(citation)}" for citation in card.citations),
        "## Provenance",
        "Digests of the files here, also in `SHA256SUMS`:",
        _table(
            ["file", "pairs", "sha256"],
            [[f, str(n), digests[f]] for f, n in zip(digests, counts.values(), strict=True)],
        ),
        *_traced(provenance.manifests),
        _lowered(provenance.statistics),
    ]
    return "\n\n".join(part for part in parts if part).rstrip() + "\n"


def header(card: Card, counts: Mapping[str, int]) -> dict[str, Any]:
    """Every subset is a split of the one configuration, so that the folder loads without a word more."""
    known = [licence.lower() for licence in card.licences if licence.lower() in LICENCES]
    other = [licence for licence in card.licences if licence.lower() not in LICENCES]
    licences = [*known, *(["other"] if other or not known else [])]
    fields: dict[str, Any] = {
        "pretty_name": card.title,
        "license": licences[0] if len(licences) == 1 else licences,
        "language": list(card.languages),
        "size_categories": [size_category(sum(counts.values()))],
        "tags": ["llm-as-a-judge", "instruction-following", "plumbline"],
        "configs": [
            {
                "config_name": "default",
                "data_files": [{"split": subset, "path": data_file(subset, counts)} for subset in counts],
            }
        ],
    }
    return fields | ({"license_name": ", ".join(other)} if other else {})


def size_category(count: int) -> str:
    """As the hub words it."""
    bounds = {"n<1K": 1_000, "1K<n<10K": 10_000, "10K<n<100K": 100_000, "100K<n<1M": 1_000_000}
    return next((name for name, bound in bounds.items() if count < bound), "n>1M")


def _traced(manifests: Sequence[Manifest]) -> list[str]:
    if not manifests:
        return []
    rows = [
        [
            manifest.path,
            manifest.sha256,
            manifest.fingerprint.rule,
            manifest.commit[:12] + (" +" if manifest.dirty else ""),
        ]
        for manifest in sorted(manifests, key=lambda manifest: manifest.path)
    ]
    sentence = (
        "Built by Plumbline; the manifest beside each of these files names all it rests on (+: with local changes):"
    )
    return [sentence, _table(["file", "sha256", "rule", "commit"], rows)]


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *([plain(cell) for cell in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _lowered(markdown: str) -> str:
    """Headings one level down, below the card's own title."""
    return re.sub(r"^(#+ )", r"#\1", markdown, flags=re.MULTILINE)
