"""Data of a page: whatever a text holds, it comes back as it was and never stands in a script."""

from __future__ import annotations

import base64
import gzip
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbline.records.errors import PlumblineError
from plumbline.records.page_data import parts_script, same_data, script, values_in

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
SIMPLE = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXTS
JSON = st.recursive(SIMPLE, lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner), max_leaves=20)


@given(JSON)
def test_what_is_packed_comes_back_as_it_was(value: object) -> None:
    assert values_in(script("tables/a/b", value)) == value


@given(st.dictionaries(TEXTS, SIMPLE | st.lists(SIMPLE) | st.dictionaries(TEXTS, SIMPLE)))
def test_parts_come_back_one_by_one_and_no_key_ends_a_script(values: dict[str, object]) -> None:
    made = parts_script("data/calls/b/m/0", values)
    assert values_in(made) == values
    assert b"<" not in made and made.isascii() and made.count(b"\n") == 1


def test_nothing_that_was_packed_stands_in_the_script() -> None:
    assert re.fullmatch(rb'plumbline\.take\("x","[A-Za-z0-9+/=]+"\);\n', script("x", "</script>\u2028<!--"))


@pytest.mark.parametrize("name", ['x");alert(1);("', "a b", "", "<x>"])
def test_a_name_that_would_be_code_is_refused(name: str) -> None:
    with pytest.raises(PlumblineError, match="cannot be called"):
        script(name, 1)


def test_a_half_of_a_letter_pair_breaks_nothing() -> None:
    assert values_in(script("x", "a\ud800b")) == "a?b"


def test_the_same_data_in_another_compression_is_the_same() -> None:
    other = base64.b64encode(gzip.compress(json.dumps([1, "a"]).encode(), 1)).decode()
    assert same_data(script("x", [1, "a"]), f'plumbline.take("x","{other}");\n'.encode())
    assert not same_data(script("x", [1, "a"]), script("x", [1, "b"]))
    assert not same_data(script("x", [1, "a"]), script("y", [1, "a"]))
    assert not same_data(b"const a = 1;", b"const a = 1;")
