"""How a wording's answers are read: what a configuration may declare, one class a kind. The readers are in parsing/.

Each kind has two readings: as published, by what its options say of the authors' code, and strict, which is what a
person who reads the answer would say it says.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Annotated, Literal

from plumbline.config.typed import Range

Preferred = Literal["first", "second", "tie"]
Word = Literal["first", "second", "tie", "yes", "no"]
Limit = Annotated[float, Range(-999, 999)]


@dataclass(frozen=True)
class Names:
    """What the two outputs are called in the prompts: the strict reading looks for these names."""

    first: str = "Output (a)"
    """The name of the output shown first."""
    second: str = "Output (b)"
    """The name of the output shown second."""


@dataclass(frozen=True)
class PatternParser:
    """A preference, by patterns as published: regular expressions, searched in the stripped answer in this order.

    Strictly: what the answer concludes with.
    """

    first: str
    """Matches when the first output shown is preferred."""
    second: str
    """Matches when the second output shown is preferred."""
    tie: str = ""
    """Matches when neither is preferred (empty: the authors know no tie)."""
    kind: Literal["patterns"] = "patterns"
    """A parser that names no kind is of this one."""


@dataclass(frozen=True)
class OnlyMatchParser:
    """A preference, by patterns as published in AlpacaFarm: the one place in the whole answer where either matches.

    Where there is none, or a second one after it, the answer states nothing. Strictly: what the answer concludes with,
    or with `field` what that field of its JSON object says.
    """

    kind: Literal["only_match"]
    """Says that a parser is of this kind."""
    first: str
    """Matches when the first output shown is preferred."""
    second: str
    """Matches when the second output shown is preferred."""
    field: str = ""
    """A field of a JSON object (keys joined by dots) that is true when the first output shown is preferred, else
    false. Empty: answers are no JSON."""


@dataclass(frozen=True)
class LastWordParser:
    """A preference, as published the last word of the last line that is not empty.

    Strictly: a line that is nothing but such a word, a sentence that states it, or what the answer concludes with.
    """

    kind: Literal["last_word"]
    """Says that a parser is of this kind."""
    words: dict[str, Preferred]
    """The words that may stand there and what each means, e.g. `{A: first, B: second, tie: tie}`."""
    exact: bool = False
    """As published: the word must stand there letter by letter, without punctuation and in the same case."""


@dataclass(frozen=True)
class NumberParser:
    """A number on a scale, e.g. a rating. As published a number off the scale counts, strictly it does not.

    Strictly: an answer or a line that is nothing but a number (`4`, `four`, `4/5`, `4 out of 5` where the scale ends
    at 5), or a sentence that states it (`Rating: 4`, `I would give it a 4.`); the last of these.
    """

    kind: Literal["number"]
    """Says that a parser is of this kind."""
    low: Limit
    """The lowest number of the scale."""
    high: Limit
    """The highest number of the scale."""
    whole: bool = True
    """Only whole numbers count."""
    published: Literal["alone", "first", "last"] = "alone"
    """As published: the number that the answer consists of, or the first or last in it (of at most three digits)."""


@dataclass(frozen=True)
class YesNoParser:
    """Yes or no.

    Strictly: an answer that begins with the word (`Yes, it does.`, not `No doubt`), a line or last sentence that is
    nothing but the word, or a sentence that states it (`Answer: no`); the last of these.
    """

    kind: Literal["yes_no"]
    """Says that a parser is of this kind."""
    published: Literal["start", "start_or_only", "answer"] = "start"
    """As published: the letters with which the answer begins, in any case; `start_or_only`: where it begins with
    neither, whichever of YES and NO, in capitals, occurs alone (InFoBench); `answer`: the word right after the last
    `Answer:` (TICK, appendix G.2)."""


@dataclass(frozen=True)
class RankingParser:
    """A preference, by the ranks of two names in a list of mappings, e.g. `{'model': 'model_1', 'rank': 1}`.

    As published (AlpacaEval) the answer must be nothing but that list, and the rank of `first`, 1 or 2, decides.
    Strictly the list may stand anywhere in the answer, or be numbered lines, must rank both, and equal ranks are a tie.
    """

    kind: Literal["ranking"]
    """Says that a parser is of this kind."""
    first: str = "model_1"
    """The name of the output shown first."""
    second: str = "model_2"
    """The name of the output shown second."""
    name: str = "model"
    """Key under which a mapping names an output."""
    rank: str = "rank"
    """Key under which it has the rank."""


@dataclass(frozen=True)
class JsonParser:
    """A word or a number in a field of a JSON object.

    As published the answer must be nothing but the object. Strictly it may stand in a text or a code fence, but must
    be the only one, name no key twice, and have its number on the scale.
    """

    kind: Literal["json"]
    """Says that a parser is of this kind."""
    field: str
    """Where it is: keys and list positions (from 0), joined by dots."""
    words: dict[str, Word] = dataclasses.field(default_factory=dict)
    """The texts that may stand there and what each means (`true` and `false` too); without any, a number is read."""
    low: Limit = 0.0
    """The lowest number of the scale."""
    high: Limit = 0.0
    """The highest number of the scale."""


@dataclass(frozen=True)
class ListParser:
    """The items of a numbered or bulleted list, for what a model writes for itself; they are given on as lines."""

    kind: Literal["list"]
    """Says that a parser is of this kind."""
    after: str = ""
    """The list follows the first line that begins with this, or stands anywhere where none does."""


@dataclass(frozen=True)
class TextParser:
    """The text after a marker, for what a model writes for itself; all of it where the marker is missing."""

    kind: Literal["text"]
    """Says that a parser is of this kind."""
    after: str
    """How the first line begins after which the text stands, e.g. `Revised response:`."""


Parser = (
    PatternParser
    | OnlyMatchParser
    | LastWordParser
    | NumberParser
    | YesNoParser
    | RankingParser
    | JsonParser
    | ListParser
    | TextParser
)
Gives = Literal["preference", "number", "yes_no", "text"]


def gives(parser: Parser) -> Gives:
    """What kind of statement a parser reads."""
    match parser:
        case PatternParser() | OnlyMatchParser() | LastWordParser() | RankingParser():
            return "preference"
        case NumberParser():
            return "number"
        case YesNoParser():
            return "yes_no"
        case JsonParser():
            if not parser.words:
                return "number"
            return "yes_no" if set(parser.words.values()) <= {"yes", "no"} else "preference"
        case ListParser() | TextParser():
            return "text"
