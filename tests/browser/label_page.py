"""The labelling page as a person has it: what is seen, and what is pressed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import Chrome
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

CURRENT = ".ask.current"


class LabelPage:
    """A page that has been opened; the guidelines that a beginner sees first are closed."""

    def __init__(self, browser: Chrome, url: str, guidelines: bool = False) -> None:
        self.browser = browser
        browser.get("about:blank")
        browser.get(url)
        self.wait(lambda: self.shown("main") or self.shown("empty") or self.shown("error"))
        if guidelines:
            self.wait(lambda: self.shown("guidelines"))

    def wait(self, condition: Callable[[], Any]) -> None:
        """The page may draw itself anew while it is looked at."""
        patient = WebDriverWait(self.browser, 10, 0.02, [StaleElementReferenceException])
        patient.until(lambda _: condition())

    def press(self, *keys: str) -> None:
        ActionChains(self.browser).send_keys(*keys).perform()

    def click(self, selector: str) -> None:
        self.find(selector).click()

    def find(self, selector: str) -> Any:
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[Any]:
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def run(self, script: str, *words: Any) -> Any:
        return self.browser.execute_script(script, *words)

    def shown(self, name: str) -> bool:
        return bool(self.browser.find_element(By.ID, name).is_displayed())

    def text(self, name: str) -> str:
        return str(self.browser.find_element(By.ID, name).text)

    def value(self, name: str) -> str:
        return str(self.browser.find_element(By.ID, name).get_property("value"))

    def at_item(self, number: int) -> None:
        self.wait(lambda: self.text("place").startswith(f"Item {number} of "))

    def saved(self) -> None:
        self.wait(lambda: self.text("saved").startswith("saved"))

    def outputs(self) -> list[str]:
        return [str(one.text) for one in self.all(".output > .text")]

    def current(self) -> tuple[str, str]:
        """The current question, and whose it is."""
        box = self.find(CURRENT)
        card = box.find_elements(By.XPATH, "ancestor::section[@class and contains(@class, 'output')]")
        return str(box.find_element(By.TAG_NAME, "legend").text), str(
            card[0].get_attribute("aria-label")
        ) if card else ""

    def chosen(self) -> list[str]:
        """What is answered, in the order asked."""
        boxes = sorted(self.all(".ask"), key=lambda box: int(box.get_attribute("data-place")))
        pressed = [box.find_elements(By.CSS_SELECTOR, "button[aria-pressed='true']") for box in boxes]
        return [self.label(found[0]) if found else "" for found in pressed]

    def label(self, button: Any) -> str:
        """An answer without its keys and its meaning, or its only key."""
        spans = button.find_elements(By.TAG_NAME, "span") or button.find_elements(By.TAG_NAME, "kbd")
        return str(spans[0].text)

    def highlighted(self, name: str) -> list[str]:
        """The words that are marked so, with whose text they stand in."""
        return list(
            self.run(
                "const found = CSS.highlights.get(arguments[0]);"
                "return found ? [...found].map((one) => {"
                "  const card = one.startContainer.parentElement.closest('.output');"
                "  const text = one.startContainer.data.slice(one.startOffset, one.endOffset);"
                "  return `${card ? card.getAttribute('aria-label') : 'source'}: ${text}`; }) : []",
                name,
            )
        )
