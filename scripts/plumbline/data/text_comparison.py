"""Judging texts by their surface: equal, nearly equal, labelled, quoted."""

from __future__ import annotations

import re
import unicodedata

LABEL = re.compile(
    r"^(?:(?:new|changed|generated|rewritten) )?(?:task|instruction|input|request)\s*:\s*", re.IGNORECASE
)
QUOTES = {'"': '"', "“": "”", "'": "'", "«": "»", "`": "`"}


def normalised(text: str) -> str:
    """What two texts that differ only in case, spacing, punctuation or Unicode form have in common."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.findall(r"\w+", folded)) or " ".join(folded.split())


def alike(first: str, second: str) -> float:
    """Share of letter triples two texts have in common, from 0 to 1 (Jaccard)."""
    one, other = _triples(normalised(first)), _triples(normalised(second))
    if not one or not other:
        return float(one == other)
    return len(one & other) / len(one | other)


def bare(text: str) -> str:
    """A text a model was asked for, without the label or quotation marks it may have put around it."""
    text = LABEL.sub("", text.strip())
    if len(text) > 1 and QUOTES.get(text[0]) == text[-1] and text[0] not in text[1:-1]:
        text = text[1:-1]
    return text.strip()


def _triples(text: str) -> set[str]:
    padded = f" {text} "
    return {padded[at : at + 3] for at in range(len(padded) - 2)} if text else set()
