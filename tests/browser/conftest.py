"""What browser tests share: a browser for each module, and the report of one run whose every text is hostile."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from reported import hostile
from selenium.webdriver import Chrome
from workflow.project import Project

from browser.chrome import chrome


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    driver = chrome(tmp_path_factory.mktemp("profile"))
    yield driver
    driver.quit()


@pytest.fixture(scope="session")
def hostile_run(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Built by the real rules; tests only look at it."""
    made = Project.at(tmp_path_factory.mktemp("evil") / "plumbline")
    for name, text in hostile().items():
        made.write(name, text)
    made.build("experiment=evil", "all")
    return made


@pytest.fixture
def screen(browser: Chrome) -> Iterator[Chrome]:
    """A browser whose screen and theme a test may change."""
    yield browser
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    browser.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": False})
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
