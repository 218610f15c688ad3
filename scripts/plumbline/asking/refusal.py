"""What a refusal is: one definition for answers that judge and for texts that are written.

A text refuses where it opens by declining what it was asked for: on principle, for lack of an ability, or because it
comes from a model. To be undecided is none, nor to find two outputs equal, nor to regret and then answer; and what is
quoted or told of somebody else is not the text's own. Only English is read. `tests/unit/asking/refusals.jsonl` has a
hundred examples, labelled before these rules were written.
"""

from __future__ import annotations

import re

from plumbline.models.asking import Completion

WITHHELD = frozenset({"content_filter", "content management policy", "refusal"})
"""Why a completion ended that the provider kept back."""
OPENING = 300
"""Characters in which a refusal is looked for."""
SENTENCE_END = re.compile(r"(?<=[.!?])[\"”'*]*\s+|\n+")
LETTER = re.compile(r"\W*(?:dear|subject:)\s", re.I)
QUOTED = re.compile(r"\W*[\"“][^\"”]*[\"”][\s,]*\w")
"""A quotation of which something is said."""

MODEL = (
    r"(?:(?:large )?language model|a\.?i\.?\b|artificial intelligence)(?: (?:ai|language|model|assistant|system)\b)*"
)
AS_MODEL = rf"(?:(?:as|being) an? {MODEL},? |i(?:['’]m| am) (?:just |only )?an? {MODEL},? and )"
REGRET = (
    r"(?:(?:i(?:['’]m| am) )?(?:\w+ )?sorry\W+|i apologi[sz]e\W+|i regret (?:to say )?that "
    r"|(?:unfortunately|regrettably)\W+)(?:but )?"
)
LINK = r"[\W_]*(?:(?:however|therefore|hence|thus|so|but|and|answer:)\W+)?"
CANNOT = (
    r"(?:(?:i )?(?:really |simply )?(?:cannot|can['’]?t|can not|won['’]t|will not|am (?:unable|not able) to)"
    r"|i['’]m (?:unable|not able) to|i (?:refuse|decline) to)"
)
DECIDE = r"(?:decide|determine|find|say|see|tell|think|understand|judge (?:which|whether)|be (?:sure|certain))\b"
SERVE = (
    r"(?:access|answer|assist|browse|carry out|choose|comment|compare|complete|comply|condone|continue|create|discuss"
    r"|do|draw|encourage|endorse|engage|evaluate|fulfill?|generate|give(?! up)|help(?! but| \w+ing\b)|judge|open"
    r"|participate|pick|produce|promote|provide|rank|rate|recommend|respond|select|support|take part|write)\b"
)
SERVING = (
    r"(?:answer|assist|compar|choos|comment|discuss|evaluat|giv|help|judg|pick|provid|rank|rat|select|writ)\w*ing\b"
)
DECLINES = (
    rf"(?:{CANNOT} (?:in good (?:conscience|faith) |\w+ly |also )?{SERVE}"
    r"|i (?:must|have to) (?:respectfully )?decline\b|i(?:['’]m| am) going to have to (?:pass|decline)\b"
    rf"|i(?:['’]m| am| do) not (?:feel )?comfortable (?:with )?{SERVING}"
    rf"|it (?:is|would) not (?:be )?(?:appropriate|ethical|right) (?:for me )?to {SERVE}"
    r"|my (?:guidelines|polic(?:y|ies)|programming) (?:do(?:es)? not|don['’]t|doesn['’]t) (?:allow|permit|let) me\b"
    r"|i (?:do not|don['’]t) have (?:access|the ability)\b)"
)
REGRETS = rf"{REGRET}(?:(?<=but )no\b|(?:that['’]s something )?{CANNOT} (?!(?:\w+ly )?{DECIDE})\w+)"
LACKS = r"(?:(?:do not|don['’]t) (?:have|hold)|have no)\b"
AS_A_MODEL = rf"(?:{REGRET})?{AS_MODEL}(?:i )?(?:{CANNOT} (?!{DECIDE})\w+|{LACKS})"
REFUSES = re.compile(
    rf"{LINK}(?:(?:{REGRET})?{DECLINES}|{REGRETS}|{AS_A_MODEL})|[^\"“:]*?, (?:so|and|but|therefore),? {DECLINES}", re.I
)
"""At the beginning of a sentence."""

CHOOSES = re.compile(r"\b(?:choose|pick|select)\b", re.I)
EQUAL = re.compile(r"\b(?:equal(?:ly)?|identical|the same|tie)\b", re.I)
HERE_IT_IS = re.compile(r"\b(?:but|however),? here(?: is| are|['’]s)\b", re.I)
ONLY_DISCLAIMS = re.compile(rf"{LINK}{AS_MODEL}.*{LACKS}", re.I | re.S)
GOES_ON = re.compile(r"\b(?:but|however|still|nevertheless)\b", re.I)


def refused(completion: Completion) -> bool:
    """Whether a provider kept an answer back, or the answer declines."""
    return completion.finish in WITHHELD or is_refusal(completion.text)


def is_refusal(text: str) -> bool:
    """Whether a text opens by declining what it was asked for."""
    opening = text.strip()[:OPENING]
    if QUOTED.match(opening) or LETTER.match(opening) or HERE_IT_IS.search(opening):
        return False
    return any(_declines(sentence, opening) for sentence in SENTENCE_END.split(opening))


def _declines(sentence: str, opening: str) -> bool:
    """Whether a sentence declines, and neither calls both outputs equal nor goes on to answer all the same."""
    match = REFUSES.match(sentence)
    if not match:
        return False
    equal = CHOOSES.search(match[0]) and EQUAL.search(sentence)
    answers = ONLY_DISCLAIMS.match(match[0]) and GOES_ON.search(opening.partition(match[0])[2])
    return not (equal or answers)
