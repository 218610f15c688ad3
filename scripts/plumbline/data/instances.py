"""Instances: an instruction with its context and the outputs that answer it, in one shape whatever the source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from plumbline.records.files import digest_value
from plumbline.records.parquet import count_rows
from plumbline.records.rows import stream_records, write_records

DOCUMENT = "document"
"""The part of the context that an instruction is about; it belongs to what an instance is."""
CHECKLIST = "checklist"
"""The part of the context with the yes/no questions that a response is checked by."""
CATEGORIES = "categories"
"""The part of the context with the categories of each question of the checklist, in the same order."""
TASK = "task"
"""The part of the context that an instruction belongs to, where the instruction itself is a question about a task."""
HISTORY = "history"
"""The part of the context with the turns of a conversation before the instruction, which is its last."""
INPUT = "input"
"""The part of the context that an instruction is to be carried out on, where a protocol shows it apart."""
REFERENCE = "reference"
"""The part of the context that holds answers to compare outputs with."""
RATED_EXAMPLES = "rated_examples"
"""The part of the context with the rated answers of other documents that a prompt may show."""
CATEGORY = "category"
"""The part of the context that says what kind of task the instruction is."""


@dataclass(frozen=True, slots=True)
class Output:
    """One answer to an instruction."""

    system: str
    """Who wrote it, where that is known. Judges are never told."""
    text: str


@dataclass(frozen=True, slots=True)
class Instance:
    """What a judge is asked about."""

    id: str
    subset: str
    instruction: str
    outputs: tuple[Output, ...]
    """None, one, two or many."""
    context: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Named texts that belong to the instruction: a document, references, a category, a checklist."""
    origin: str = ""
    """Where the source keeps it: file and position, e.g. `Dataset/…/dataset.json#17`."""
    key: str = ""
    """What its source calls it: the user's own id, or the number of its row. Judges are never told."""
    flawed: Mapping[str, str] = field(default_factory=dict)
    """What of it a model did not write as asked, by name, and in which state that is: see `writing/written.py`."""

    @property
    def name(self) -> str:
        """What it is called, by its source or else by its content."""
        return self.key or self.id

    @property
    def texts(self) -> tuple[str, ...]:
        """The outputs as judges see them."""
        return tuple(output.text for output in self.outputs)


def pair(
    instruction: str, first: str, second: str, subset: str = "", origin: str = "", systems: tuple[str, str] = ("", "")
) -> Instance:
    """An instance of two outputs, not yet identified."""
    return Instance("", subset, instruction, (Output(systems[0], first), Output(systems[1], second)), {}, origin)


def with_outputs(instance: Instance, outputs: Iterable[Output]) -> Instance:
    """The instance with these outputs in the place of its own, without an id; flaws of outputs that are gone go too."""
    changed = tuple(outputs)
    gone = {output.system for output in instance.outputs} - {output.system for output in changed}
    flawed = {name: state for name, state in instance.flawed.items() if name not in gone}
    return replace(instance, id="", outputs=changed, flawed=flawed)


def with_input(instruction: str, given: str) -> str:
    """An instruction that ends with what it is to be carried out on."""
    return "\n\n".join(filter(None, (instruction, given)))


def without_input(instruction: str, given: str) -> str:
    """An instruction without the input that it ends with; all of it where it does not."""
    return instruction.removesuffix(f"\n\n{given}") if given else instruction


def content_id(*texts: str) -> str:
    """A stable id made of texts alone."""
    return digest_value(texts)[:16]


def base_id(instance: Instance) -> str:
    """The id of an instance's content: who wrote the outputs, and what models write about them later, does not change
    what is judged."""
    return content_id(instance.instruction, *instance.context.get(DOCUMENT, ()), "", *instance.texts)


def identified(instances: Iterable[Instance]) -> Iterator[Instance]:
    """Give each instance the id of its content; repeated content is numbered in order."""
    seen: Counter[str] = Counter()
    for instance in instances:
        base = base_id(instance)
        seen[base] += 1
        yield replace(instance, id=base if seen[base] == 1 else f"{base}-{seen[base]}")


def joined_categories(categories: Iterable[str]) -> str:
    """The categories of one question as they stand in the context."""
    return "; ".join(categories)


def categories_of(instance: Instance) -> list[tuple[str, ...]]:
    """The categories of each question of the instance's checklist."""
    return [tuple(text.split("; ")) for text in instance.context.get(CATEGORIES, ())]


def write_instances(path: Path, instances: Iterable[Instance]) -> None:
    write_records(path, Instance, instances)


@dataclass(frozen=True)
class InstanceFile:
    """The instances of a file from `start` to before `stop`, read as they are needed, each time anew."""

    path: Path
    start: int
    stop: int

    @classmethod
    def whole(cls, path: Path) -> InstanceFile:
        return cls(path, 0, count_rows(path))

    def shard(self, name: str) -> InstanceFile:
        """The part that a shard `K-of-N` judges: contiguous, so that joined shards keep the order."""
        number, count = (int(part) for part in name.split("-of-"))
        size = len(self)
        return InstanceFile(self.path, self.start + size * (number - 1) // count, self.start + size * number // count)

    def __len__(self) -> int:
        return self.stop - self.start

    def __iter__(self) -> Iterator[Instance]:
        return stream_records(self.path, Instance, self.start, self.stop)


def read_instances(path: Path) -> list[Instance]:
    return list(InstanceFile.whole(path))


@dataclass(frozen=True, slots=True)
class OnlyFlawed:
    """Of an instance the texts that were not written as asked: a file is read for these alone."""

    flawed: Mapping[str, str]


def flaws(path: Path) -> str:
    """How many instances of a file have which text that was not written as asked, in words; nothing where none has."""
    counts = Counter(
        f"{name} {state}" for one in stream_records(path, OnlyFlawed) for name, state in one.flawed.items()
    )
    return ", ".join(f"{what}: {count:,}" for what, count in sorted(counts.items()))
