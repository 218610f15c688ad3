"""Guidelines are read as Markdown and can do nothing but be read."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbline.people.guidelines import to_html

PIECES = st.sampled_from(
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "![a](http://evil.example/x.png)",
        "[a](javascript:alert(1))",
        "[a](http://example.org)",
        "<http://example.org>",
        "[a]: javascript:alert(1)",
        "[a]",
        "`<b>`",
        "**",
        "\n\n",
        "    ",
        "| a | b |\n|---|--:|\n",
        "\x00",
        '"onmouseover="x',
        "# ",
        "- ",
    ]
)


def test_headings_lists_tables_and_links_are_there() -> None:
    html = to_html('# Rate\n\n- one\n\n| a |\n|---|\n| b |\n\n[more](https://example.org "t")\n\n1. *x*')
    assert all(f"<{tag}>" in html for tag in ("h1", "ul", "ol", "table", "em"))
    assert 'href="https://example.org"' in html and 'rel="noreferrer noopener"' in html and 'target="_blank"' in html


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:x",
        "data:text/html,x",
        "queue",
        "//evil.example/x",
        "file:///etc/passwd",
        "#main",
    ],
)
def test_a_link_that_leads_to_no_page_of_the_web_stays_text(url: str) -> None:
    assert "<a" not in to_html(f"[a]({url}) <{url}>")


def test_a_column_is_aligned_without_a_style_that_the_page_would_refuse() -> None:
    html = to_html("| a | b |\n|:--|--:|\n| 1 | 2 |")
    assert '<td align="left">1</td>' in html and '<th align="right">b</th>' in html and "style" not in html


def test_of_a_picture_only_the_description_is_left() -> None:
    html = to_html("![a <b> chart](https://example.org/x.png)")
    assert html == "<p>a &lt;b&gt; chart</p>\n"


@given(st.lists(PIECES | st.text(max_size=10), max_size=12).map("".join))
def test_whatever_is_written_only_harmless_elements_and_attributes_come_out(markdown: str) -> None:
    html = to_html(markdown)
    for tag in re.findall(r"<[^>]*>", html):
        named = re.fullmatch(r'</?([a-z0-9]+)((?: [a-z]+="[^"<>]*")*) ?/?>', tag)
        assert named, tag
        assert named[1] not in ("script", "img", "iframe", "align", "object", "form", "input", "link", "base"), tag
        assert set(re.findall(r" ([a-z]+)=", re.sub(r'"[^"]*"', "", named[2]))) <= {
            "href",
            "rel",
            "target",
            "title",
            "class",
            "start",
            "align",
        }, tag
        for target in re.findall(r'href="([^"]*)"', tag):
            assert target.startswith(("http://", "https://", "mailto:")), tag
