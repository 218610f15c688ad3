"""The picture of the README: a finished report's first page, in the light and in the dark theme (`make picture`)."""

from __future__ import annotations

import argparse
import sys
from base64 import b64decode
from pathlib import Path
from tempfile import TemporaryDirectory

from selenium.webdriver import Chrome

from browser.chrome import chrome

WIDTH, HEIGHT = 1200, 800
NARROW = 500
"""A screen that is less wide is a phone's."""
THEMES = ("light", "dark")


def screenshot(browser: Chrome, page: Path, theme: str) -> bytes:
    """The top of a page as PNG, at a size that does not depend on the machine's screen."""
    on_screen(browser, theme)
    browser.get(page.absolute().as_uri())
    return captured(browser)


def on_screen(browser: Chrome, theme: str, width: int = WIDTH, height: int = HEIGHT) -> None:
    """From now on the browser shows pages in this theme and on a screen of this size."""
    screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < NARROW}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    preferred = [{"name": "prefers-color-scheme", "value": theme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "screen", "features": preferred})
    browser.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})


def captured(browser: Chrome) -> bytes:
    return b64decode(browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"])


def take(page: Path, folder: Path) -> list[Path]:
    """Write `report_THEME.png` for each theme."""
    with TemporaryDirectory() as profile:
        browser = chrome(Path(profile))
        try:
            pictures = {folder / f"report_{theme}.png": screenshot(browser, page, theme) for theme in THEMES}
        finally:
            browser.quit()
    for path, data in pictures.items():
        path.write_bytes(data)
    return list(pictures)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", type=Path, help="e.g. results/report/index.html")
    parser.add_argument("folder", type=Path, help="where the pictures go")
    arguments = parser.parse_args()
    if not arguments.page.is_file():
        sys.exit(f"{arguments.page} is not there: build the demo's report first (make demo)")
    for path in take(arguments.page, arguments.folder):
        print(f"{path}: {path.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
