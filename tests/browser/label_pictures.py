"""Pictures of the pages for people: each kind of question, as a rater has it before them (`make picture`)."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from label_desk import GUIDELINES, ITEMS, RISUM, SUGGESTIONS, desk_of, serving
from PIL import Image
from plumbline.people.journal import DECISIONS, Journal
from plumbline.people.pairs_desk import PairsDesk, Queued
from review_queue import pair_of
from selenium.webdriver import Chrome

from browser.chrome import chrome
from browser.label_page import LabelPage
from browser.picture import HEIGHT, WIDTH, captured, on_screen

PHONE = 390
COLOURS = 64
SEED = 12
"""With it the first output is one that is worth its marks."""
UNDER_CONSTRUCTION = pair_of(
    "manual", "Name three rivers of France.", "The Loire, the Rhône and the Seine.", "The Loire.", "first", "rivers#0"
)


@dataclass(frozen=True)
class Picture:
    """One page."""

    name: str
    item: int = 0
    """Which of the items, counted from 1; 0 is the pair under construction."""
    theme: str = "light"
    width: int = WIDTH
    keys: str = ""
    """What is pressed before."""
    saved: str = ""
    """What the page says then of what was pressed."""


PICTURES = (
    Picture("label_pair", 1),
    Picture("label_strength", 2, "dark"),
    Picture("label_outputs", 3, keys="hy4", saved="saved"),
    Picture("label_checklist", 4, keys="y", saved="saved"),
    Picture("label_number", 5),
    Picture("label_guidelines", 1, keys="g"),
    Picture("label_phone", 3, "dark", PHONE, "h"),
    Picture("label_under_construction"),
)


def take(folder: Path, pictures: Sequence[Picture] = PICTURES) -> list[Path]:
    """Write `NAME.png` for each page."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as profile:
        browser = chrome(Path(profile))
        try:
            taken = {folder / f"{picture.name}.png": _taken(browser, picture) for picture in pictures}
        finally:
            browser.quit()
    for path, data in taken.items():
        path.write_bytes(data)
    return list(taken)


def _taken(browser: Chrome, picture: Picture) -> bytes:
    on_screen(browser, picture.theme, picture.width, HEIGHT)
    with _served(picture) as url:
        page = LabelPage(browser, f"{url}#{max(picture.item, 1)}")
        page.run("document.querySelectorAll('dialog[open]').forEach((one) => one.close())")
        for key in picture.keys:
            page.press(key)
        page.wait(lambda: page.text("saved") == picture.saved)
        return in_few_colours(captured(browser))


def in_few_colours(png: bytes) -> bytes:
    """A third of the size, and nobody sees it."""
    small = BytesIO()
    Image.open(BytesIO(png)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(
        small, "PNG", optimize=True
    )
    return small.getvalue()


@contextmanager
def _served(picture: Picture) -> Iterator[str]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        if picture.item:
            suggestions = {RISUM.id: SUGGESTIONS[RISUM.id]}
            opened = desk_of(
                folder, ITEMS, guidelines=GUIDELINES, suggestions=suggestions, title="Rivers of France", seed=SEED
            )
            with opened as desk, serving(desk) as server:
                yield server.urls["ann"]
        else:
            with Journal(folder / "ann.jsonl", "ann", DECISIONS) as journal:
                pairs = PairsDesk([Queued(UNDER_CONSTRUCTION, {"item": "rivers"})], journal, "Rivers of France")
                with serving(pairs) as server:
                    yield server.urls["ann"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the pictures go")
    for path in take(parser.parse_args().folder):
        print(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
