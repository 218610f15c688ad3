"""The review page in a real browser, with real keys."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from plumbline.derive.review import apply_decisions, read_decisions
from plumbline.people.desk import Desk, read_queue
from plumbline.people.journal import Journal
from plumbline.people.review_server import ReviewServer
from review_queue import pair_of, write_queue
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

HOSTILE = "</textarea><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
PAIRS = [
    pair_of(
        "neighbor",
        "Calculate the surface area of a cube of side 4.",
        "96",
        "It is 6s² in general.",
        "first",
        "q#0",
    ),
    pair_of("gptinst", f"Say what this does: {HOSTILE}", HOSTILE, "Nothing.", "second", "q#1"),
    pair_of("gptout", "Make up a nickname for me.", "What do friends call you?", "Nick\r\nName.", "first", "q#2"),
    pair_of("manual", "Name a river.", "The Loire.", "The Alps.", "second", "q#3"),
]


@contextmanager
def serving(folder: Path, reviewer: str = "ann", blind: bool = False) -> Iterator[ReviewServer]:
    """A review of the pairs, as `plumbline review` opens it."""
    queue = write_queue(folder, PAIRS)
    with Journal(folder / f"{reviewer}.jsonl", reviewer) as journal:
        desk = Desk(read_queue(queue), journal, blind)
        with ReviewServer(desk) as server:
            thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
            thread.start()
            yield server
            server.shutdown()
            thread.join()


class Page:
    """What a person sees and presses."""

    def __init__(self, browser: Chrome, url: str) -> None:
        self.browser = browser
        browser.get("about:blank")
        browser.get(url)
        self.wait(lambda: self.shown("main") or self.shown("empty"))

    def wait(self, condition: Callable[[], Any]) -> None:
        WebDriverWait(self.browser, 5, poll_frequency=0.02).until(lambda _: condition())

    def press(self, *keys: str) -> None:
        self.browser.switch_to.active_element.send_keys(*keys)

    def shown(self, name: str) -> bool:
        return self.browser.find_element(By.ID, name).is_displayed()

    def text(self, name: str) -> str:
        return self.browser.find_element(By.ID, name).text

    def value(self, name: str) -> str:
        return str(self.browser.find_element(By.ID, name).get_property("value"))

    def better(self) -> list[str]:
        sides = self.browser.find_elements(By.CSS_SELECTOR, ".outputs .better")
        return [str(side.get_attribute("id")) for side in sides]

    def at_pair(self, number: int) -> None:
        self.wait(lambda: self.text("place") == f"Pair {number} of {len(PAIRS)}")

    def saved(self) -> None:
        self.wait(lambda: self.text("saved").startswith("saved"))


def decided(folder: Path, reviewer: str = "ann") -> list[tuple[str, str]]:
    review = apply_decisions(PAIRS, read_decisions([folder / f"{reviewer}.jsonl"]))
    return [(one.status, one.reason) for one in review.reviewed]


def test_a_queue_is_reviewed_with_the_keyboard_alone(browser: Chrome, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        page = Page(browser, server.url)
        page.at_pair(1)
        page.press("k")
        page.at_pair(2)
        assert page.better() == ["second-side"]
        page.press("s")
        page.wait(lambda: page.better() == ["first-side"])
        page.saved()
        page.press(Keys.ARROW_RIGHT)
        page.at_pair(3)
        page.press("d")
        page.wait(lambda: page.shown("discard-dialog"))
        page.press("the authors disagree", Keys.ENTER)
        page.at_pair(4)
        page.press("e")
        page.press(Keys.END, " Any one.")
        page.saved()
        page.press(Keys.ESCAPE)
        page.press("k")
        page.wait(lambda: "every pair is decided" in page.text("saved"))
        assert page.text("counts") == "4 of 4 decided (1 discarded, 1 edited, 1 kept, 1 swapped)"
    assert decided(tmp_path) == [
        ("kept", ""),
        ("swapped", ""),
        ("discarded", "the authors disagree"),
        ("edited", ""),
    ]
    edited = apply_decisions(PAIRS, read_decisions([tmp_path / "ann.jsonl"])).reviewed[3].pair
    assert edited.instance.instruction == "Name a river. Any one."


def test_letters_typed_into_a_field_are_text_and_no_commands(browser: Chrome, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        page = Page(browser, server.url)
        page.press("e")
        page.press(Keys.TAB)
        page.press("skdun?")
        page.saved()
        assert page.value("first") in ("96skdun?", "skdun?96")
        assert decided(tmp_path)[0][0] == "edited"


def test_an_edit_is_saved_before_the_next_pair_is_shown_and_can_be_taken_back(browser: Chrome, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        page = Page(browser, server.url)
        page.press("e")
        page.press("Please: ")
        page.press(Keys.ESCAPE)
        page.press(Keys.ARROW_RIGHT)
        page.at_pair(2)
        assert decided(tmp_path)[0] == ("edited", "")
        page.press(Keys.ARROW_LEFT)
        page.at_pair(1)
        assert "Please: " in page.value("instruction")
        page.press("u")
        page.wait(lambda: page.value("instruction") == PAIRS[0].instance.instruction)
        assert page.text("state") == "unreviewed"
    assert decided(tmp_path)[0] == ("unreviewed", "")


def test_a_pair_with_other_line_breaks_can_be_kept_unchanged(browser: Chrome, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        page = Page(browser, f"{server.url}#3")
        page.at_pair(3)
        assert page.value("second") == "Nick\nName."
        page.press("k")
        page.at_pair(4)
    assert decided(tmp_path)[2] == ("kept", "")


def test_a_review_goes_on_where_it_was_left(browser: Chrome, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        page = Page(browser, server.url)
        page.press("k")
        page.at_pair(2)
        page.press("d")
        page.wait(lambda: page.shown("discard-dialog"))
        page.press("1")
        page.at_pair(3)
    with serving(tmp_path) as server:
        page = Page(browser, server.url)
        page.at_pair(3)
        assert page.text("counts").startswith("2 of 4 decided")
        page.press(Keys.ARROW_LEFT)
        page.at_pair(2)
        assert page.text("state") == "discarded"
        assert page.text("reason-shown") == "no objective preference"


def test_hostile_text_is_shown_and_does_nothing(browser: Chrome, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        page = Page(browser, server.url)
        page.press(Keys.ARROW_RIGHT)
        page.at_pair(2)
        assert page.value("first") == HOSTILE
        assert browser.title == "Review · Plumbline"
        assert not browser.find_elements(By.TAG_NAME, "img")
        assert len(browser.find_elements(By.TAG_NAME, "script")) == 1


def test_the_help_names_the_keys_and_escape_closes_it(browser: Chrome, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        page = Page(browser, server.url)
        page.press("?")
        page.wait(lambda: page.shown("help"))
        assert "swap the label" in page.text("help")
        page.press("k")
        page.press(Keys.ESCAPE)
        page.wait(lambda: not page.shown("help"))
        assert decided(tmp_path)[0][0] == "unreviewed"


def test_an_empty_field_is_refused_in_words_and_nothing_is_written(browser: Chrome, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        page = Page(browser, server.url)
        page.press("e")
        page.press(Keys.CONTROL + "a" + Keys.NULL, Keys.DELETE)
        page.wait(lambda: "would be empty" in page.text("error"))
    assert decided(tmp_path)[0][0] == "unreviewed"


def test_the_second_pass_shows_no_label_and_keeps_choices_in_stored_order(browser: Chrome, tmp_path: Path) -> None:
    with serving(tmp_path, "bob", blind=True) as server:
        page = Page(browser, server.url)
        assert page.better() == [] and not page.shown("review-actions") and not page.shown("notes")
        answers = browser.execute_async_script(
            "const done = arguments[0];"
            "Promise.all([0, 1, 2, 3].map((n) => fetch(`pair/${n}`).then((r) => r.json()))).then(done)"
        )
        assert all(set(a["fields"]) == {"instruction", "first", "second"} and not a["subset"] for a in answers)
        assert "gold" not in json.dumps(answers)
        expected = []
        for number, pair in enumerate(PAIRS, start=1):
            page.at_pair(number)
            expected.append("first" if page.value("first") == pair.first else "second")
            page.press("1")
        page.wait(lambda: "every pair is decided" in page.text("saved"))
        page.press("0")
        page.saved()
    found = read_decisions([tmp_path / "bob.jsonl"])
    assert [decision.choice for decision in found[:4]] == expected
    assert found[-1].choice == "tie"
    assert len(set(expected)) == 2


def test_when_the_server_is_gone_the_page_says_that_nothing_was_saved(browser: Chrome, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        page = Page(browser, server.url)
    page.press("k")
    page.wait(lambda: "Not saved" in page.text("error"))
    page.at_pair(1)
