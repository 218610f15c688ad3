"""Parts of a file: what is said of one protocol has a digest of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from plumbline.data.verdicts import Outcome, Verdict, write_verdicts
from plumbline.records.parts import digest_of_used, parts_by


def verdict(instance: str, protocol: str, word: str = "first") -> Verdict:
    outcome = Outcome(word)
    return Verdict(instance, protocol, "better", "plain", outcome, outcome, logprobs={"a": -0.5}, derived_from=("x/1",))


ROWS = [verdict(instance, protocol) for instance in ("one", "two") for protocol in ("swap", "vanilla")]


def parts(folder: Path, rows: list[Verdict]) -> dict[str, str]:
    write_verdicts(folder / "verdicts.parquet", rows)
    return parts_by(folder / "verdicts.parquet", "protocol")


def test_each_protocol_is_a_part_and_others_between_its_rows_do_not_change_it(tmp_path: Path) -> None:
    alone = [row for row in ROWS if row.protocol == "vanilla"]
    both = parts(tmp_path, ROWS)
    assert list(both) == ["swap", "vanilla"]
    assert parts(tmp_path, alone) == {"vanilla": both["vanilla"]}


@pytest.mark.parametrize(
    "rows",
    [
        [*ROWS[:-1], verdict("two", "vanilla", "second")],
        ROWS[:-1],
        [ROWS[3], ROWS[0], ROWS[2], ROWS[1]],
        [*ROWS, verdict("three", "vanilla")],
    ],
    ids=["another word", "one less", "another order", "one more"],
)
def test_a_part_changes_with_its_rows_and_their_order(tmp_path: Path, rows: list[Verdict]) -> None:
    was = parts(tmp_path, ROWS)
    now = parts(tmp_path, rows)
    assert now["vanilla"] != was["vanilla"]
    assert now["swap"] == was["swap"]


def test_what_is_used_of_a_file_is_the_same_in_any_order_and_whatever_else_is_there() -> None:
    assert digest_of_used({"a": "1", "b": "2", "c": "3"}, ["b", "a"]) == digest_of_used(
        {"b": "2", "a": "1"}, ["a", "b"]
    )
    assert digest_of_used({"a": "1"}, ["a"]) != digest_of_used({"a": "2"}, ["a"])
    assert digest_of_used({"a": "1"}, ["a"]) != digest_of_used({"a": "1"}, ["a", "b"])
