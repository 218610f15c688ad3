"""Pictures of the labelling pages are of one size, and taken again they are the same."""

from __future__ import annotations

from pathlib import Path

from browser.label_pictures import PHONE, PICTURES, take
from browser.picture import HEIGHT, WIDTH
from browser.test_picture import size


def test_each_page_has_a_picture_that_is_the_same_when_it_is_taken_again(tmp_path: Path) -> None:
    chosen = [picture for picture in PICTURES if picture.name in ("label_outputs", "label_phone")]
    wide, narrow = take(tmp_path, chosen)
    assert (size(wide), size(narrow)) == ((WIDTH, HEIGHT), (PHONE, HEIGHT))
    before = wide.read_bytes()
    assert take(tmp_path, chosen)[0].read_bytes() == before
