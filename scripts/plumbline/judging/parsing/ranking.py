"""Read a preference from the ranks that two names have in a list."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plumbline.config.parsers import RankingParser
from plumbline.data.verdicts import Said
from plumbline.judging.parsing.answers import UNPARSED, Readings, looked_at, readings
from plumbline.models.asking import Completion

MAPPING = re.compile(r"\{[^{}]{0,200}\}")
PAIR = re.compile(
    r"""(?P<q>['"])(?P<key>\w{1,40})(?P=q)\s{0,9}:\s{0,9}(?:(['"])(?P<text>[^'"]{0,80})\3|(?P<rank>\d{1,3}))"""
)
NUMBERED = re.compile(
    r"^[ \t*#]{0,20}(?P<rank>\d{1,3})[.):][ \t*\"'`]{0,20}(?P<name>\S{1,80}?)[ \t*\"'`.,:;]{0,20}$", re.M
)
WHOLE = re.compile(rf"\[\s{{0,60}}(?:{MAPPING.pattern}[\s,]{{0,60}}){{1,20}}\]")


def read(completion: Completion, parser: RankingParser) -> Readings:
    text = looked_at(completion.text)
    return readings(completion, _published(text, parser), _strictly(text, parser))


def _published(text: str, parser: RankingParser) -> Said:
    """AlpacaEval's `ranking_parser`: the rank of the first output's name, where it comes first in the list."""
    ranks = [rank for name, rank in _mappings(text, parser) if name == parser.first]
    if not WHOLE.fullmatch(text) or not ranks or ranks[0] not in (1, 2):
        return UNPARSED
    return Said("first" if ranks[0] == 1 else "second")


def _strictly(text: str, parser: RankingParser) -> Said | None:
    """Both ranks, each given once; equal ones are a tie."""
    found = set(_mappings(text, parser) or _lines(text))
    ranks = {name: {rank for other, rank in found if other == name} for name in (parser.first, parser.second)}
    if any(len(given) != 1 for given in ranks.values()):
        return None
    first, second = (ranks[name].pop() for name in (parser.first, parser.second))
    return Said("tie" if first == second else "first" if first < second else "second")


def _mappings(text: str, parser: RankingParser) -> list[tuple[str, int]]:
    """Each mapping's name and rank, in order; a mapping that names a key twice or lacks one says nothing."""
    found = []
    for mapping in MAPPING.findall(text):
        pairs = list(PAIR.finditer(mapping))
        names = [pair["text"] for pair in pairs if pair["key"] == parser.name and pair["text"] is not None]
        ranks = [pair["rank"] for pair in pairs if pair["key"] == parser.rank and pair["rank"] is not None]
        if len(names) == len(ranks) == 1:
            found.append((names[0], int(ranks[0])))
    return found


def _lines(text: str) -> Iterator[tuple[str, int]]:
    for line in NUMBERED.finditer(text):
        yield line["name"], int(line["rank"])
