"""How a network reads what it scores: the format its authors describe, filled with texts and cut into tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from plumbline.models.asking import Message
from plumbline.models.engines.chat import Chat, speakable
from plumbline.models.engines.controls import Controls
from plumbline.models.scores import INSTRUCTION, OUTPUT, Scoring
from plumbline.records.errors import PlumblineError, nearest
from plumbline.records.files import read_bytes

SLOT = re.compile(r"\{(\w+)\}")
SENTENCES = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|\n+")
"""Between two sentences, where a text is shortened."""
END = "end"
Ids = tuple[int, ...]


@dataclass(frozen=True)
class Format:
    """What stands around the texts that are scored. `{instruction}`, `{output}` (of two outputs `{first}` and
    `{second}`), `{reference}`, `{premise}` or the name of a text of the protocol's `context` is replaced by that text.
    Control tokens that are written here are tokens; spelt out in a text they stay text."""

    text: str = ""
    """The whole input, or the first of two segments. Empty: the model's chat template, with the instruction as the
    user's turn and the output as the answer."""
    segment: str = ""
    """The second segment, of a network that reads two, as BERT's kind does."""

    one_line: bool = False
    """Whether line breaks in the texts become spaces."""
    file: str = ""
    """A file beside the weights that holds `text`, where it is a prompt that others wrote."""

    def with_text(self, folder: Path) -> Format:
        """The same with the text of its file, which lies in the folder of the weights."""
        if not self.file:
            return self
        path = folder / self.file
        if not path.is_file():
            raise PlumblineError(
                "the model's format stands in a file that is not there",
                where=str(path),
                do="write it as its authors did, with {instruction}, {output} … in place of texts",
            )
        return replace(self, text=read_bytes(path).decode("utf-8").removesuffix("\n"), file="")

    @property
    def slots(self) -> list[str]:
        return SLOT.findall(self.text + self.segment)


@dataclass(frozen=True)
class Input:
    """What a network reads of one request."""

    ids: Ids
    kinds: Ids
    """Of each token the segment that it belongs to."""
    cut: bool = False
    """Whether some of the texts is left out."""


@dataclass(frozen=True)
class Frame:
    """What a tokenizer puts around one text, or around and between two; and how it counts segments."""

    around: tuple[Ids, ...]
    kinds: tuple[Ids, ...]
    of_texts: Ids

    @classmethod
    def of(cls, tokenizer: Any, texts: int) -> Frame:
        """Found out by letting it encode short texts."""
        samples = ["a", "b"][:texts]
        whole = tokenizer(*samples, return_token_type_ids=True)
        ids, kinds = tuple(whole["input_ids"]), tuple(whole["token_type_ids"])
        around, kinds_around, of_texts, at = [], [], [], 0
        for sample in samples:
            inner = tuple(tokenizer.encode(sample, add_special_tokens=False))
            begin = next((start for start in range(at, len(ids)) if ids[start : start + len(inner)] == inner), None)
            if begin is None:
                raise PlumblineError(
                    "the tokenizer encodes a text otherwise among others than alone: nothing can be put around it",
                    where=str(tokenizer.name_or_path),
                    do="take a model whose tokenizer has a tokenizer.json",
                )
            around.append(ids[at:begin])
            kinds_around.append(kinds[at:begin])
            of_texts.append(kinds[begin])
            at = begin + len(inner)
        return cls((*around, ids[at:]), (*kinds_around, kinds[at:]), tuple(of_texts))

    @property
    def size(self) -> int:
        return sum(map(len, self.around))

    def put_around(self, segments: Sequence[Ids]) -> Input:
        """What a format writes itself at its two ends is not written twice."""
        first = () if _begins(segments[0], self.around[0]) else self.around[0]
        last = () if _ends(segments[-1], self.around[-1]) else self.around[-1]
        ids, kinds = [*first], [*self.kinds[0][: len(first)]]
        for number, segment in enumerate(segments):
            ids += segment
            kinds += [self.of_texts[number]] * len(segment)
            if number + 1 < len(segments):
                ids += self.around[number + 1]
                kinds += self.kinds[number + 1]
        return Input((*ids, *last), (*kinds, *self.kinds[-1][: len(last)]))


def _begins(ids: Ids, with_these: Ids) -> bool:
    return bool(with_these) and ids[: len(with_these)] == with_these


def _ends(ids: Ids, with_these: Ids) -> bool:
    return bool(with_these) and ids[-len(with_these) :] == with_these


