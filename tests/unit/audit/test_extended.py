"""A protocol is added: what was said under the others stays, unless anything that it came from has changed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from plumbline.audit.doubts import Doubts
from plumbline.audit.extended import Extensions, came_out_otherwise, grown
from plumbline.audit.freshness import Present
from plumbline.records.digests import Digests
from plumbline.records.files import digest_file
from plumbline.records.manifest import JobFiles, Manifest, Setting, write_manifest
from small_manifests import fingerprint, manifest

WAS: dict[str, Any] = {
    "judge": {"engine": {"kind": "scripted"}},
    "asked": {"swap": {"program": "swap"}, "vanilla": {"program": "compare"}},
    "worded": {"plumbline": {"templates": {"compare": {"file": "a"}}}},
    "parsing": {"exceptions": {}, "wordings": {"plumbline": {"parsers": {"word": {"kind": "last"}}}}},
    "plugins": ["mine"],
}
ADDED: dict[str, Any] = WAS | {
    "asked": WAS["asked"] | {"rate": {"program": "rate"}},
    "worded": WAS["worded"] | {"other": {"templates": {}}},
    "parsing": {"exceptions": {}, "wordings": WAS["parsing"]["wordings"] | {"other": {}}},
    "plugins": ["mine", "other"],
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("instances", "answers", "verdicts", "program.py"):
        Path(name).write_text(name)
    return tmp_path


def link(path: str, rule: str, *inputs: str, parts: Mapping[str, str] | None = None) -> Manifest:
    made_from = fingerprint(
        rule,
        {name: digest_file(Path(name)) for name in inputs},
        settings={name: {"key": name, "sha256": Setting(name, value).sha256} for name, value in WAS.items()},
        code={"program.py": digest_file(Path("program.py"))},
    )
    return manifest(path, made_from, sha256=digest_file(Path(path)), settings=WAS, parts=dict(parts or {}))


def stays(now: Mapping[str, Any], *names: str, stale: tuple[str, ...] = ("answers", "verdicts")) -> bool:
    links = {
        "instances": link("instances", "read"),
        "answers": link("answers", "ask", "instances"),
        "verdicts": link("verdicts", "replay", "answers", "instances", parts={"swap": "1", "vanilla": "2"}),
    }
    return decided(links, now, names, stale)


def decided(
    links: Mapping[str, Manifest], now: Mapping[str, Any], names: tuple[str, ...], stale: tuple[str, ...]
) -> bool:
    present = Present(Digests(Path("digests")), lambda key: Setting(key, now[key]).sha256, now.__getitem__, links)
    return Doubts(links, dict.fromkeys(stale, ()), Extensions(present)).will_stay("verdicts", names)


def test_with_a_protocol_added_the_others_stay() -> None:
    assert stays(ADDED, "vanilla")
    assert stays(ADDED, "vanilla", "swap")


def test_the_added_protocol_itself_is_new() -> None:
    assert not stays(ADDED, "rate")
    assert not stays(ADDED, "vanilla", "rate")


def test_a_protocol_that_is_declared_otherwise_changes_and_no_other() -> None:
    now = WAS | {"asked": WAS["asked"] | {"vanilla": {"program": "rate"}}}
    assert not stays(now, "vanilla")
    assert stays(now, "swap")


def test_with_a_protocol_left_out_the_others_stay() -> None:
    now = WAS | {"asked": {"vanilla": WAS["asked"]["vanilla"]}}
    assert stays(now, "vanilla")
    assert not stays(now, "swap")


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("judge", {"engine": {"kind": "scripted"}, "revision": "another"}),
        ("worded", {"plumbline": {"templates": {"compare": {"file": "a"}, "rate": {"file": "b"}}}}),
        ("worded", {"other": {}}),
        ("parsing", {"exceptions": {"x": "y"}, "wordings": WAS["parsing"]["wordings"]}),
        ("parsing", {"exceptions": {}, "wordings": {"plumbline": {"parsers": {"word": {"kind": "first"}}}}}),
        ("plugins", ["other"]),
    ],
)
def test_what_all_protocols_share_must_be_as_it_was(setting: str, value: Any) -> None:
    assert not stays(ADDED | {setting: value}, "vanilla")


def test_changed_code_may_change_anything() -> None:
    links = {"verdicts": link("verdicts", "verdicts", "instances", parts={"vanilla": "2"})}
    Path("program.py").write_text("edited")
    assert not decided(links, ADDED, ("vanilla",), ("verdicts",))


@pytest.mark.parametrize("name", ["answers", "verdicts"])
def test_of_bytes_that_nobody_accounts_for_nothing_is_known(name: str) -> None:
    links = {
        "answers": link("answers", "ask", "instances"),
        "verdicts": link("verdicts", "replay", "answers", parts={"vanilla": "2"}),
    }
    Path(name).write_text("edited")
    assert not decided(links, ADDED, ("vanilla",), ("answers", "verdicts"))


def test_other_instances_give_other_answers() -> None:
    assert not stays(ADDED, "vanilla", stale=("instances", "answers", "verdicts"))


def test_only_transcripts_are_extended_with_the_file_that_replays_them() -> None:
    links = {
        "answers": link("answers", "instances", "instances"),
        "verdicts": link("verdicts", "replay", "answers", parts={"vanilla": "2"}),
    }
    assert not decided(links, ADDED, ("vanilla",), ("answers", "verdicts"))


def test_what_stands_needs_no_exception() -> None:
    assert not stays(WAS, "vanilla", stale=())


def test_entries_may_be_added_but_not_changed() -> None:
    assert grown({"a": {"b": 1}}, {"a": {"b": 1}, "c": 2})
    assert not grown({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}})
    assert grown({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}}, ["a"])
    assert not grown({"a": {"b": 1}}, {"a": {"b": 2}}, ["a"])
    assert not grown({"a": {"b": 1}}, {"a": {"b": 1}, "c": 2}, ["a"])
    assert grown(["a", "c"], ["a", "b", "c"])
    assert not grown(["a", "c"], ["c", "a"])


def test_parts_that_did_not_stay_after_all_are_named() -> None:
    write_manifest(
        Path("verdicts"), fingerprint("verdicts"), JobFiles({}, ["verdicts"]), {}, {}, {"swap": "1", "vanilla": "other"}
    )
    assert came_out_otherwise({"verdicts": {"swap": "1"}}) == []
    assert came_out_otherwise({"verdicts": {"swap": "1", "vanilla": "2"}}) == ["verdicts (vanilla)"]
