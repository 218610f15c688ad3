"""Read a preference from an answer that is one word alone (HREF, appendix E), and strictly where it is stated."""

from __future__ import annotations

from dataclasses import dataclass

from plumbline.asking.answer_text.answers import UNPARSED, Readings, looked_at, readings
from plumbline.asking.parser import parser
from plumbline.asking.parsers.last_word import check_words, stated_last
from plumbline.config.parsers import Names, Parser, Preferred
from plumbline.data.verdicts import Outcome
from plumbline.models.asking import Completion


@dataclass(frozen=True)
class WholeAnswerParser(Parser):
    """A preference, as published an answer that is one of the words, in whatever case, without the space around it.

    HREF's appendix E describes its parsing so, with `{a: first, b: second, tie: second}` where the second output is the
    evaluated model's; its released code reads the last word. Strictly: as for `last_word`.
    """

    words: dict[str, Preferred]
    """The words that an answer may be and what each means, e.g. `{A: first, B: second, tie: tie}`."""


def check(options: WholeAnswerParser, where: str) -> None:
    check_words(options.words, options.kind, where)


@parser(options=WholeAnswerParser, gives="preference", check=check)
def whole_answer(completion: Completion, options: WholeAnswerParser, names: Names) -> Readings:
    text = looked_at(completion.text)
    meaning = {word.lower(): means for word, means in options.words.items()}.get(text.lower())
    return readings(completion, Outcome(meaning) if meaning else UNPARSED, stated_last(text, options.words, names))
