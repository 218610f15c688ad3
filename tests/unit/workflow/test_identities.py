"""Identities in a run: made for every paper whose tables are built, with nothing asked of a model."""

from __future__ import annotations

from pathlib import Path

import pytest
from plumbline.measuring.identity import Finding, Identity
from plumbline.measuring.printed import Printed
from plumbline.records.errors import PlumblineError
from plumbline.report.index import index_page
from plumbline.workflow.composing.compose import checked
from plumbline.workflow.composing.resolved import Resolved
from plumbline.workflow.flow import Flow
from plumbline.workflow.settings import Settings
from rebuilt import CONFIG
from tiny_results import Words


@pytest.fixture
def flow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Flow:
    monkeypatch.chdir(tmp_path)
    return Flow(CONFIG, {})


def test_the_tables_of_a_paper_and_the_report_come_with_its_identities(flow: Flow) -> None:
    assert "results/tables/llmbar/identities.html" in flow.of_paper("llmbar")
    assert "results/identities/llmbar.parquet" in flow.report.identities(Words(scope="index"))
    assert not flow.identities.tables("demo", ["md"]), "it prints no number"


def test_identities_rest_on_the_declarations_that_print_numbers_and_on_no_code_of_other_papers(flow: Flow) -> None:
    at = Words(paper="llmbar")
    declared = flow.identities.declarations(at)
    assert "config/table/llmbar/table2.yaml" in declared and "config/table/llmbar/figure4.yaml" not in declared
    code = dict(flow.identities.code(at).files)
    assert [name for name in code if "/identities/" in name and "__init__" not in name] == [
        "scripts/plumbline/measuring/identities/llmbar.py"
    ]
    assert not [name for name in code if "judging" in name or "models" in name]


def test_a_paper_without_identities_says_where_to_write_them(flow: Flow) -> None:
    with pytest.raises(PlumblineError, match=r"nobody has written identities of 'demo'(?s:.*)identities/demo\.py"):
        flow.identities.declarations(Words(paper="demo"))


def test_no_table_can_be_declared_in_the_place_of_the_identities(papers: Resolved) -> None:
    plain = Settings(papers).groups
    tables = {"llmbar": plain["table"]["llmbar"] | {"identities": plain["table"]["llmbar"]["table1"]}}
    known = {name: plain[name] for name in vars(papers.config)} | {"table": plain["table"] | tables}
    with pytest.raises(PlumblineError, match=r"identities has this name(?s:.*)table\.llmbar\.identities"):
        checked(known)


def test_the_report_says_of_each_paper_how_many_identities_hold() -> None:
    one = Identity("sums", lambda printed: [Finding("here", 1.0, 1.0), Finding("there", 1.0, 3.0)])
    page = index_page("all", "Title", [], {}, {}, {"tiny": list(one.checks(Printed("tiny")))}, [], {})
    assert "tables/tiny/identities.html" in page and "1 of 2 hold." in page
    assert "identities.html" not in index_page("all", "Title", [], {}, {}, {}, [], {})
