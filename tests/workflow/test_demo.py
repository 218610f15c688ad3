"""The demo, run whole from nothing: it gives the numbers that are kept in the repository, and it stays small."""

from __future__ import annotations

import csv
import io
import re

import pytest
from demo import EXPECTED, TABLE, allowed, cost, rows_of, verdicts
from plumbline.construct.finals import read_finals
from plumbline.measuring.cells import read_cells
from plumbline.models.noise import noise_of
from project import Project, Run

NOISE = noise_of("embedded", "auto")
MINUTES = 40
"""After which the demo counts as hanging: a loaded machine takes several times as long as a free one."""
SETS = {"base_9", "base_10", "constraint", "gptinst", "gptout", "negation", "neighbor", "normal"}
Key = tuple[str, str, str, str]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return Project.at(tmp_path_factory.mktemp("demo") / "plumbline")


@pytest.fixture(scope="module", autouse=True)
def run(demo: Project) -> Run:
    return demo.build("experiment=demo", seconds=60 * MINUTES)


def by_place(rows: list[dict[str, str]]) -> dict[Key, dict[str, str]]:
    return {(row["model"], row["protocol"], row["instance"], row["showing"]): row for row in rows}


def test_every_verdict_above_the_noise_is_the_expected_one(demo: Project) -> None:
    expected, found = by_place(rows_of(EXPECTED / "verdicts.csv")), by_place(verdicts(demo.folder))
    assert found.keys() == expected.keys()
    held = [place for place, row in expected.items() if row["close"] == "False"]
    assert {place: found[place]["word"] for place in held} == {place: expected[place]["word"] for place in held}
    assert len(held) > 0.9 * len(expected), "most verdicts are held"


def test_no_margin_moves_by_more_than_the_noise(demo: Project) -> None:
    expected, found = by_place(rows_of(EXPECTED / "verdicts.csv")), by_place(verdicts(demo.folder))
    assert NOISE is not None
    for place, row in expected.items():
        if row["margin"]:
            assert float(found[place]["margin"]) == pytest.approx(float(row["margin"]), abs=NOISE + 0.0001), place


def test_rows_without_a_close_verdict_are_those_of_the_expected_table(demo: Project) -> None:
    close = {row["protocol"] for row in rows_of(EXPECTED / "verdicts.csv") if row["close"] == "True"}
    cells = {cell.row: cell.protocol for cell in read_cells(demo.path("results/cells/demo/judges.parquet"))}
    found = list(csv.DictReader(io.StringIO(demo.path(TABLE).read_text())))
    expected = rows_of(EXPECTED / "judges.csv")
    assert [row["row"] for row in found] == [row["row"] for row in expected]
    sure = [name for name, protocol in cells.items() if protocol not in close]
    assert [row for row in found if row["row"] in sure] == [row for row in expected if row["row"] in sure]
    assert sure


def test_the_demo_reads_and_writes_no_more_than_its_shares(demo: Project, run: Run) -> None:
    spent, most = cost(demo.folder), allowed()
    assert 0 < spent.reads <= most.reads and 0 < spent.tokens <= most.tokens, (spent, most)
    summary = re.search(r"; (\d+) asked, \d+ reused$", run.text, re.MULTILINE)
    assert summary and int(summary[1]) == spent.reads, "the run counts the same"


def test_all_sets_together_load_the_embedded_model_three_times(demo: Project) -> None:
    """To change instructions, to write and to filter; each job that asks is one session of an engine."""
    stages = [path for stage in ("write", "judge") for path in demo.path(f"results/{stage}/demo_built").glob("*/*")]
    assert sorted(str(path.relative_to(demo.path("results"))) for path in stages if path.name == "smollm2") == [
        "judge/demo_built/filtering/smollm2",
        "write/demo_built/perturbing/smollm2",
        "write/demo_built/writing/smollm2",
    ]


def test_every_set_is_built_and_says_what_became_of_its_candidates(demo: Project) -> None:
    homes = {path.name.removeprefix("demo_"): path for path in demo.path("results/construct/demo_built").iterdir()}
    assert set(homes) == SETS
    for name, home in homes.items():
        assert read_finals(home / "unreviewed.parquet"), name
        assert (home / "funnel.md").is_file() and (home / "datasheet.md").is_file()
