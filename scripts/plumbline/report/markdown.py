"""Text in Markdown."""

from __future__ import annotations


def plain(text: str) -> str:
    """One line of text that Markdown shows as it is."""
    line = " ".join(text.split())
    return "".join(f"\\{letter}" if letter in r"\`*_{}[]<>#|!" else letter for letter in line)
