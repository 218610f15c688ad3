"""LiveBench's questions, category by category."""

from __future__ import annotations

from collections.abc import Iterator

from plumbline.config.benchmark import ReadBenchmark
from plumbline.data.instances import CATEGORY, TASK, Instance
from plumbline.data.loaded import Loaded
from plumbline.data.loader import loader
from plumbline.records.errors import PlumblineError
from plumbline.sources.archive import SourceFiles
from plumbline.sources.reading import mapping, rows_in, text_in


@loader(options=ReadBenchmark)
def livebench(benchmark: ReadBenchmark, source: SourceFiles, subset: str) -> Iterator[Loaded]:
    """LiveBench's questions of one category, with the category and the task of each. Their right answers and tests are
    not read: LiveBench's own tool scores by them.

    Columns: `question_id`, `category`, `task` and `turns`, a list with the question as its only text.
    """
    for file, position, row in rows_in(source):
        where = f"{file}, row {position + 1}"
        fields = mapping(row, where)
        turns = fields.get("turns")
        if not isinstance(turns, list) or len(turns) != 1 or not isinstance(turns[0], str):
            raise PlumblineError(
                "a question is not one turn",
                where=f"{where}, key turns",
                expected="a list of one text",
                found=repr(turns)[:120],
            )
        context = {CATEGORY: (text_in(fields, "category", where),), TASK: (text_in(fields, "task", where),)}
        key = text_in(fields, "question_id", where)
        yield Loaded(Instance("", subset, turns[0], (), context, f"{file}#{position}", key))
