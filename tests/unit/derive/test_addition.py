"""BASE-9 and BASE-10: every worked solution is verified by Python's own arithmetic."""

from __future__ import annotations

import json
import re
import tarfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbline.derive.addition import Problem, is_correct, problems, rival_of, solution, written

DIGITS = st.text(alphabet="12345678", min_size=2, max_size=2)


@given(st.integers(0, 10**9), st.integers(2, 10))
def test_a_written_number_reads_back_as_itself(number: int, base: int) -> None:
    assert int(written(number, base), base) == number


@given(DIGITS, DIGITS, st.sampled_from([9, 10]))
def test_a_solution_is_correct_in_its_own_base_alone(left: str, right: str, base: int) -> None:
    problem = Problem(left, right)
    assert is_correct(solution(problem, base, base), problem, base)
    rival = solution(problem, rival_of(base), base)
    assert is_correct(rival, problem, rival_of(base))
    assert is_correct(rival, problem, base) == (problem.result(9) == problem.result(10))


def test_the_papers_example_comes_out_as_printed() -> None:
    """Appendix F.3: 75 + 48 is 134 in base 9, and 123 in base 10."""
    problem = Problem("75", "48")
    assert (problem.result(9), problem.result(10)) == ("134", "123")
    assert "5 + 8 = 14" in solution(problem, 9, 9)
    assert solution(problem, 10, 9).startswith("The ones: in base 9, 5 + 8 = 13.")


@pytest.mark.parametrize("broken", ["14", "\\boxed{134}"])
def test_a_solution_with_one_wrong_step_or_no_result_is_not_correct(broken: str) -> None:
    problem = Problem("75", "48")
    assert not is_correct(solution(problem, 9, 9).replace(broken, "1"), problem, 9)


def test_both_bases_are_asked_the_same_problems_and_each_problem_once() -> None:
    nine, ten = (list(problems(base, 2, 200, seed=7)) for base in (9, 10))
    assert nine == ten
    assert len(set(nine)) == 200


def test_a_larger_set_holds_the_smaller_one_of_the_same_seed() -> None:
    assert list(problems(9, 2, 300, seed=1))[:50] == list(problems(9, 2, 50, seed=1))


def test_all_two_digit_problems_whose_results_differ_are_those_an_enumeration_finds() -> None:
    numbers = [left + right for left in "12345678" for right in "012345678"]
    differing = 0
    for left in numbers:
        for right in numbers:
            in_nine = int(left, 9) + int(right, 9)
            differing += in_nine != int(str(int(left) + int(right)), 9) if "9" not in str(int(left) + int(right)) else 1
    assert len(list(problems(9, 2, 0, seed=1))) == differing == 3924


def test_the_arithmetic_agrees_with_every_label_of_llmbars_two_sets(mirror: Path) -> None:
    with tarfile.open(mirror / "llmbar-900616b.tar.xz") as tape:
        sets = {
            int(match[1]): json.loads(content.read())
            for member in tape
            if (match := re.search(r"Base_(\d+)/dataset.json$", member.name)) and (content := tape.extractfile(member))
        }
    assert {base: len(rows) for base, rows in sets.items()} == {9: 54, 10: 54}
    for base, rows in sets.items():
        for row in rows:
            asked = re.search(r"what is (\d+)\+(\d+)\?", row["input"])
            assert asked is not None
            better = re.search(r"boxed\{(\d+)\}", row[f"output_{row['label']}"])
            assert better is not None and better[1] == Problem(*asked.groups()).result(base)
