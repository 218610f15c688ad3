"""What an answer concludes with: each rule by an example, and texts that try to make reading slow or wrong."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbline.asking.answer_text.answers import LONGEST_READ
from plumbline.asking.conclusion import Conclusion, conclusion

A, B = "Output (a)", "Output (b)"


def concludes(text: str) -> Conclusion:
    return conclusion(text, A, B)


@pytest.mark.parametrize(
    "text",
    [
        "Output (b)",
        '**"Output (b)"**.',
        "output  (b)",
        "# Output (b)",
        "Output (b) (Note: Output (a) is not an opinion)",
        "Output (b) because it is shorter",
        "Output (b) \ud800\0\x1b[2J<script>",
        "Which is better, Output (a) or Output (b)?\nOutput (b)",
        "Output (b)\n\nExplanation:\n\nOutput (a) simply lists numbers.",
    ],
)
def test_a_line_that_is_nothing_but_a_name_is_a_verdict(text: str) -> None:
    assert concludes(text) == "second"


@pytest.mark.parametrize(
    "text",
    [
        "Output (a)\nOutput (b)",
        "Output (a): Yes\nOutput (b): No",
        "Output (a) - Yes\nOutput (b) - No",
        "# Output (a)\nOnce upon a time",
        "Output (a) is a list of books.",
        "Output (b) provides more detail than Output (a) and stands out for several reasons.",
        "Output (a), on the other hand, is short.",
    ],
)
def test_a_list_of_both_a_heading_and_praise_are_none(text: str) -> None:
    assert concludes(text) == "none"


@pytest.mark.parametrize(
    "text",
    [
        "Output (b) is better.",
        "Output (b) is slightly better because it is shorter.",
        "Output (b) seems to be a better fit.",
        "Output (b) stands out as the better output for several reasons.",
        "Output (b) can be considered the better choice.",
        "Output (b) is clearly superior.",
        "Therefore, Output (b) is closer to the instruction and is better.",
        "I would choose Output (b) as the better response.",
        "My answer is Output (b).",
        "The better output for the given instruction is Output (b).",
        "It is hard to say more.\n\nTherefore, Output (b)",
    ],
)
def test_to_call_an_output_better_or_to_choose_it_is_a_verdict(text: str) -> None:
    assert concludes(text) == "second"
    assert concludes(text.replace(B, A)) == "first"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Output (a) is better.\n\nOutput (a) asks nothing. Therefore, Output (b) is better.", "second"),
        ("Output (b) is better.\n\nOutput (a) is a good start, but too gen", "second"),
        ("Therefore, Output (b) is better.\n\nOverall, Output (a) gives a better explanation of", "second"),
        ("Both outputs are equally good.\n\nTherefore, Output (a) is better.", "first"),
        ("I cannot objectively determine which output is better. Therefore, Output (a) is better.", "first"),
    ],
)
def test_the_last_plain_statement_counts_and_the_opening_where_none_comes_later(text: str, word: str) -> None:
    assert concludes(text) == word


@pytest.mark.parametrize(
    "turn", ["User: And now?", "# Instruction\nAdd 1 and 2.", "Instruction: Add 1 and 2.", "## Question:\nWhy?"]
)
def test_what_an_answer_makes_up_after_its_verdict_is_not_read(turn: str) -> None:
    assert concludes(f"Output (b) is better.\n\n{turn}\n\nOutput (a) is better.") == "second"
    assert concludes(f"{turn}\n\nOutput (a) is better.") == "first"


@pytest.mark.parametrize(
    "text",
    [
        "Output (a) is not better because it is longer.",
        "I cannot claim that either Output (a) or Output (b) is better, as both are harmful.",
        "I cannot select either Output (a) or Output (b).",
        "I need to see whether Output (a) is better.",
        "If Output (a) is better, I shall say so.",
        "Assistant (a) argues that Output (a) is better because it is longer.",
        "## Evaluation given by Assistant (a), who thinks Output (a) is better:",
        "They find Output (b) to be better because it is short.",
        'Say "Therefore, Output (a) is better." or "Therefore, Output (b) is better."',
    ],
)
def test_what_is_negated_asked_or_reported_of_others_is_no_verdict(text: str) -> None:
    assert concludes(text) == "none"


def test_to_agree_with_what_is_reported_is_a_verdict() -> None:
    assert concludes("I agree with Assistant (b)'s evaluation that Output (b) is better.") == "second"
    assert concludes("The first argument does not hold, Output (b) is better.") == "second"


@pytest.mark.parametrize(
    "limited",
    [
        "Output (a) is better in terms of helpfulness, but it is wrong.",
        "In terms of length, Output (a) is better.",
        "Output (a) is better if the goal is to be quick.",
        "Output (a) might be better.",
    ],
)
def test_a_statement_with_a_limit_counts_only_where_no_other_does(limited: str) -> None:
    assert concludes(limited) == "first"
    assert concludes(f"Output (b) is better.\n\n{limited}") == "second"
    assert concludes(f"{limited} Output (b) is better if the goal is to be thorough.") == "none"


@pytest.mark.parametrize(
    "text",
    [
        "Therefore, neither output is better for the given instruction.",
        "Therefore, neither Output (a) nor Output (b) can be considered better.",
        "Therefore, both Output (a) and Output (b) are equally good and it doesn't matter which is chosen.",
        "Output (a) is short. Both outputs are equally good.",
        "Output (a) is better at first sight. Therefore, neither Output (a) nor Output (b) is better.",
    ],
)
def test_a_conclusion_that_puts_both_on_a_level_is_a_tie(text: str) -> None:
    assert concludes(text) == "tie"


@pytest.mark.parametrize(
    "text",
    [
        "Both outputs are equally good. I now compare the lengths. Output (a) and Output (b)",
        "Therefore, neither Output (a) nor Output (b) follows the instruction.",
        "Both outputs are equally good in terms of honesty.",
    ],
)
def test_what_is_said_on_the_way_or_in_one_respect_is_no_tie(text: str) -> None:
    assert concludes(text) == "none"


def test_the_names_are_those_of_the_prompts() -> None:
    assert conclusion("Response 2 is better.", "Response 1", "Response 2") == "second"
    assert conclusion("Response 12 is better.", "Response 1", "Response 2") == "none"
    assert conclusion("Output (a) is better.", "Response 1", "Response 2") == "none"


PIECES = [
    A,
    B,
    " is",
    " better",
    "therefore",
    ",",
    " ",
    "\n",
    "#",
    '"',
    "neither ",
    " nor ",
    " and is",
    "the ",
    "if ",
    ".",
]


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=4))
def test_reading_takes_linear_time(pieces: list[str]) -> None:
    unit = "".join(pieces)
    text = (unit * LONGEST_READ)[:LONGEST_READ]
    begun = time.perf_counter()
    concludes(text)
    assert time.perf_counter() - begun < 1.0


@given(st.lists(st.sampled_from([*PIECES, "not ", "I choose ", "because "]), max_size=12))
def test_exchanged_names_exchange_the_verdict(pieces: list[str]) -> None:
    text = "".join(pieces)
    exchanged = text.replace(A, "Output (c)").replace(B, A).replace("Output (c)", B)
    other = {"first": "second", "second": "first"}
    assert concludes(exchanged) == other.get(concludes(text), concludes(text))
