"""What stands on the pages of a PDF that Chromium printed: its letters, and nothing of their looks."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass

OBJECT = re.compile(rb"(?:^|\n)(\d+) 0 obj\n(.*?)\nendobj", re.DOTALL)
STREAM = re.compile(rb"stream\r?\n(.*)\r?\nendstream", re.DOTALL)
SHOWN = re.compile(rb"/(F\d+) [\d.]+ Tf|((?:<[0-9A-Fa-f]*>|\[[^\]]*\]) ?T[jJ])")
PAIR = re.compile(r"<(\w+)> <(\w+)>\n")
RANGE = re.compile(r"<(\w+)> <(\w+)> <(\w+)>\n")


@dataclass(frozen=True)
class PdfPage:
    """One sheet."""

    width: float
    height: float
    text: str
    """In the order in which it was drawn, without spaces."""
    drawn: bytes
    """All drawing, as the file has it."""


class Pdf:
    """A file as Skia writes it: each object in the open, streams deflated, fonts with a map to Unicode."""

    def __init__(self, data: bytes) -> None:
        self.objects = {int(number): body for number, body in OBJECT.findall(data)}
        self.pages = [self._page(body) for body in self.objects.values() if re.search(rb"/Type /Page\b", body)]

    def _page(self, body: bytes) -> PdfPage:
        box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", body)
        contents = re.search(rb"/Contents (\d+) 0 R", body)
        assert box and contents
        fonts = {name: self._letters(int(number)) for name, number in re.findall(rb"/(F\d+) (\d+) 0 R", body)}
        drawn = self._stream(int(contents[1]))
        return PdfPage(float(box[1]), float(box[2]), "".join(text_of(drawn, fonts)).replace(" ", ""), drawn)

    def _stream(self, number: int) -> bytes:
        found = STREAM.search(self.objects[number])
        assert found
        return zlib.decompress(found[1])

    def _letters(self, font: int) -> dict[int, str]:
        """By glyph, of a font."""
        found = re.search(rb"/ToUnicode (\d+) 0 R", self.objects[font])
        table = self._stream(int(found[1])).decode() if found else ""
        known: dict[int, str] = {}
        for part in re.findall(r"beginbfchar\n(.*?)endbfchar", table, re.DOTALL):
            known |= {int(glyph, 16): letter(code) for glyph, code in PAIR.findall(part)}
        for part in re.findall(r"beginbfrange\n(.*?)endbfrange", table, re.DOTALL):
            for first, last, code in RANGE.findall(part):
                glyphs = range(int(first, 16), int(last, 16) + 1)
                known |= {glyph: chr(int(code, 16) + step) for step, glyph in enumerate(glyphs)}
        return known


def letter(code: str) -> str:
    return bytes.fromhex(code).decode("utf-16-be")


def text_of(drawn: bytes, fonts: dict[bytes, dict[int, str]]) -> list[str]:
    letters: dict[int, str] = {}
    found = []
    for font, shown in SHOWN.findall(drawn):
        if font:
            letters = fonts[font]
        for hexadecimal in re.findall(rb"<([0-9A-Fa-f]*)>", shown):
            glyphs = [int(hexadecimal[at : at + 4], 16) for at in range(0, len(hexadecimal), 4)]
            found.append("".join(letters.get(glyph, "") for glyph in glyphs))
    return found
