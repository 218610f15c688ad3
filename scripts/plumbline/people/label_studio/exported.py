"""The files that Label Studio exports (JSON, JSON_MIN), as what one rater left of one task."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from plumbline.people.label_studio.project import Project
from plumbline.records.errors import PlumblineError
from plumbline.sources.reading import mapping

RATER = "label-studio-{}"
"""What a rater is called here, by the number that Label Studio has for the account. An export without names tells no
more, and one with them must not make a second rater of the same person."""


@dataclass(frozen=True)
class Annotation:
    """What one rater left of one task."""

    where: str
    """File and task, for messages."""
    data: Mapping[str, Any]
    """The task's."""
    rater: str
    said: Mapping[str, Any]
    """By field what was entered: a text, a number, or texts."""
    cancelled: bool
    """Whether the rater pressed Skip."""
    stamp: tuple[str, int]
    """When it was last changed, and its number: of several by one rater on one task the last counts."""


def annotations_in(rows: Any, project: Project, file: str) -> Iterator[Annotation]:
    """All of an export, in its order."""
    if not isinstance(rows, list):
        raise PlumblineError("an export is a list of tasks", where=file, expected="JSON or JSON_MIN of Label Studio")
    for position, row in enumerate(rows):
        row = mapping(row, f"{file}, entry {position + 1}")
        where = f"{file}, task {row.get('id', f'at {position + 1}')}"
        if isinstance(row.get("annotations"), list):
            for one in row["annotations"]:
                yield _full(mapping(row.get("data"), where), mapping(one, where), where)
        elif "annotation_id" in row:
            one = _flat(row, project, where) if row["annotation_id"] is not None else None
            if one is not None and one.said:
                yield one
        else:
            raise PlumblineError(
                "a task has no annotations",
                where=where,
                expected="an export in the format JSON or JSON_MIN",
                found=", ".join(map(str, row))[:200],
            )


def _full(data: Mapping[str, Any], row: Mapping[str, Any], where: str) -> Annotation:
    said = dict(_entered(mapping(result, where), where) for result in row.get("result") or ())
    return Annotation(
        where, data, rater_of(row.get("completed_by"), where), said, bool(row.get("was_cancelled")), stamp_of(row, "id")
    )


def _flat(row: Mapping[str, Any], project: Project, where: str) -> Annotation:
    """A line of JSON_MIN: the task's data and what was entered side by side; nothing tells what was skipped."""
    names = project.fields
    return Annotation(
        where,
        {name: value for name, value in row.items() if name not in names},
        rater_of(row.get("annotator"), where),
        {name: row[name] for name in names if row.get(name) not in (None, "", [])},
        cancelled=False,
        stamp=stamp_of(row, "annotation_id"),
    )


def _entered(result: Mapping[str, Any], where: str) -> tuple[str, Any]:
    """A field and what was entered there."""
    name, kind, value = result.get("from_name"), str(result.get("type")), result.get("value")
    key = {"textarea": "text"}.get(kind, kind)
    if not isinstance(name, str) or not isinstance(value, Mapping) or key not in value:
        raise PlumblineError(
            "a result has no field or no value",
            where=where,
            expected="from_name, type, and a value of that type",
            found=repr(dict(result))[:200],
        )
    return name, value[key]


def rater_of(account: Any, where: str) -> str:
    """An account's number, whether the export spells it out or not."""
    number = account.get("id") if isinstance(account, Mapping) else account
    if not isinstance(number, int) or isinstance(number, bool):
        raise PlumblineError(
            "an annotation names no rater",
            where=where,
            expected="completed_by: the number of an account",
            found=repr(account),
        )
    return RATER.format(number)


def stamp_of(row: Mapping[str, Any], number: str) -> tuple[str, int]:
    return str(row.get("updated_at") or row.get("created_at") or ""), int(row.get(number) or 0)
