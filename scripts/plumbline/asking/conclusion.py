"""What an answer says in the end: one set of rules for every model and every way of asking.

An output is named the winner where the answer calls it better, chooses it, or is nothing but its name. A statement
counts for less where it holds under a condition or in one respect, and not at all where it is negated, asked or
reported of somebody else. The last plain statement is the conclusion. What follows a verdict and begins another task
or another speaker's turn is not read. To praise an output, without calling it better, is no verdict.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Conclusion = Literal["first", "second", "tie", "none"]
NEARBY = 200
"""Characters beside a name that may qualify it. A bound, so that the time is linear in the length of the answer."""

MARKS = r"[ \t*\"'“”‘’`_]*"
IS = (
    r"(?:is|was|remains|(?:seems|appears)(?: to be)?|(?:stands|comes) out as|emerges as"
    r"|(?:can|could|should|would|must|may|might) be(?: (?:considered|seen|regarded|judged|chosen))?|to be|as)"
)
FILLERS = (
    r"(?:(?:still|also|clearly|therefore|thus|definitely|slightly|marginally|much|far|overall|generally|actually|indeed"
    r"|arguably|considered|deemed|the|a|an|as|one|that|is) )*(?:(?!not |no |neither )\w+ )?"
)
BETTER = r"(?:better|best|preferable|preferred|superior)\b"

CALLED_BETTER = re.compile(
    rf"{MARKS}(?:, ?(?:however|therefore|overall), ?)?(?:{IS} {FILLERS}|the ){BETTER}"
    rf"|[^.(\n]{{0,120}}? and (?:is|is therefore|therefore is) {BETTER}(?=[.,;]|$)",
    re.I,
)
"""Right after a name."""
CHOSEN = re.compile(
    r"(?:\b(?:choose|chose|select|prefer|pick|opt for|go with|vote for|recommend)(?: (?!n?either |between )\w+){0,2}"
    r"|\b(?:better|best|preferred)(?: \w+){0,5} (?:is|would be):?"
    rf"|\bmy (?:choice|answer|decision|verdict)(?: is|:)){MARKS}$",
    re.I,
)
"""Right before a name."""
CONCLUDES = re.compile(rf"\b(?:therefore|thus|hence|overall|in conclusion),?{MARKS}$", re.I)
"""Right before a name with which the answer ends: it is cut inside its conclusion."""
SENTENCE_END = re.compile(r"\n|[.!?:;]['\"”)*]*\s")
NEW_TASK = re.compile(
    r"^(?:#+ ?(?:instruction|input|question|task|example)\b"
    r"|[^\w\n]*(?:instruction|input|question|task|example|user|human|system|assistant)\W?:)",
    re.I | re.M,
)
CONCLUDING = re.compile(
    r"^\W*(?:therefore|thus|hence|so|overall|consequently|finally|in (?:conclusion|summary|the end|this case)"
    r"|(?:based on|considering|given)\b)",
    re.I,
)
UNSAID = re.compile(
    r"(?:\b(?:n?either|n?or|whether|if|which of)"
    r"|(?:\b(?:cannot|can not|could not|not|unable to|hard to|difficult to)|n['’]t)"
    r"(?: (?:\w+ )?(?:say|claim|conclude|determine|decide|tell|state|think|believe|agree|mean|clear|certain|sure))?"
    r"(?: (?:that|if|whether))?(?: either)?"
    r"|\bor \W*therefore,?)[ \t*\"'“‘(]*$",
    re.I,
)
"""Right before a statement: what takes it back, asks it, or offers it as one of two."""
REPORTED = re.compile(
    r"\b(?:argue[sd]|claim(?:s|ed)|believe[sd]|thinks|thought|state[sd]|suggest(?:s|ed)|says|said|evaluate[sd]"
    r"|assert(?:s|ed)|contends|concludes|maintains|feels|they (?:find|consider|deem))(?: that)?\W*$"
    r"|(?:['’]s|\btheir) (?:\w+ )?(?:opinion|evaluation|argument|claim|view|assessment|conclusion)(?: is)? that\W*$",
    re.I,
)
AGREED = re.compile(r"\bI (?:\w+ )?agree\b", re.I)
LIMITED_BEFORE = re.compile(r"^\W*(?:if|when|in terms of|regarding|as for|with regard to|from the perspective)\b", re.I)
LIMITED_AFTER = re.compile(r"^,? ?(?:if|when|in terms of|in that|suited|for \w+ing)\b", re.I)
OFFERED = re.compile(r"^\W* or \W", re.I)
LIMITED_WITHIN = re.compile(r"\b(?:may|might|could)\b", re.I)


@dataclass(frozen=True)
class Clause:
    """What an answer says in one place, and whether it says so without reservation."""

    at: int
    says: Conclusion
    plain: bool


@dataclass(frozen=True)
class NamePatterns:
    """How two outputs with given names are named, named alone, or put on a level."""

    first: str
    name: re.Pattern[str]
    alone: re.Pattern[str]
    level: re.Pattern[str]

    @classmethod
    @lru_cache(maxsize=16)
    def of(cls, first: str, second: str) -> NamePatterns:
        either = "|".join(r"\s+".join(map(re.escape, name.split())) for name in (first, second))
        name = rf"(?P<name>{either})(?!\w)"
        both = rf"(?:(?:the )?(?:two )?outputs|(?:{either}) and (?:{either}))"
        neither = rf"(?:output|of (?:them|the (?:two )?outputs)|(?:{either}) n?or (?:{either}))"
        level = rf"{both}(?: \w+){{0,2}} (?:are|can be considered)(?: \w+)? (?:equal(?:ly (?:good|valid))?|tied)\b"
        return cls(
            _plain(first),
            re.compile(name, re.I),
            re.compile(
                rf"^(?P<heading>#*){MARKS}{name}[ \t*\"'“”‘’`_.!)]*(?:$|[^\w\s,:;'’…/=]|because\b|since\b)", re.I | re.M
            ),
            re.compile(rf"\bneither {neither}(?: \w+){{1,4}}? {BETTER}|\b{level}|\bit is a tie\b", re.I),
        )

    def named(self, match: re.Match[str]) -> Conclusion:
        return "first" if _plain(match["name"]) == self.first else "second"


def conclusion(text: str, first: str, second: str) -> Conclusion:
    """Which of the outputs with these names the answer concludes with, if any."""
    clauses = sorted(statements(text, NamePatterns.of(first, second)), key=lambda statement: statement.at)
    plain = _before_a_new_task(text, [statement for statement in clauses if statement.plain])
    if plain:
        return plain[-1].says
    for kind in ({"first", "second"}, {"tie"}):
        conclusions = {statement.says for statement in clauses if statement.says in kind}
        if conclusions:
            return conclusions.pop() if len(conclusions) == 1 else "none"
    return "none"


def statements(text: str, expressions: NamePatterns) -> Iterator[Clause]:
    """All that an answer says of which output is better."""
    yield from _winners(text, expressions)
    yield from _names_alone(text, expressions)
    yield from _ties(text, expressions)


def _winners(text: str, expressions: NamePatterns) -> Iterator[Clause]:
    for match in expressions.name.finditer(text):
        before, after = _sentence_before(text, match.start()), text[match.end() : match.end() + NEARBY]
        better, chosen = CALLED_BETTER.match(after), CHOSEN.search(before)
        if better or chosen or (CONCLUDES.search(before) and not text[match.end() :].strip(" *\"'")):
            reason, rest = better[0] if better else "", after[better.end() :] if better else after
            before = before[: chosen.start()] if chosen else before
            if not _unsaid(before, rest):
                limited = LIMITED_BEFORE.search(before) or LIMITED_AFTER.search(rest) or LIMITED_WITHIN.search(reason)
                yield Clause(match.start(), expressions.named(match), not limited)


def _unsaid(before: str, after: str) -> bool:
    """Whether the sentence around a statement takes it back, asks it, or reports it of somebody else."""
    reported = REPORTED.search(before) and not AGREED.search(before)
    return bool(reported or UNSAID.search(before) or OFFERED.search(after))


def _names_alone(text: str, expressions: NamePatterns) -> Iterator[Clause]:
    """Lines that are nothing but a name; both names so are a list, and a heading is one only without what it heads."""
    end = len(text.rstrip())
    lines = [line for line in expressions.alone.finditer(text) if not line["heading"] or line.end() >= end]
    if len({expressions.named(line) for line in lines}) == 1:
        yield from (Clause(line.start(), expressions.named(line), True) for line in lines)


def _ties(text: str, expressions: NamePatterns) -> Iterator[Clause]:
    """Neither is better, or both are as good: said as a conclusion, or as the last thing where nothing else is said."""
    for match in expressions.level.finditer(text):
        after = text[match.end() : match.end() + NEARBY]
        if not LIMITED_AFTER.search(after):
            concluding = bool(CONCLUDING.search(_sentence_before(text, match.start())))
            last = match.end() + NEARBY > len(text) and not SENTENCE_END.search(after.rstrip())
            if concluding or last:
                yield Clause(match.start(), "tie", concluding)


def _sentence_before(text: str, at: int) -> str:
    """What stands before a place in its own sentence."""
    near = text[max(0, at - NEARBY) : at]
    stops = [end.end() for end in SENTENCE_END.finditer(near)]
    return near[stops[-1] :] if stops else near


def _before_a_new_task(text: str, plain: Sequence[Clause]) -> Sequence[Clause]:
    """Statements up to where the answer, its verdict given, goes on with another task of its own making."""
    begins = NEW_TASK.search(text, plain[0].at) if plain else None
    return [statement for statement in plain if not begins or statement.at < begins.start()]


def _plain(name: str) -> str:
    return " ".join(name.split()).lower()
