"""AlpacaFarm's way to read a preference: the one place in an answer where either of two patterns matches."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbline.asking.parser import read
from plumbline.asking.parsers.only_match import OnlyMatchParser
from plumbline.config.parsers import Names
from plumbline.models.asking import Completion
from plumbline.workflow.composing.resolved import Resolved

LINE, ANYWHERE, JSON = "line", "anywhere", "json"
MEANS = {1: "first", 2: "second"}
JUDGED = '"Output (a) is better than Output (b)": '

ANSWERS = [
    # an answer, what it states as published to each parser, and strictly
    ("Output (a)", {LINE: "first", ANYWHERE: "first"}, "first"),
    ("Output (b)", {LINE: "second", ANYWHERE: "second"}, "second"),
    (" Output (b)", {LINE: "second", ANYWHERE: "second"}, "second"),
    ("\n\n Output (a)\n", {LINE: "first", ANYWHERE: "first"}, "first"),
    ("  Output (a)", {LINE: "unparsed", ANYWHERE: "first"}, "first"),
    ("I choose Output (b).", {LINE: "unparsed", ANYWHERE: "second"}, "second"),
    ("Output (a) is better than Output (b).", {LINE: "first", ANYWHERE: "unparsed"}, "first"),
    ("Output (a)\nOutput (b)", {LINE: "unparsed", ANYWHERE: "unparsed"}, "unparsed"),
    ("Output (a) Output (b)", {LINE: "unparsed", ANYWHERE: "unparsed"}, "unparsed"),
    ("Output (b)\nOutput (b)", {LINE: "unparsed", ANYWHERE: "unparsed"}, "second"),
    ("output (a)", {LINE: "unparsed", ANYWHERE: "unparsed"}, "first"),
    ("Neither of them.", {LINE: "unparsed", ANYWHERE: "unparsed"}, "unparsed"),
    ("", {LINE: "unparsed", ANYWHERE: "unparsed"}, "unparsed"),
    ("{\n" + JUDGED + "true\n}", {JSON: "first"}, "first"),
    ("{\n" + JUDGED + "false\n}", {JSON: "second"}, "second"),
    ("Sure:\n{" + JUDGED + "true}", {JSON: "first"}, "first"),
    (JUDGED + "false", {JSON: "second"}, "unparsed"),
    ("{" + JUDGED + "true} and not {" + JUDGED + "false}", {JSON: "unparsed"}, "unparsed"),
    ('{"Concise explanation": "It is : true to (b).", ' + JUDGED + "false}", {JSON: "unparsed"}, "second"),
    ('{"Concise explanation": "Both say: truely so.", ' + JUDGED + "true}", {JSON: "unparsed"}, "first"),
    ("{" + JUDGED + '"true"}', {JSON: "unparsed"}, "first"),
    ("{" + JUDGED + "True}", {JSON: "unparsed"}, "unparsed"),
]


def parser_of(papers: Resolved, name: str) -> OnlyMatchParser:
    parser = papers.config.prompts["alpaca_farm"].parsers[name]
    assert isinstance(parser, OnlyMatchParser)
    return parser


def all_matches(text: str, patterns: Mapping[int, str]) -> list[int]:
    """All that an answer states, as AlpacaFarm collects it: again and again the earliest match in what is left."""
    stated = []
    while rows := [(match.start(), key, match.end()) for key, p in patterns.items() if (match := re.search(p, text))]:
        _, key, end = min(rows)
        stated.append(key)
        text = text[end:]
    return stated


def as_alpaca_farm_reads(text: str, parser: OnlyMatchParser) -> str:
    """Of one pair it takes an answer that states one preference, and no other."""
    stated = all_matches(text, {1: parser.first, 2: parser.second})
    return MEANS[stated[0]] if len(stated) == 1 else "unparsed"


@pytest.mark.parametrize(("text", "published", "strict"), ANSWERS, ids=[repr(text)[:40] for text, _, _ in ANSWERS])
def test_an_answer_states_what_alpaca_farm_takes_from_it_and_strictly_what_it_concludes_with(
    papers: Resolved, text: str, published: Mapping[str, str], strict: str
) -> None:
    for name, word in published.items():
        parser = parser_of(papers, name)
        result = read(Completion(text), parser, Names())
        assert (str(result.as_published), str(result.strict)) == (word, strict), name
        assert as_alpaca_farm_reads(text, parser) == word


PIECES = ["Output (a)", "Output (b)", " ", "\n", "  ", "is better than", ": true", ": false", "{", "}", '"x"', "."]


@given(text=st.lists(st.sampled_from(PIECES), max_size=8).map("".join), name=st.sampled_from([LINE, ANYWHERE, JSON]))
def test_whatever_is_put_together_is_read_as_alpaca_farm_reads_it(papers: Resolved, text: str, name: str) -> None:
    parser = parser_of(papers, name)
    assert str(read(Completion(text), parser, Names()).as_published) == as_alpaca_farm_reads(text, parser)


def test_an_answer_cut_off_before_it_states_anything_is_strictly_truncated(papers: Resolved) -> None:
    result = read(Completion('{"Concise explanation": "Both', "length"), parser_of(papers, JSON), Names())
    assert (str(result.as_published), str(result.strict)) == ("unparsed", "truncated")
