"""Text for a terminal. Model text is hostile: what could move a cursor or change a colour is shown as an escape."""

from __future__ import annotations

import unicodedata

WIDTH = 100
LONGEST = 4000


def plain(text: str) -> str:
    """One line, with every control character visible."""
    return "".join(_shown(letter) for letter in text.replace("\n", "⏎"))


def _shown(letter: str) -> str:
    if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp"):
        return f"\\x{ord(letter):02x}" if ord(letter) < 256 else f"\\u{ord(letter):04x}"
    return letter


def heading(text: str) -> None:
    print(f"\n── {plain(text)} " + "─" * max(0, WIDTH - len(text) - 4))


def block(title: str, text: str) -> None:
    """A text of several lines behind a bar; a very long one is shortened and says so."""
    print(f"  {title}:")
    shown = text if len(text) <= LONGEST else text[:LONGEST]
    for line in shown.split("\n"):
        print(f"  │ {plain(line)}")
    if len(text) > LONGEST:
        print(f"  … {len(text) - LONGEST} more characters")
