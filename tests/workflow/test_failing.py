"""What fails takes with it what rests on it, and nothing else: a broken file, half of a source, a refused key."""

from __future__ import annotations

import csv
import json
import shutil
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from project import Project, Run
from tiny import as_lines, pairs

TABLE = "results/tables/half/all.csv"
GIVEN = "config/benchmark/given.jsonl"
RIGHT, WRONG = "sk-this-key-is-right", "sk-this-key-is-refused"
FILES = {
    "config/source/given.yaml": f"{{title: Given, licence: none, citation: none, holder: ask Ada, path: {GIVEN}}}",
    "config/benchmark/given.yaml": """
        source: given
        loader: rows
        subsets: {plain: '', trap: ''}
        paper_size: {instances: 6}
    """,
    "config/engine/paid.yaml": "{kind: endpoint, patience: 1.0, choose: text}",
    "config/model/paid.yaml": """
        label: Paid
        engine: paid
        repository: judge-7b
        url: http://127.0.0.1:PORT/v1
        key_env: PAID_KEY
    """,
    "config/experiment/half.yaml": "{title: Half, tables: ['half/*'], models: [paid], replicates: 200}",
    "config/table/half/all.yaml": """
        paper: half
        name: all
        title: A judge with a key, a scripted one and a rule, on two files
        source: Plumbline
        metrics: [acc]
        columns:
          Own: {benchmark: tiny}
          Given: {benchmark: given}
          Plain: {benchmark: given, subsets: [plain]}
          Trap: {benchmark: given, subsets: [trap]}
        rows:
          Longer: {model: length, protocol: longer}
          Vanilla: {model: tiny, protocol: vanilla}
          Paid: {model: paid, protocol: vanilla}
        printed:
          Longer: [50.0, 50.0, 100.0, 0.0]
          Paid: [50.0, 50.0, 50.0, 50.0]
    """,
}
NUMBERS = {"exact", "within", "differs", "unprinted"}


class Answering(BaseHTTPRequestHandler):
    """A server that knows one key, and repeats every other one."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        key = self.headers.get("Authorization", "")
        if key == f"Bearer {RIGHT}":
            choice = {"index": 0, "message": {"role": "assistant", "content": "Output (a)"}, "finish_reason": "stop"}
            self._send(200, {"model": "judge-7b", "choices": [choice], "usage": {}})
        else:
            self._send(401, {"error": {"message": f"no such key: {key}"}})

    def _send(self, status: int, content: dict[str, Any]) -> None:
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def port() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


@pytest.fixture
def given(fresh: Project, port: int, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project whose table rests on a file of its own, on one that somebody gave, and on a key."""
    monkeypatch.setenv("PAID_KEY", RIGHT)
    for name, text in FILES.items():
        fresh.write(name, text.replace("PORT", str(port)))
    fresh.write(GIVEN, as_lines(pairs()))
    return fresh


def run(project: Project, *settings: str) -> Run:
    return project.snakemake("experiment=half", *settings, TABLE)


def shown(project: Project) -> dict[str, list[str]]:
    """By row our numbers as published, column by column; empty where there are none."""
    with project.path(TABLE).open(newline="") as file:
        rows = [row for row in csv.reader(file) if row[1] == "as_published"]
    return {row[0]: row[2:] for row in rows}


def statuses(project: Project) -> str:
    """The line of the table in `plumbline status`, and what it says below."""
    done = project.plumbline("status")
    assert done.returncode == 0, done.stderr
    return done.stdout


def with_a_row_broken() -> str:
    rows = pairs()
    del rows[3]["output_2"]
    return as_lines(rows)


def test_a_key_that_is_refused_fails_the_cells_that_need_it_and_no_others(
    given: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAID_KEY", WRONG)
    refused = run(given)
    assert refused.code == 1 and "Then what does not rest on what failed" in refused.text
    assert "the server refuses the key of judge-7b (401)" in refused.text
    made = shown(given)
    assert all(made["Longer"]) and all(made["Vanilla"]) and not any(made["Paid"])
    told = statuses(given)
    for words in ("failed: 4 cells", "ask given/paid", "judge-7b (401)", "PAID_KEY", "no such key: Bearer [key]"):
        assert words in told
    assert given.plumbline("verify").returncode == 0
    everything = refused.text + told + "".join(path.read_text(errors="replace") for path in written(given.folder))
    assert WRONG not in everything
    again = run(given)
    assert again.code == 1 and not again.made & {"cells/half/all"}, "what stands is not made anew"
    monkeypatch.setenv("PAID_KEY", RIGHT)
    assert run(given).code == 0
    assert all(map(all, shown(given).values())) and "failed:" not in statuses(given)


def written(folder: Path) -> list[Path]:
    kept = (folder / name for name in ("results", ".store", ".snakemake"))
    return [path for home in kept for path in home.rglob("*") if path.is_file()]


def test_a_broken_file_fails_what_rests_on_it_and_what_stood_stays(given: Project) -> None:
    given.write(GIVEN, with_a_row_broken())
    broken = run(given)
    assert broken.code == 1 and "given.jsonl, row 4" in broken.text and "'output_2' holds no text" in broken.text
    assert all(row[0] and not any(row[1:]) for row in shown(given).values())
    told = statuses(given)
    assert (
        "failed: 9 cells" in told and "read given: the key 'output_2' holds no text; where: given.jsonl, row 4" in told
    )
    given.write(GIVEN, as_lines(pairs()))
    assert run(given).code == 0
    whole = shown(given)
    assert all(map(all, whole.values()))
    given.write(GIVEN, with_a_row_broken())
    assert run(given).code == 1 and shown(given) == whole
    given.write(GIVEN, as_lines(pairs()))
    assert "Nothing to be done" in run(given).text
    assert given.plumbline("verify").returncode == 0


def test_half_of_a_file_is_counted_as_half_and_what_is_missing_is_named(given: Project) -> None:
    given.write(GIVEN, as_lines([row for row in pairs() if row["subset"] == "plain"]))
    half = run(given)
    assert half.code == 0 and "only 1 of 2 subsets have instances, there are none of trap" in half.text
    assert shown(given)["Longer"] == ["50.0", "100.0", "100.0", ""]
    page = given.path(TABLE).with_suffix(".md").read_text()
    assert "3 of 6 instances" in page and "4 partial" in page and "no instance of given has the subset 'trap'" in page
    told = given.plumbline("explain", "half/all", "Longer", "Given.acc")
    assert "partial" in told.stdout and "3 of 6 instances" in told.stdout, told.stdout
    given.write(GIVEN, as_lines(pairs()))
    assert run(given).code == 0 and "partial" not in given.path(TABLE).with_suffix(".md").read_text()


def test_results_copied_to_a_machine_without_key_or_file_stay_numbers(
    given: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(given).code == 0
    copy = Project.at(tmp_path / "elsewhere")
    for name, text in FILES.items():
        copy.write(name, text.replace("PORT", "1"))
    copy.write("config/model/paid.yaml", given.path("config/model/paid.yaml").read_text())
    shutil.copytree(given.path("results"), copy.path("results"))
    monkeypatch.delenv("PAID_KEY")
    for settings in ((), ("hydra=experiment.models=[]",)):
        later = run(copy, *settings)
        assert later.code == 0 and "Nothing to be done" in later.text, later.text
        assert shown(copy) == shown(given) and all(map(all, shown(copy).values()))
        done = copy.plumbline("verify")
        assert done.returncode == 0, done.stdout
