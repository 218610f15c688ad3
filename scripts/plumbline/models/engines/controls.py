"""Control tokens spelt out inside a message stay text, so that a judged text cannot end its turn.

transformers does the same from 5.23 on (`sanitize_control_tokens`). vLLM still wants an older one, and all engines
must read a prompt alike; so it is done here, by the same rule, for either.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from jinja2 import Environment, TemplateSyntaxError, nodes

Ids = tuple[int, ...]

BEGIN, END = "\ufdd0", "\ufdd1"
"""They stand around a control token that a message spells out; Unicode reserves them for such inner uses."""
RESERVED = {ord(BEGIN): "\ufffd", ord(END): "\ufffd"}


class Controls:
    """A tokenizer's control tokens, as its chat template uses them."""

    def __init__(self, tokenizer: Any, template: str) -> None:
        self.tokenizer = tokenizer
        longest_first = sorted(control_tokens(tokenizer, template), key=len, reverse=True)
        spelt = "|".join(map(re.escape, longest_first)) or "(?!)"
        self._spelt = re.compile(spelt)
        self._marks = re.compile(f"{BEGIN}({spelt}){END}|[{BEGIN}{END}]")

    def mark(self, text: str) -> str:
        """A message in which every spelt control token can be told from those that the template will write."""
        return self._spelt.sub(rf"{BEGIN}\g<0>{END}", text.translate(RESERVED))

    def encode(self, chat: str) -> Ids:
        """Token ids of a filled template. Split at the marks, every second piece is a token to be read as text."""
        first, *others = self._marks.split(chat)
        ids = self._as_written(first)
        for number, piece in enumerate(others):
            if piece:
                ids += after_newline(piece, self._as_text if number % 2 == 0 else self._as_written)
        return ids

    def _as_written(self, text: str) -> Ids:
        return tuple(self.tokenizer.encode(text, add_special_tokens=False))

    def _as_text(self, text: str) -> Ids:
        """Through the tokenizer's steps but the one that looks for whole tokens."""
        backend = self.tokenizer.backend_tokenizer
        if backend.normalizer is not None:
            text = backend.normalizer.normalize_str(text)
        splits = backend.pre_tokenizer.pre_tokenize_str(text) if backend.pre_tokenizer else [(text, None)]
        return tuple(token.id for split, _ in splits for token in backend.model.tokenize(split))


def after_newline(text: str, encode: Callable[[str], Ids]) -> Ids:
    """Encoded after a newline, which is taken off again.

    Some tokenizers put a space before a text that stands alone, and inside a chat it does not.
    """
    newline, ids = encode("\n"), encode("\n" + text)
    return ids[len(newline) :] if ids[: len(newline)] == newline else encode(text)


def control_tokens(tokenizer: Any, template: str) -> Iterator[str]:
    """The special tokens, and others that the template writes; but not bare whitespace, which is ordinary text."""
    written = "\0".join(literals(template))
    for token in tokenizer.added_tokens_decoder.values():
        if token.special or (token.content in written and not token.content.isspace()):
            yield token.content


def literals(template: str) -> Iterator[str]:
    """What a template writes by itself: its bare text and the strings in its code."""
    try:
        tree = Environment(extensions=["jinja2.ext.loopcontrols", "jinja2.ext.do"]).parse(template)
    except TemplateSyntaxError:  # an extension that only transformers knows: the whole of it, to be safe
        yield template
        return
    yield from (node.data for node in tree.find_all(nodes.TemplateData))
    yield from (node.value for node in tree.find_all(nodes.Const) if isinstance(node.value, str))
