"""What people should know before they begin, from Markdown to HTML that can do nothing but be read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

SCHEMES = ("http", "https", "mailto")
"""Where links may lead; any other stays the text that it is."""


class Renderer(RendererHTML):
    """Links open elsewhere and say not where they were; of a picture only its description is left."""

    def link_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        tokens[idx].attrSet("rel", "noreferrer noopener")
        tokens[idx].attrSet("target", "_blank")
        return self.renderToken(tokens, idx, options, env)

    def image(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return escapeHtml(self.renderInlineAsText(tokens[idx].children or [], options, env))

    def _aligned(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """The page's policy forbids a style on an element."""
        style = str(tokens[idx].attrs.pop("style", ""))
        if style:
            tokens[idx].attrSet("align", style.removeprefix("text-align:"))
        return self.renderToken(tokens, idx, options, env)

    th_open = td_open = _aligned


def to_html(markdown: str) -> str:
    """HTML in it is text, too."""
    parser = MarkdownIt("commonmark", {"html": False}, renderer_cls=Renderer).enable("table")
    parser.validateLink = _may_be_followed  # type: ignore[method-assign]
    return str(parser.render(markdown))


def _may_be_followed(url: Any) -> bool:
    try:
        return urlsplit(str(url)).scheme.lower() in SCHEMES
    except ValueError:
        return False
