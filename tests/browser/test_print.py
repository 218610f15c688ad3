"""The report on paper: as a browser prints its pages, in either theme."""

from __future__ import annotations

import base64
import unicodedata
from pathlib import Path

import pytest
from reported import LONG, WIDE
from selenium.webdriver import Chrome
from workflow.project import Project

from browser.pdf import Pdf

ACROSS, UPRIGHT = (792, 612), (612, 792)
"""US Letter, in points: what Chromium prints on when nobody has chosen."""
MARGINS = {ACROSS: 10, UPRIGHT: 12}
"""In millimetres, as report.css has them."""
PAGES = {
    "index.html": UPRIGHT,
    "evil.html": UPRIGHT,
    "sets/evil_built/evil_set.html": UPRIGHT,
    "judges/evil/evil.html": UPRIGHT,
    "judges/evil.html": ACROSS,
    "disagreements/evil.html": ACROSS,
    "tables/evil/judges.html": ACROSS,
    "tables/evil/wide.html": ACROSS,
}
WIDE_PAGE = "tables/evil/wide.html"


@pytest.fixture
def report(hostile_run: Project) -> Path:
    return hostile_run.path("results/report")


def on_paper(browser: Chrome, sheet: tuple[int, int]) -> int:
    """Lay pages out as on paper; says how many of a screen's pixels a sheet is across."""
    width = int(sheet[0] / 72 * 96 - 2 * MARGINS[sheet] / 25.4 * 96)
    screen = {"width": width, "height": 700, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    return width


def as_on_a_screen(browser: Chrome, theme: str = "light") -> None:
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    features = [{"name": "prefers-color-scheme", "value": theme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": features})


def opened(browser: Chrome, path: Path) -> None:
    browser.get("about:blank")
    browser.get(path.as_uri())


def printed(browser: Chrome, path: Path, theme: str = "light") -> Pdf:
    as_on_a_screen(browser, theme)
    opened(browser, path)
    data = browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})["data"]
    return Pdf(base64.b64decode(data))


def plain(text: str) -> str:
    """Without ligatures and spaces."""
    return unicodedata.normalize("NFKC", text).replace(" ", "")


@pytest.mark.parametrize(("name", "sheet"), PAGES.items())
def test_nothing_is_wider_than_the_sheet_it_is_printed_on(
    browser: Chrome, report: Path, name: str, sheet: tuple[int, int]
) -> None:
    assert {(page.width, page.height) for page in printed(browser, report / name).pages} == {sheet}
    width = on_paper(browser, sheet)
    opened(browser, report / name)
    beyond = """
        return [...document.querySelectorAll("main *")]
            .filter((e) => e.getBoundingClientRect().right > arguments[0] + 1)
            .map((e) => e.outerHTML.slice(0, 200));
    """
    wide = browser.execute_script(beyond, width)
    assert not wide and browser.execute_script("return document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_printed_that_waits_for_a_click(browser: Chrome, report: Path, name: str) -> None:
    on_paper(browser, PAGES[name])
    opened(browser, report / name)
    controls = "nav, input, select, .choices, .hint, .close, .skip, button:not(thead button)"
    shown = "return [...document.querySelectorAll(arguments[0])].filter((e) => e.checkVisibility()).length"
    assert browser.execute_script(shown, controls) == 0


def test_a_long_table_goes_over_several_sheets_each_with_its_headings_and_no_number_is_lost(
    browser: Chrome, report: Path
) -> None:
    pages = printed(browser, report / WIDE_PAGE).pages
    with_rows = [page for page in pages if "Longerwins," in page.text]
    assert len(with_rows) > 1
    for page in with_rows:
        assert all(name in page.text for name in WIDE), "headings are repeated"
    text = plain("".join(page.text for page in pages))
    assert all(plain(name) in text for name in LONG)
    assert text.count("0.0") >= len(WIDE) * len(LONG)


def test_a_page_is_printed_alike_from_a_dark_screen(browser: Chrome, report: Path) -> None:
    for name in PAGES:
        light, dark = (printed(browser, report / name, theme).pages for theme in ("light", "dark"))
        assert [page.drawn for page in light] == [page.drawn for page in dark], name
    opened(browser, report / WIDE_PAGE)
    browser.execute_script("localStorage.setItem('plumbline-theme', 'dark')")
    try:
        assert [page.drawn for page in printed(browser, report / name).pages] == [page.drawn for page in light]
    finally:
        browser.execute_script("localStorage.clear()")


def test_links_are_seen_on_paper(browser: Chrome, report: Path) -> None:
    on_paper(browser, UPRIGHT)
    opened(browser, report / "index.html")
    style = "return getComputedStyle(document.querySelector('main a')).textDecorationLine"
    assert browser.execute_script(style) == "underline"


def test_what_is_folded_on_a_screen_is_printed_open(browser: Chrome, report: Path) -> None:
    text = plain("".join(page.text for page in printed(browser, report / "judges/evil/evil.html").pages))
    assert plain("The chain of files, nearest first") in text
