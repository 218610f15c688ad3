"""Where numbers come from: what a page shows of the chain of files behind them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from plumbline.records.manifest import manifest_path, read_manifest
from plumbline.report.provenance import link_facts
from tiny_results import Checkout


def test_the_versions_shown_are_pythons_and_those_that_the_job_itself_rests_on(checkout: Checkout) -> None:
    link = read_manifest(manifest_path(Path("results/ask/tiny/tiny/1-of-1.parquet")))
    assert link_facts(link).versions == {"python": link.versions["python"]}
    computed = replace(link, versions=link.versions | {"torch": "2.13.0", "own-engine": "1"})
    assert link_facts(computed).versions == {"python": link.versions["python"], "torch": "2.13.0", "own-engine": "1"}
