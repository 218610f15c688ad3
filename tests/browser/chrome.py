"""Headless Chromium from Debian's packages, driven by selenium. Where it is missing these tests fail, not skip."""

from __future__ import annotations

from pathlib import Path

from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

# A page whose parts were painted one after the other has other pixels at round corners than one painted at once.
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-proxy-server",
    "--disable-partial-raster",
    "--window-size=1280,900",
)


def chrome(profile: Path) -> Chrome:
    options = ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    return Chrome(options, Service("/usr/bin/chromedriver"))
