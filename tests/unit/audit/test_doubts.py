"""What is made before a run is planned: as little as lets it plan no job in vain, and nothing that asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from plumbline.audit.doubts import Doubts, made_first
from plumbline.audit.reasons import BROKEN_MANIFEST
from plumbline.records.manifest import Manifest
from small_manifests import fingerprint, manifest

Graph = Mapping[str, tuple[str, Sequence[str]]]
"""By output the rule that made it, and from what."""
CHAIN: Graph = {
    "source": ("source", ["own.csv"]),
    "instances": ("read", ["source"]),
    "answers": ("ask", ["instances"]),
    "verdicts": ("replay", ["answers", "instances"]),
    "filtered": ("derive", ["verdicts", "instances"]),
    "later_answers": ("ask", ["filtered"]),
    "table": ("cells", ["verdicts", "labels"]),
    "labels": ("read", ["source"]),
}


def link(path: str, rule: str, inputs: Sequence[str]) -> Manifest:
    return manifest(path, fingerprint(rule, dict.fromkeys(inputs, "0")))


def first(graph: Graph, *stale: str, wanted: Sequence[str] | None = None) -> list[str]:
    links = {path: link(path, rule, inputs) for path, (rule, inputs) in graph.items()}
    return made_first(
        Doubts(links, dict.fromkeys(stale, (BROKEN_MANIFEST,))), lambda path: wanted is None or path in wanted
    )


def test_nothing_stale_gives_nothing_to_make() -> None:
    assert first(CHAIN) == []


@pytest.mark.parametrize(
    ("stale", "files"),
    [
        (["source"], ["instances", "source"]),
        (["instances"], ["instances"]),
        (["source", "instances", "labels"], ["instances", "source"]),
        (["verdicts"], ["filtered", "verdicts"]),
        (["filtered"], ["filtered"]),
    ],
)
def test_what_answers_rest_on_is_made_up_to_the_first_that_ask(stale: list[str], files: list[str]) -> None:
    assert first(CHAIN, *stale) == files


def test_what_no_answer_rests_on_is_left_to_the_run() -> None:
    assert first(CHAIN, "table") == []
    assert first(CHAIN, "labels") == []


def test_nothing_comes_first_behind_a_job_that_asks_and_is_in_doubt_itself() -> None:
    assert first(CHAIN, "answers") == []
    assert first(CHAIN, "answers", "filtered") == []
    assert first(CHAIN, "instances", "filtered") == ["instances"]


def test_before_a_job_that_will_ask_anyway_nothing_is_gained() -> None:
    alone = {path: CHAIN[path] for path in ("source", "instances", "answers")}
    assert first(alone, "instances", "answers") == []


def test_a_file_that_nothing_accounts_for_may_be_anything_and_holds_up_what_rests_on_it() -> None:
    assert first({path: made for path, made in CHAIN.items() if path != "source"}, "source", "instances") == []


def test_what_is_not_wanted_is_left_alone() -> None:
    assert first(CHAIN, "source", wanted=["source", "instances"]) == []
    assert first(CHAIN, "source", wanted=["answers", "instances"]) == ["instances"]


def test_what_is_behind_an_encoder_is_left_to_the_run() -> None:
    """An encoder is asked as any other model is."""
    graph = dict(CHAIN) | {"vectors": ("ask", ["source"]), "instances": ("derive", ["vectors"])}
    assert first(graph, "source") == ["source"]
    assert first(graph, "vectors") == []


def test_however_many_ways_lead_to_a_file_it_is_looked_at_once() -> None:
    graph = {
        f"{level}{side}": ("derive", [f"{level - 1}{one}" for one in "ab"]) for level in range(60) for side in "ab"
    }
    assert first(graph | {"answers": ("ask", ["59a"])}, "0a")[:1] == ["0a"]