@dataclass(frozen=True)
class FormatReader:
    """Texts to token ids, for one tokenizer."""

    tokenizer: Any
    format: Format
    longest: int
    """The most tokens of an input."""
    cut: str = ""
    """What is left out of one that is longer: nothing, its end, or sentences at the end of the text of this name."""

    def read(self, scoring: Scoring) -> Input | None:
        """What the network reads; nothing where it does not fit."""
        whole = self._input(scoring.texts)
        if len(whole.ids) <= self.longest:
            return whole
        if self.cut == END:
            return self._ended(scoring.texts)
        return self._shortened(scoring.texts) if self.cut else None

    def length(self, scoring: Scoring) -> int:
        """Tokens of all of it."""
        return len(self._input(scoring.texts).ids)

    def ended(self, ids: Ids, longest: int) -> Ids:
        """Of one framed segment so many tokens, what stands behind every text among them."""
        last = self._frame.around[-1]
        return ids if len(ids) <= longest else (*ids[: longest - len(last)], *last)

    def _input(self, texts: Mapping[str, str]) -> Input:
        if not self.format.text:
            ids = self._chat.conversation(turns_of(texts))
            return Input(ids, (0,) * len(ids))
        return self._frame.put_around(self._segments(texts))

    def _segments(self, texts: Mapping[str, str]) -> list[Ids]:
        parts = [self.format.text, self.format.segment] if self.format.segment else [self.format.text]
        return [self._controls.encode(self._filled(part, texts)) for part in parts]

    def _filled(self, part: str, texts: Mapping[str, str]) -> str:
        """A part of the format with its slots filled."""

        def text(slot: re.Match[str]) -> str:
            if slot[1] not in texts:
                raise PlumblineError(
                    f"the model's format shows {slot[0]}, which the protocol does not give",
                    where="format, in the model's file",
                    found=", ".join(f"{{{name}}}" for name in texts),
                    do=nearest(slot[1], texts) + "; a text of the context is named in the protocol's `context`",
                )
            shown = " ".join(texts[slot[1]].splitlines()) if self.format.one_line else texts[slot[1]]
            return self._controls.mark(speakable(shown))

        return SLOT.sub(text, part)

    def _ended(self, texts: Mapping[str, str]) -> Input:
        """Of two segments the longer one loses a token until both fit, as BERT's code does."""
        if not self.format.text:
            ids = self._input(texts).ids[: self.longest]
            return Input(ids, (0,) * len(ids), cut=True)
        segments = self._segments(texts)
        sizes = [len(segment) for segment in segments]
        for _ in range(sum(sizes) + self._frame.size - self.longest):
            sizes[max(range(len(sizes)), key=lambda number: (sizes[number], number))] -= 1
        framed = self._frame.put_around([segment[:size] for segment, size in zip(segments, sizes, strict=True)])
        return Input(framed.ids, framed.kinds, cut=True)

    def _shortened(self, texts: Mapping[str, str]) -> Input | None:
        """With as many sentences of one text as fit, from its beginning; the others stay whole."""
        if self.cut not in texts:
            return None
        for shorter in fewer_sentences(texts[self.cut]):
            read = self._input({**texts, self.cut: shorter})
            if len(read.ids) <= self.longest:
                return Input(read.ids, read.kinds, cut=True)
        return None

    @cached_property
    def _chat(self) -> Chat:
        chat = Chat(self.tokenizer)
        if chat.base:
            raise PlumblineError(
                "the model has no chat template to show it an instruction and an output in",
                where=str(self.tokenizer.name_or_path),
                do="write the input that its authors describe as `format.text` in the model's file, "
                'e.g. "{instruction} {output}"',
            )
        return chat

    @cached_property
    def _frame(self) -> Frame:
        return Frame.of(self.tokenizer, 2 if self.format.segment else 1)

    @cached_property
    def _controls(self) -> Controls:
        return Controls(self.tokenizer, self.format.text + self.format.segment)


def turns_of(texts: Mapping[str, str]) -> list[Message]:
    """The instruction, behind the texts of the protocol's context, as the user's turn; the output as the answer."""
    if OUTPUT not in texts:
        raise PlumblineError(
            "a chat template shows one output, and the protocol shows two",
            do="write the input that the model's authors describe as `format.text` in the model's file",
        )
    before = [text for name, text in texts.items() if name not in (INSTRUCTION, OUTPUT)]
    asked = "\n\n".join([*before, *([texts[INSTRUCTION]] if INSTRUCTION in texts else [])])
    return [Message("user", asked), Message("assistant", texts[OUTPUT])]


def fewer_sentences(text: str) -> Iterator[str]:
    """A text without its last sentence, its last two …, and in the end nothing."""
    ends = [match.start() for match in SENTENCES.finditer(text)]
    yield from (text[:end] for end in reversed(ends))
    yield ""
