"""Pools: instructions with reference outputs, from any file, each row accounted for."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from plumbline.asking.surface import normalised
from plumbline.config.construct import Pool
from plumbline.data.instances import content_id
from plumbline.data.loaded import GOLDS
from plumbline.records.errors import PlumblineError, nearest
from plumbline.records.files import digest_value
from plumbline.records.parquet import columns_of, read_rows, write_rows
from plumbline.sources.archive import SourceFiles
from plumbline.sources.reading import look_up, rows_of

COLUMNS = ("instruction", "input", "output", "first", "second", "better", "task")
BROKEN = "�"
"""What undecodable bytes become: no clean text has it."""


@dataclass(frozen=True, slots=True)
class Item:
    """A row of a pool: an instruction with its reference output, or with two compared outputs."""

    id: str
    pool: str
    instruction: str
    output: str
    """The reference output, or the first of two compared ones; empty where the pool has none."""
    other: str
    """The second of two compared outputs."""
    gold: str
    """Which of two compared outputs people preferred: first, second, tie; empty for a reference output."""
    origin: str
    """File and row in the source."""
    drawn: bool = False
    """Whether pairs are made of it."""
    dropped: str = ""
    """Why it is not used, or nothing."""
    input: str = ""
    """What the instruction ends with, where its row keeps that apart."""


POOL = columns_of(Item)


def write_pool(path: Path, items: Sequence[Item]) -> None:
    write_rows(path, [asdict(item) for item in items], POOL)


def read_pool(path: Path) -> list[Item]:
    return [Item(**row) for row in read_rows(path, POOL)]


def load_pool(name: str, pool: Pool, source: SourceFiles) -> list[Item]:
    """Every row of a pool in its order; a row that cannot be used says why."""
    check_columns(name, pool)
    file = pool.file or _only(name, source.names())
    rows = _rows(file, source.read(file))
    _check_present(pool, rows, f"pool.{name}.columns, {file}")
    items = [_item(name, pool, row, f"{file}#{position}") for position, row in enumerate(rows)]
    return _without_repeats(_in_language(items, pool.language))


def check_columns(name: str, pool: Pool) -> None:
    where = f"pool.{name}.columns"
    for word in pool.columns:
        if word not in COLUMNS:
            raise PlumblineError(f"a pool has no column {word!r}", where=where, do=nearest(word, COLUMNS))
    compared = {"first", "second", "better"} & set(pool.columns)
    if "instruction" not in pool.columns or len(compared) not in (0, 3):
        raise PlumblineError(
            "a pool lacks columns",
            where=where,
            expected="instruction and output; or instruction, first, second and better",
            found=", ".join(pool.columns),
        )


def draw(items: Sequence[Item], size: int, seed: int) -> list[Item]:
    """Mark `size` usable items, each by a draw of its own: what else the pool holds does not move it."""
    usable = sorted((i for i in items if not i.dropped), key=lambda item: digest_value([seed, item.id]))
    chosen = {item.id for item in usable[: size or None]}
    return [replace(item, drawn=item.id in chosen and not item.dropped) for item in items]


def _check_present(pool: Pool, rows: Sequence[Any], where: str) -> None:
    """A column may be empty in some rows; one that no row has is a mistake."""
    known = {str(key) for row in rows if isinstance(row, Mapping) for key in row}
    for path in pool.columns.values():
        column = path.partition(".")[0]
        if known and column not in known:
            raise PlumblineError(f"the column {column!r} is missing", where=where, do=nearest(column, known))


def _item(name: str, pool: Pool, row: Any, origin: str) -> Item:
    if not isinstance(row, Mapping):
        return Item(content_id(name, origin), name, "", "", "", "", origin, dropped="not a row of columns")
    found = {ours: look_up(row, theirs) for ours, theirs in pool.columns.items()}
    texts = {ours: "" if value is None else str(value) for ours, value in found.items()}
    given = texts.get("input", "").strip()
    instruction = "\n\n".join(filter(None, [_task(pool, texts), texts["instruction"], given]))
    output = texts.get("output", texts.get("first", ""))
    other = texts.get("second", "")
    gold, dropped = _gold(pool, texts), _why_unusable(pool, texts)
    identity = content_id(name, instruction, output, other)
    return Item(identity, name, instruction, output, other, gold or "", origin, dropped=dropped, input=given)


def _task(pool: Pool, texts: Mapping[str, str]) -> str:
    """The task description for a row's kind (LLMBar, section 4.4)."""
    return pool.tasks.get(texts.get("task", ""), "")


def _gold(pool: Pool, texts: Mapping[str, str]) -> str | None:
    if "better" not in texts:
        return ""
    return pool.labels.get(texts["better"]) or GOLDS.get(texts["better"])


def _why_unusable(pool: Pool, texts: Mapping[str, str]) -> str:
    shown = [texts[name] for name in ("instruction", "input", "output", "first", "second") if name in texts]
    if not texts["instruction"].strip():
        return "empty instruction"
    if any(not texts[name].strip() for name in ("output", "first", "second") if name in texts):
        return "empty output"
    if any(BROKEN in text or "\0" in text for text in shown):
        return "bytes that are not text"
    if pool.longest and max(map(len, shown)) > pool.longest:
        return "too long"
    return "no known label" if _gold(pool, texts) is None else ""


def _in_language(items: Iterable[Item], language: str) -> Iterator[Item]:
    if not language:
        yield from items
        return
    from py3langid.langid import classify  # loads its model, so only where it is wanted

    for item in items:
        foreign = not item.dropped and classify(item.instruction)[0] != language
        yield replace(item, dropped=f"not in the language {language!r}") if foreign else item


def _without_repeats(items: Iterable[Item]) -> list[Item]:
    """Of equal instructions the first stays; compared outputs make a row of their own."""
    seen: set[tuple[str, ...]] = set()
    kept = []
    for item in items:
        outputs = (normalised(item.output), normalised(item.other)) if item.gold else ()
        key = (normalised(item.instruction), *outputs)
        repeated = not item.dropped and key in seen
        kept.append(replace(item, dropped="repeated instruction") if repeated else item)
        if not item.dropped:
            seen.add(key)
    return kept


def _rows(file: str, data: bytes) -> list[Any]:
    """Unpacked where it is packed, and with a mark in place of every byte that is no text."""
    if file.endswith(".gz"):
        file, data = file.removesuffix(".gz"), gzip.decompress(data)
    if not file.endswith(".parquet"):
        data = data.decode("utf-8-sig", "replace").encode()
    if file.endswith(".json") and not data.lstrip().startswith(b"["):
        file += "l"  # JSON Lines often go by the wrong name
    return list(rows_of(file, io.BytesIO(data)))


def _only(name: str, files: Sequence[str]) -> str:
    if len(files) != 1:
        raise PlumblineError(
            f"the pool {name!r} does not say which file it is", where=f"pool.{name}.file", expected=", ".join(files)
        )
    return files[0]
