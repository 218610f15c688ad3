"""A system's outputs as LiveBench's own tool reads answers: a line each in `model_answer/NAME.jsonl`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from plumbline.data.instances import Instance, content_id
from plumbline.records.errors import PlumblineError, nearest
from plumbline.records.files import canonical, write_text
from plumbline.records.joblog import log


def write_answers(path: Path, instances: Iterable[Instance], system: str) -> None:
    """What the system wrote to each question; questions without an output by it are counted, as the tool wants all."""
    asked = list(instances)
    lines = [canonical(answer) for instance in asked for answer in answers(instance, system)]
    if not lines:
        there = dict.fromkeys(output.system for instance in asked for output in instance.outputs)
        raise PlumblineError(f"the system {system!r} answered no question", where=str(path), do=nearest(system, there))
    if len(lines) != len(asked):
        log.warning("%d of %d questions have no answer by %r", len(asked) - len(lines), len(asked), system)
    if empty := sum(output.system == system and not output.text for each in asked for output in each.outputs):
        log.warning("%d of %d answers are empty", empty, len(lines))
    write_text(path, "".join(f"{line}\n" for line in lines))


def answers(instance: Instance, system: str) -> Iterator[dict[str, object]]:
    """The one answer to a question, under the question's own id; nothing where the system gave none.

    The tool does not read when an answer was given, so that equal answers give equal bytes.
    """
    texts = [output.text for output in instance.outputs if output.system == system]
    if len(texts) > 1:
        raise PlumblineError(f"the system {system!r} answers a question twice", where=f"instance {instance.id}")
    for text in texts:
        yield {
            "question_id": instance.name,
            "answer_id": content_id(instance.id, system),
            "model_id": system,
            "choices": [{"index": 0, "turns": [text]}],
            "tstamp": 0.0,
        }
