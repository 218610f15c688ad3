"""What a configuration may say of texts that models write before judging."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from plumbline.config.typed import Amount, Count, Positive

WRITE = "write:"
"""Begins what a step's calls and texts are filed under: a protocol and a step may have the same name."""
Becomes = Literal["context", "output", "instruction"]


@dataclass(frozen=True)
class WritingStep:
    """A kind of text that models write, asked for in another way than a step's own name stands for."""

    step: str
    """Which program runs: one that states texts."""
    temperature: Amount = 0.0
    """How freely a text is drawn at random (0: the likeliest one)."""
    samples: Positive = 1
    """How many times each text is written, with a temperature."""


@dataclass(frozen=True)
class WrittenText:
    """A text that a derived benchmark takes from a model."""

    model: str
    """Which model writes it."""
    step: str = ""
    """What it is asked for: STEP, or STEP@WORDING where the wording is not `plumbline` (empty: the name under which
    it is declared here)."""
    becomes: Literal["", "context", "output", "instruction"] = ""
    """What it is to judges: named context (several texts are several entries), one more output, or the instruction in
    place of the instance's own (empty: what the step writes it for)."""
    refusals: bool = False
    """Whether what a model says in place of a text that it refuses is taken for the text (else there is none)."""
    sample: Count = 0
    """Which of several samples, from 0 on."""
