"""Read a preference from the last word of the last line (HREF's released code), and strictly where it is stated."""

from __future__ import annotations

import re

from plumbline.config.parsers import LastWordParser, Names
from plumbline.data.verdicts import Said
from plumbline.judging.parsing.answers import UNPARSED, Readings, looked_at, readings
from plumbline.judging.parsing.patterns import concluded
from plumbline.judging.parsing.statements import stated
from plumbline.models.asking import Completion


def read(completion: Completion, parser: LastWordParser, names: Names) -> Readings:
    text = looked_at(completion.text)
    return readings(completion, _last_word(text, parser), _strictly(text, parser, names))


def plain(word: str) -> str:
    """A word without the punctuation around it, in small letters."""
    return _bare(word).lower()


def _bare(word: str) -> str:
    return word.strip("".join(mark for mark in set(word) if not mark.isalnum()))


def _last_word(text: str, parser: LastWordParser) -> Said:
    words = text.split()
    if not words:
        return UNPARSED
    if parser.exact:
        return Said(parser.words[words[-1]]) if words[-1] in parser.words else UNPARSED
    meaning = {plain(word): means for word, means in parser.words.items()}.get(plain(words[-1]))
    return Said(meaning) if meaning else UNPARSED


def _strictly(text: str, parser: LastWordParser, names: Names) -> Said | None:
    """What is stated last; nothing where the answer concludes with something else."""
    meanings = {plain(word): means for word, means in parser.words.items()}
    values = stated(text, "|".join(map(re.escape, meanings)), "|".join(map(_in_a_sentence, parser.words)))
    said = Said(meanings[values[-1].lower()]) if values else None
    conclusion = concluded(text, names)
    if said and conclusion and said != conclusion:
        return None
    return said or conclusion


def _in_a_sentence(word: str) -> str:
    """A single letter counts in its own case only: `a` is an article."""
    bare = _bare(word)
    return rf"(?-i:{re.escape(bare)})" if len(bare) == 1 else re.escape(bare)
