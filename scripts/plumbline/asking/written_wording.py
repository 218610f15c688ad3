"""Templates that somebody wrote after a paper: whether each file of a wording is there and holds what it must."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from plumbline.asking.prompts import turns
from plumbline.asking.slots import SLOT
from plumbline.config.prompts import Prompts, Template
from plumbline.records.errors import PlumblineError, nearest
from plumbline.records.files import as_text, read_bytes


def written_files(name: str, prompts: Prompts, folder: Path) -> dict[str, bytes]:
    """The files that a wording names, from a folder, each with the slots that it must have and no others."""
    return {
        template.file: _checked(name, step, template, prompts, folder / template.file)
        for step, template in prompts.templates.items()
    }


def _checked(name: str, step: str, template: Template, prompts: Prompts, path: Path) -> bytes:
    if not path.is_file():
        raise PlumblineError(
            f"the wording {name!r} lacks a file",
            where=str(path),
            expected=f"the prompt {step!r}, with the slots {_in_braces(template.holds)}",
            do=f"write it as config/prompts/{name}.yaml says: there stands where the paper prints it",
        )
    data = read_bytes(path)
    text = as_text(data, str(path))
    there = list(dict.fromkeys(SLOT.findall(text)))
    for slot in template.holds:
        if slot not in there:
            raise PlumblineError(
                f"a prompt lacks the slot {{{slot}}}",
                where=str(path),
                expected=_in_braces(template.holds),
                found=_in_braces(there) if there else "no slot",
            )
    for slot in there:
        if slot not in template.holds:
            raise PlumblineError(
                f"a prompt has the slot {{{slot}}}, which nothing fills",
                where=str(path),
                expected=_in_braces(template.holds),
                do=nearest(slot, template.holds),
            )
    turns(text, str(path), prompts.notation, template.repeated)
    return data


def _in_braces(slots: Iterable[str]) -> str:
    return ", ".join(f"{{{slot}}}" for slot in slots)
