"""Read a preference from the ranks that two names have in a list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from plumbline.asking.answer_text.answers import UNPARSED, Readings, looked_at, readings
from plumbline.asking.parser import parser
from plumbline.config.parsers import Names, Parser
from plumbline.data.verdicts import Outcome
from plumbline.models.asking import Completion
from plumbline.records.errors import PlumblineError

MAPPING = re.compile(r"\{[^{}]{0,200}\}")
PAIR = re.compile(
    r"""(?P<q>['"])(?P<key>\w{1,40})(?P=q)\s{0,9}:\s{0,9}(?:(['"])(?P<text>[^'"]{0,80})\3|(?P<rank>\d{1,3}))"""
)
NUMBERED = re.compile(
    r"^[ \t*#]{0,20}(?P<rank>\d{1,3})[.):][ \t*\"'`]{0,20}(?P<name>\S{1,80}?)[ \t*\"'`.,:;]{0,20}$", re.M
)
WHOLE = re.compile(rf"\[\s{{0,60}}(?:{MAPPING.pattern}[\s,]{{0,60}}){{1,20}}\]")


@dataclass(frozen=True)
class RankingParser(Parser):
    """A preference, by the ranks of two names in a list of mappings, e.g. `{'model': 'model_1', 'rank': 1}`.

    As published (AlpacaEval) the answer must be nothing but that list, and the rank of `first`, 1 or 2, decides.
    Strictly the list may stand anywhere in the answer, or be numbered lines, must rank both, and equal ranks are a tie.
    """

    first: str = "model_1"
    """The name of the output shown first."""
    second: str = "model_2"
    """The name of the output shown second."""
    name: str = "model"
    """Key under which a mapping names an output."""
    rank: str = "rank"
    """Key under which it has the rank."""


def check(options: RankingParser, where: str) -> None:
    if options.first == options.second:
        raise PlumblineError("both outputs have the same name in a ranking", where=where, found=options.first)


@parser(options=RankingParser, gives="preference", check=check)
def ranking(completion: Completion, options: RankingParser, names: Names) -> Readings:
    text = looked_at(completion.text)
    return readings(completion, _published(text, options), _strictly(text, options))


def _published(text: str, options: RankingParser) -> Outcome:
    """AlpacaEval's `ranking_parser`: the rank of the first output's name, where it comes first in the list."""
    ranks = [rank for name, rank in _mappings(text, options) if name == options.first]
    if not WHOLE.fullmatch(text) or not ranks or ranks[0] not in (1, 2):
        return UNPARSED
    return Outcome("first" if ranks[0] == 1 else "second")


def _strictly(text: str, options: RankingParser) -> Outcome | None:
    """Both ranks, each given once; equal ones are a tie."""
    ranked = set(_mappings(text, options) or _lines(text))
    ranks = {name: {rank for other, rank in ranked if other == name} for name in (options.first, options.second)}
    if any(len(given) != 1 for given in ranks.values()):
        return None
    first, second = (ranks[name].pop() for name in (options.first, options.second))
    return Outcome("tie" if first == second else "first" if first < second else "second")


def _mappings(text: str, options: RankingParser) -> list[tuple[str, int]]:
    """Each mapping's name and rank, in order; a mapping that names a key twice or lacks one says nothing."""
    ranked = []
    for mapping in MAPPING.findall(text):
        pairs = list(PAIR.finditer(mapping))
        names = [pair["text"] for pair in pairs if pair["key"] == options.name and pair["text"] is not None]
        ranks = [pair["rank"] for pair in pairs if pair["key"] == options.rank and pair["rank"] is not None]
        if len(names) == len(ranks) == 1:
            ranked.append((names[0], int(ranks[0])))
    return ranked


def _lines(text: str) -> Iterator[tuple[str, int]]:
    for line in NUMBERED.finditer(text):
        yield line["name"], int(line["rank"])
