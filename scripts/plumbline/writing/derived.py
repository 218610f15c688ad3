"""Derived benchmarks: another benchmark's instances with the texts that models wrote about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from plumbline.config.writing import Becomes
from plumbline.data.examples import RATED_EXAMPLES, stream_examples
from plumbline.data.instances import Instance, InstanceFile, Output
from plumbline.data.labels import Label, stream_labels
from plumbline.data.loaded import Loaded, named
from plumbline.data.texts import Text
from plumbline.records.errors import PlumblineError
from plumbline.records.joblog import log
from plumbline.records.rows import stream_records
from plumbline.writing.pairing import paired_with


@dataclass(frozen=True)
class Use:
    """A text that instances get."""

    name: str
    """Of the context, or of the system whose output it is."""
    model: str
    step: str
    """As it was asked for: write:STEP@WORDING."""
    sample: int
    becomes: Becomes


class TextsInOrder:
    """The texts of a file of written texts by instance; instances are asked about in the file's own order."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._groups = groupby(stream_records(path, Text), lambda text: text.instance)

    def of(self, instance: str) -> list[Text]:
        for name, texts in self._groups:
            if name == instance:
                return list(texts)
        raise PlumblineError(f"nothing was written about the instance {instance}", where=str(self.path))


def derived(
    instances: Path,
    labels: Path,
    written: Mapping[str, Path],
    uses: Iterable[Use],
    subsets: Iterable[str],
    pairs: str = "",
    examples: Path | None = None,
) -> Iterator[Loaded]:
    """The instances of these subsets with their texts, and their labels; `written` are the files by model.

    Ids follow from the content: context changes none, another instruction or one more output does. What people said
    of an instruction does not hold of another, so those labels are left out. With `pairs`, each output is paired with
    the text of this name. `examples` is the file of rated examples that instances get.
    """
    uses, wanted = list(uses), set(subsets)
    files = {model: TextsInOrder(path) for model, path in written.items()}
    rated = groupby(stream_examples(examples), lambda one: one.instance) if examples else None
    said = groupby(stream_labels(labels), lambda label: label.instance)
    changed = any(use.becomes == "instruction" for use in uses)

    def loaded() -> Iterator[Loaded]:
        kept = next(said, None)
        for instance in InstanceFile.whole(instances):
            found: list[Label] = []
            if kept and kept[0] == instance.id:
                found, kept = list(kept[1]), next(said, None)
            shown = {RATED_EXAMPLES: tuple(one.text for one in next(rated)[1])} if rated else {}
            if instance.subset not in wanted:
                continue
            instance = replace(instance, context={**instance.context, **shown})
            texts = {model: file.of(instance.id) for model, file in files.items()}
            made = with_texts(instance, uses, texts)
            if made:
                yield Loaded(made, () if changed else tuple(found))
            else:
                log.warning("left out, for want of a changed instruction: the instance %s", instance.id)

    return named(paired_with(pairs, loaded()) if pairs else loaded())


def with_texts(instance: Instance, uses: Iterable[Use], texts: Mapping[str, list[Text]]) -> Instance | None:
    """The instance with what was written about it, unless it lacks an instruction.

    What is not as it was asked for is named in `flawed`. Without a usable text, an output is empty and a context has no
    text.
    """
    for use in uses:
        found = [text for text in texts[use.model] if (text.step, text.sample) == (use.step, use.sample)]
        if not found:
            raise PlumblineError(f"nobody wrote {use.step} (sample {use.sample}) about the instance {instance.id}")
        flaws = [text.state for text in found if text.state != "written"]
        usable = [text.text for text in found if text.usable]
        if use.becomes == "instruction" and not usable:
            return None
        instance = _with(instance, use, usable)
        instance = replace(instance, flawed={**instance.flawed, **({use.name: flaws[0]} if flaws else {})})
    return instance


def _with(instance: Instance, use: Use, texts: list[str]) -> Instance:
    if use.becomes == "context":
        return replace(instance, context={**instance.context, use.name: tuple(texts)})
    if use.becomes == "output":
        return replace(instance, outputs=(*instance.outputs, Output(use.name, "\n\n".join(texts))))
    return replace(instance, instruction="\n\n".join(texts))
