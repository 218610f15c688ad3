"""The README's picture is of any page, in both themes, and always of one size."""

from __future__ import annotations

import struct
from pathlib import Path

from browser.picture import HEIGHT, WIDTH, take

PAGE = """<!doctype html><style>:root {color-scheme: light dark} body {height: 5000px}</style><h1>Report</h1>"""


def size(picture: Path) -> tuple[int, int]:
    """Width and height, as a PNG's first chunk has them."""
    width, height = struct.unpack(">II", picture.read_bytes()[16:24])
    return width, height


def test_a_picture_is_taken_in_each_theme_and_taken_again_is_the_same(tmp_path: Path) -> None:
    page = tmp_path / "index.html"
    page.write_text(PAGE)
    light, dark = take(page, tmp_path)
    assert (light.name, dark.name) == ("report_light.png", "report_dark.png")
    assert size(light) == size(dark) == (WIDTH, HEIGHT)
    before = light.read_bytes()
    assert before != dark.read_bytes()
    assert take(page, tmp_path)[0].read_bytes() == before
