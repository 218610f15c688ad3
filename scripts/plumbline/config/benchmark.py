"""Benchmarks: instances, and what people were asked about them.

Each kind has a class of its own. What a loader may be told besides stands beside it, in a class derived from these.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from plumbline.config.typed import Count, Positive
from plumbline.config.writing import Written


@dataclass(frozen=True)
class Question:
    """What people were asked about instances, and what they could answer: one of some words, or a number."""

    words: list[str] = field(default_factory=list)
    """The answers there are; without any, a number is asked for."""
    low: float = 0.0
    """The lowest number of the scale."""
    high: float = 0.0
    """The highest number of the scale."""


@dataclass(frozen=True)
class Joined:
    """Texts of another source, or of another file of a benchmark's own, that belong to its instances."""

    source: str
    """Which source holds them."""
    columns: dict[str, str]
    """Where each row keeps what: `text`, and what it belongs to: `key` (the instance's `id`, or the number of its row),
    or `instruction` and perhaps `input`. A dotted path looks into nested values: `replies.0.text`."""
    file: str = ""
    """The file in the source, where that holds several."""


@dataclass(frozen=True)
class Examples:
    """Rated answers about other documents, drawn at random for each instance, that prompts about it may show."""

    question: str = ""
    """Which question's ratings they show; of several raters the middle one counts, of two the lower."""
    count: Count = 0
    """How many an instance gets; a protocol shows the first so many of them (0: none)."""
    seed: Count = 1
    """What decides the draw."""


@dataclass(frozen=True)
class Benchmark:
    """Instances and what people said of them."""

    loader: str
    """Where they come from: one of the loaders below."""
    subsets: dict[str, str] = field(default_factory=dict)
    """Name of each subset, and what the loader finds it by: a file or folder of the source, a set that is built, or
    nothing."""
    title: str = ""
    """What it is, for people."""
    shards: Positive = 1
    """Into how many ask jobs the instances are split for each model."""


@dataclass(frozen=True, kw_only=True)
class LoadedBenchmark(Benchmark):
    """A benchmark that is made of no other one."""

    limit: Count = 0
    """Take only the first so many instances of each subset (0: all)."""
    second_pass: list[str] = field(default_factory=list)
    """Files of what reviewers chose blind, one a reviewer (`plumbline review … --blind`): labels of their own, for how
    far people agree."""


@dataclass(frozen=True, kw_only=True)
class ReadBenchmark(LoadedBenchmark):
    """What every benchmark that is read from sources may say."""

    source: str
    """Which source holds the instances."""
    labels: str = ""
    """Another source, with labels of several raters: a file with the columns instance, rater, question, word or value,
    about."""
    questions: dict[str, Question] = field(default_factory=dict)
    """The questions that raters answered, for `labels` and for a loader that reads ratings."""
    joined: dict[str, Joined] = field(default_factory=dict)
    """Texts of other sources, by the name that each has in the context: a human-written reference, for instance.
    Instances without one are counted in a warning; what needs it is measured on the others."""


@dataclass(frozen=True, kw_only=True)
class ConstructedBenchmark(LoadedBenchmark):
    """Sets of pairs that are built here. Each subset names its set; SET/unreviewed is the set before people decided."""


@dataclass(frozen=True, kw_only=True)
class DerivedBenchmark(Benchmark):
    """Another benchmark, with texts that models write about it, with rated examples, or paired anew. Its subsets are
    the other's: those that it names, or all."""

    of: str
    """The benchmark that it is made of."""
    written: dict[str, Written] = field(default_factory=dict)
    """What models write about each instance, by the name that the text gets: of a context, or of the system whose
    output it is."""
    examples: Examples = field(default_factory=Examples)
    """Rated answers of the other benchmark, in the context `rated_examples`."""
    paired_with: str = ""
    """A text of an instance's context, e.g. reference. Each output makes a pair with it, which is the second output and
    has this name as its system; each such pair is there once, and nobody has labelled it."""
