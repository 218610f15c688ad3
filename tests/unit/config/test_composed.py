"""A composed configuration is used again only while nothing that it is made of has changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from plumbline.config.cache import composed


class Composer:
    def __init__(self, plain: Any) -> None:
        self.plain, self.calls = plain, 0

    def __call__(self) -> Any:
        self.calls += 1
        return self.plain


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "config/model").mkdir(parents=True)
    (tmp_path / "config/model/judge.yaml").write_text("label: Judge\n")
    return tmp_path / "config"


def test_the_same_files_are_composed_once_and_keep_their_order(folder: Path, tmp_path: Path) -> None:
    compose = Composer({"b": [1, 2.5, None], "a": {"z": "text", "y": True}})
    first, second = (composed(folder, ["papers"], tmp_path / "kept.json", compose) for _ in range(2))
    assert compose.calls == 1
    assert str(first) == str(second) == str(compose.plain)


@pytest.mark.parametrize("change", ["edited", "added", "removed", "overridden", "damaged"])
def test_any_change_composes_anew(folder: Path, tmp_path: Path, change: str) -> None:
    kept, compose = tmp_path / "kept.json", Composer({})
    composed(folder, ["papers"], kept, compose)
    match change:
        case "edited":
            (folder / "model/judge.yaml").write_text("label: judge\n")
        case "added":
            (folder / "model/other.yaml").write_text("label: Judge\n")
        case "removed":
            (folder / "model/judge.yaml").unlink()
        case "damaged":
            kept.write_bytes(kept.read_bytes()[:-2])
    composed(folder, ["papers", "demo"] if change == "overridden" else ["papers"], kept, compose)
    assert compose.calls == 2


def test_a_setting_that_follows_the_environment_is_always_composed_anew(folder: Path, tmp_path: Path) -> None:
    (folder / "model/judge.yaml").write_text("label: ${oc.env:USER}\n")
    compose = Composer({})
    for _ in range(2):
        composed(folder, [], tmp_path / "kept.json", compose)
    assert compose.calls == 2


def test_what_json_would_change_is_not_kept(folder: Path, tmp_path: Path) -> None:
    compose = Composer({1: "a number for a key"})
    for _ in range(2):
        assert composed(folder, [], tmp_path / "kept.json", compose) == compose.plain
    assert compose.calls == 2
