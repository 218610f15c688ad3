"""PandaLM's test set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from plumbline.config.benchmark import ReadBenchmark
from plumbline.data.instances import CATEGORY, Instance, Output, with_input
from plumbline.data.labels import BETTER, Label
from plumbline.data.loaded import GOLDS, Loaded
from plumbline.data.loader import loader
from plumbline.records.errors import PlumblineError
from plumbline.records.files import parse_json
from plumbline.sources.archive import SourceFiles
from plumbline.sources.reading import mapping, text_in

RATERS = ("1", "2", "3")
SYSTEMS = "_"
"""Stands between the names of the two systems in `cmp_key`."""


@loader(options=ReadBenchmark)
def pandalm(benchmark: ReadBenchmark, source: SourceFiles, subset: str) -> Iterator[Loaded]:
    """PandaLM's test set: two responses a row, the systems that wrote them, and what three annotators preferred.

    An instruction ends with its input. Some responses are JSON booleans: the text is what was typed.
    """
    file = benchmark.subsets[subset]
    rows = parse_json(source.read(file), file)
    if not isinstance(rows, list):
        raise PlumblineError("a test set is not a list of pairs", where=file)
    for position, row in enumerate(rows):
        where = f"{file}, row {position + 1}"
        fields = mapping(row, where)
        yield Loaded(_instance(fields, subset, f"{file}#{position}", where), tuple(_labels(fields, where)))


def _instance(row: Mapping[str, Any], subset: str, origin: str, where: str) -> Instance:
    systems = str(row.get("cmp_key", "")).split(SYSTEMS)
    if len(systems) != 2:
        raise PlumblineError(
            "a pair does not name its two systems",
            where=f"{where}, key cmp_key",
            expected="FIRST_SECOND",
            found=repr(row.get("cmp_key")),
        )
    texts = [_text(row, key, where) for key in ("response1", "response2")]
    return Instance(
        id="",
        subset=subset,
        instruction=with_input(text_in(row, "instruction", where), text_in(row, "input", where)),
        outputs=tuple(Output(system, text) for system, text in zip(systems, texts, strict=True)),
        context={CATEGORY: (text_in(row, "motivation_app", where),)},
        origin=origin,
        key=str(row["idx"]),
    )


def _text(row: Mapping[str, Any], key: str, where: str) -> str:
    value = row.get(key)
    return str(value) if isinstance(value, bool) else text_in(row, key, where)


def _labels(row: Mapping[str, Any], where: str) -> Iterator[Label]:
    """What each annotator said; who said nothing of a pair has no label there."""
    for rater in RATERS:
        word = row.get(f"annotator{rater}")
        if word is None:
            continue
        if str(word) not in GOLDS:
            raise PlumblineError(
                f"the label {word!r} is off the scale", where=f"{where}, key annotator{rater}", expected="0, 1 or 2"
            )
        yield Label("", rater, BETTER, None, GOLDS[str(word)], None)
