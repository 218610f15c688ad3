"""Benchmarks: instances, and what people were asked about them."""

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
    """Instances and what people said of them, read from sources."""

    loader: str
    """How to read them: a module of `plumbline.data.loaders` (the authors' own files of a benchmark; `rows`: one file
    with a row for each instance, JSONL, JSON, CSV or Parquet), `construct` (sets built here), or `derived` (another
    benchmark with texts that models write about it)."""
    subsets: dict[str, str] = field(default_factory=dict)
    """Name of each subset and its file in the source; with `rows` the rows name their subset (those that name none
    belong to the first, those of other subsets are left out with a warning) and the file is not used; with
    `construct` the set that is built for it (SET/unreviewed: as it was before people decided); with `derived` the
    other benchmark's own (without any: all of them)."""
    of: str = ""
    """With `derived`: the benchmark that it is made of."""
    written: dict[str, Written] = field(default_factory=dict)
    """With `derived`: what models write about each instance, by the name that the text gets: of a context, or of the
    system whose output it is."""
    examples: Examples = field(default_factory=Examples)
    """With `derived`: rated answers of the other benchmark, in the context `rated_examples`."""
    paired_with: str = ""
    """With `derived`: a text of an instance's context, e.g. reference. Each output makes a pair with it, which is the
    second output and has this name as its system; each such pair is there once, and nobody has labelled it."""
    outputs: Count = 2
    """With `rows`: how many outputs each instance has."""
    context: dict[str, str] = field(default_factory=dict)
    """With `rows`: named texts that belong to an instruction (document, reference, …), and the column of each."""
    labels: str = ""
    """With `rows`: the source with the labels of several raters (columns instance, rater, question, word or value,
    about); without one, the column `better` holds the one agreed label."""
    questions: dict[str, Question] = field(default_factory=dict)
    """The questions that raters answered, for `labels` and `squality`."""
    joined: dict[str, Joined] = field(default_factory=dict)
    """Texts of other sources, by the name that each has in the context: a human-written reference, for instance.
    Instances without one are counted in a warning; what needs it is measured on the others."""
    second_pass: list[str] = field(default_factory=list)
    """Files of what reviewers chose blind, one a reviewer (`plumbline review … --blind`): labels of their own, for how
    far people agree."""
    source: str = ""
    """Which source holds the instances, where they are not built here."""
    title: str = ""
    """What it is, for people."""
    shards: Positive = 1
    """Into how many judge jobs the instances are split for each model."""
    limit: Count = 0
    """Take only the first so many instances of each subset (0: all)."""
