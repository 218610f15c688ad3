"""The instances of a benchmark as pages show them: texts with their differences marked, context and labels."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from plumbline.data.instances import Instance, InstanceFile
from plumbline.data.labels import Label, read_labels
from plumbline.report.people import label_data, numbered

WORD = re.compile(r"\w+|\s+|[^\w\s]")
LONGEST = 1500
"""Words up to which texts are compared; longer ones would take long and show little."""
TOO_UNLIKE = 0.3
"""Texts that share less than this have no differences worth marking: nearly all of them differs."""


def instance_data(instances: Path, labels: Path) -> dict[str, Any]:
    """By id, all that is known of each instance."""
    labels_of_people = read_labels(labels)
    names = numbered(labels_of_people)
    by_instance: dict[str, list[Label]] = {}
    for label in labels_of_people:
        by_instance.setdefault(label.instance, []).append(label)
    return {
        instance.id: described(instance, by_instance.get(instance.id, ()), names)
        for instance in InstanceFile.whole(instances)
    }


def described(instance: Instance, labels: Iterable[Label], names: Mapping[str, str]) -> dict[str, Any]:
    return {
        "id": instance.id,
        "subset": instance.subset,
        "origin": instance.origin,
        "instruction": instance.instruction,
        "context": {name: list(texts) for name, texts in instance.context.items()},
        "outputs": [
            {"system": output.system, "parts": parts}
            for output, parts in zip(instance.outputs, marked(instance.texts), strict=True)
        ],
        "labels": [label_data(label, names) for label in labels],
    }


Parts = list[list[Any]]
"""A text in pieces: [piece, whether the text it is compared with has it too (1) or not (0)]."""


def marked(texts: Sequence[str]) -> list[Parts]:
    """Each text, with what differs from the first; the first is compared with the second."""
    if len(texts) < 2:
        return [[[text, 1]] for text in texts]
    compared = [differences(texts[0], text) for text in texts[1:]]
    return [compared[0][0], *(after for _, after in compared)]


def differences(before: str, after: str) -> tuple[Parts, Parts]:
    """Two texts, word by word."""
    first, second = WORD.findall(before), WORD.findall(after)
    if max(len(first), len(second)) > LONGEST:
        return [[before, 1]], [[after, 1]]
    matcher = difflib.SequenceMatcher(None, first, second, autojunk=False)
    if any(share() < TOO_UNLIKE for share in (matcher.real_quick_ratio, matcher.quick_ratio, matcher.ratio)):
        return [[before, 1]], [[after, 1]]
    left: Parts = []
    right: Parts = []
    for kind, a, b, c, d in matcher.get_opcodes():
        _add(left, "".join(first[a:b]), kind == "equal")
        _add(right, "".join(second[c:d]), kind == "equal")
    return left, right


def _add(parts: Parts, text: str, same: bool) -> None:
    if text:
        parts.append([text, int(same)])
