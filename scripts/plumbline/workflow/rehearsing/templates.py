"""Prompt templates in place of those that a paper's authors wrote: they show the same, in the same notation."""

from __future__ import annotations

from collections.abc import Iterator

from plumbline.asking.prompts import step_of
from plumbline.config.prompts import Notation, Prompts, Template

KNOWN_FROM = "the slots and the notation that the wording's file declares, as the authors' templates have them"
SHOWN = {
    "compare": ("first", "second"),
    "synthesize": ("explanation_1", "explanation_2", "first", "second"),
    "rate": ("output",),
}
"""What the templates of each step show beside the instruction; outputs come last."""
WITH_REFERENCE = ("guided", "response")
"""A variant whose templates show the human response."""
TURNS: dict[Notation, str] = {
    "chatml": "<|im_start|>user\n{}\n<|im_end|>",
    "llama": "<|start_header_id|>user<|end_header_id|>\n\n{}<|eot_id|>",
    "plain": "{}",
}


def files(prompts: Prompts) -> dict[str, bytes]:
    """Every template file of a wording, by its path in the source."""
    return {
        f"{prompts.folder}/{template.file}": text_of(name, template, prompts).encode()
        for name, template in prompts.templates.items()
    }


def text_of(name: str, template: Template, prompts: Prompts) -> str:
    own_words = {ours: theirs for theirs, ours in (prompts.slots | template.slots).items()}
    lines = [f"This stands in for the prompt {name} in a rehearsal."]
    lines += [f"[{shown}]\n{{{own_words.get(shown, shown)}}}" for shown in shown_by(name, template)]
    if template.parser and (scale := scale_of(prompts, template.parser)):
        lines.append(f"Rate it from {scale[0]} to {scale[1]}.")
    return TURNS[prompts.notation].format("\n\n".join(lines))


def shown_by(name: str, template: Template) -> Iterator[str]:
    yield "instruction"
    yield from template.slots.values()
    variant, reference = WITH_REFERENCE
    if variant in name:
        yield reference
    yield from SHOWN.get(step_of(name), ())


def scale_of(prompts: Prompts, parser: str) -> tuple[int, int] | None:
    """The lowest and highest number that a template's parser reads."""
    declared = prompts.parsers[parser]
    low, high = getattr(declared, "low", None), getattr(declared, "high", None)
    return (int(low), int(high)) if low is not None and high is not None else None
