"""LLMBar's own folders: a `dataset.json` for each subset, with input, output_1, output_2 and label."""

from __future__ import annotations

from collections.abc import Iterator

from plumbline.config.benchmark import Benchmark
from plumbline.data.archive import SourceFiles
from plumbline.data.instances import pair
from plumbline.data.loaded import Loaded, gold
from plumbline.data.reading import mapping, text_in
from plumbline.records.errors import PlumblineError
from plumbline.records.files import parse_json


def load(benchmark: Benchmark, source: SourceFiles, subset: str) -> Iterator[Loaded]:
    file = f"{benchmark.subsets[subset]}/dataset.json"
    rows = parse_json(source.read(file), file)
    if not isinstance(rows, list):
        raise PlumblineError("a data set is not a list of instances", where=file)
    if not rows:
        raise PlumblineError(f"the subset {subset!r} has no instances", where=file)
    for position, row in enumerate(rows):
        where = f"{file}, row {position + 1}"
        found = mapping(row, where)
        instruction, first, second = (text_in(found, key, where) for key in ("input", "output_1", "output_2"))
        instance = pair(instruction, first, second, subset, f"{file}#{position}")
        yield Loaded(instance, (gold(found.get("label"), f"{where}, key label"),))


def check(benchmark: Benchmark, source: SourceFiles) -> None:
    """Each subset is a file of its own, and `load` refuses one that is missing or empty."""
