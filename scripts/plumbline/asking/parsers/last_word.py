"""Read a preference from the last word of the last line (HREF's released code), and strictly where it is stated."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from plumbline.asking.answer_text.answers import UNPARSED, Readings, concluded, looked_at, readings
from plumbline.asking.answer_text.statements import stated
from plumbline.asking.parser import parser
from plumbline.config.parsers import Names, Parser, Preferred
from plumbline.data.verdicts import Outcome
from plumbline.models.asking import Completion
from plumbline.records.errors import PlumblineError


@dataclass(frozen=True)
class LastWordParser(Parser):
    """A preference, as published the last word of the last line that is not empty.

    Strictly: a line that is nothing but such a word, a sentence that states it, or what the answer concludes with.
    """

    words: dict[str, Preferred]
    """The words that may stand there and what each means, e.g. `{A: first, B: second, tie: tie}`."""
    exact: bool = False
    """As published: the word must stand there letter by letter, without punctuation and in the same case."""


def check(options: LastWordParser, where: str) -> None:
    check_words(options.words, options.kind, where)


def check_words(words: Mapping[str, Preferred], kind: str, where: str) -> None:
    """The words differ where it matters: by more than case and punctuation."""
    by_plain_word: dict[str, str] = {}
    for word in words:
        if not plain(word) or len(word.split()) != 1:
            raise PlumblineError("a last word is one word", where=f"{where}.words", found=repr(word))
        if plain(word) in by_plain_word:
            what = f"the words {by_plain_word[plain(word)]!r} and {word!r} differ only in case or punctuation"
            raise PlumblineError(what, where=f"{where}.words")
        by_plain_word[plain(word)] = word
    if not by_plain_word:
        raise PlumblineError(f"a parser of the kind {kind!r} needs words", where=f"{where}.words")


@parser(options=LastWordParser, gives="preference", check=check)
def last_word(completion: Completion, options: LastWordParser, names: Names) -> Readings:
    text = looked_at(completion.text)
    return readings(completion, _last_word(text, options), stated_last(text, options.words, names))


def plain(word: str) -> str:
    """A word without the punctuation around it, in small letters."""
    return _bare(word).lower()


def _bare(word: str) -> str:
    return word.strip("".join(mark for mark in set(word) if not mark.isalnum()))


def _last_word(text: str, options: LastWordParser) -> Outcome:
    words = text.split()
    if not words:
        return UNPARSED
    if options.exact:
        return Outcome(options.words[words[-1]]) if words[-1] in options.words else UNPARSED
    meaning = {plain(word): means for word, means in options.words.items()}.get(plain(words[-1]))
    return Outcome(meaning) if meaning else UNPARSED


def stated_last(text: str, words: Mapping[str, Preferred], names: Names) -> Outcome | None:
    """What is stated last; nothing where the answer concludes with something else."""
    meanings = {plain(word): means for word, means in words.items()}
    values = stated(text, "|".join(map(re.escape, meanings)), "|".join(map(_in_a_sentence, words)))
    last = Outcome(meanings[values[-1].lower()]) if values else None
    conclusion = concluded(text, names)
    if last and conclusion and last != conclusion:
        return None
    return last or conclusion


def _in_a_sentence(word: str) -> str:
    """A single letter counts in its own case only: `a` is an article."""
    bare = _bare(word)
    return rf"(?-i:{re.escape(bare)})" if len(bare) == 1 else re.escape(bare)
