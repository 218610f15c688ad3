"""The completion store keeps what it was given, whatever happens to its writers and its disk."""

from __future__ import annotations

import os
import random
import re
import signal
import time
from pathlib import Path

import plumbline.models.segments
import plumbline.models.store
import pytest
from asked import stored
from plumbline.models.asking import Completion
from plumbline.models.segments import MAGIC, pack
from plumbline.models.store import Store
from plumbline.records.errors import PlumblineError
from stores import filled, flip, key, no_file_longer_than, put_all, start_writer, texts, without_index

RECORD = pack(bytes(32), Completion("1"))


# Killed writers, damaged disks


def test_a_last_record_cut_anywhere_is_passed_over_and_is_no_damage(tmp_path: Path) -> None:
    segment = without_index(filled(tmp_path, ["a", "b", "last"]))
    whole = segment.read_bytes()
    last = whole.rindex(MAGIC)
    for end in reversed(range(last, len(whole))):
        os.truncate(segment, end)
        store = Store(tmp_path)
        assert texts(store, ["a", "b", "last"]) == ["a", "b", None], end
        assert store.problems == []
        assert store.notes == ([f"{segment}, byte {last}: the last record stops short; passed over"] * (end > last))


def test_zeros_left_at_the_end_by_a_power_cut_are_no_damage(tmp_path: Path) -> None:
    segment = without_index(filled(tmp_path, ["a"]))
    segment.write_bytes(segment.read_bytes() + bytes(4096))
    store = Store(tmp_path)
    assert texts(store, ["a"]) == ["a"]
    assert (len(store.problems), len(store.notes)) == (0, 1)


def test_writing_goes_on_beside_a_torn_segment(tmp_path: Path) -> None:
    segment = without_index(filled(tmp_path, ["a", "b"]))
    segment.write_bytes(torn := segment.read_bytes()[:-3])
    filled(tmp_path, ["b"])
    assert texts(Store(tmp_path), ["a", "b"]) == ["a", "b"]
    assert segment.read_bytes() == torn


@pytest.mark.parametrize("indexed", [True, False])
def test_a_flipped_byte_is_named_and_never_serves_a_wrong_completion(tmp_path: Path, indexed: bool) -> None:
    names = ["a", "b" * 700, "c"]
    segment = filled(tmp_path, names)
    whole = segment.read_bytes()
    chosen = random.Random(7)
    if not indexed:
        without_index(segment)
    for at in range(len(whole)):
        mask = 1 << chosen.randrange(8)
        flip(segment, at, mask)
        hit = sum(at >= start for start in starts(whole)) - 1
        store = Store(tmp_path)
        assert texts(store, names) == [None if number == hit else name for number, name in enumerate(names)], at
        (problem,) = store.problems
        assert problem.startswith(f"{segment}, byte {starts(whole)[hit]}: "), at
        flip(segment, at, mask)


def starts(segment: bytes) -> list[int]:
    return [result.start() for result in re.finditer(re.escape(MAGIC), segment)]


def test_what_was_damaged_can_be_asked_again_and_then_stays(tmp_path: Path) -> None:
    segment = filled(tmp_path, ["a", "b"])
    flip(segment, 60)
    with Store(tmp_path) as store:
        assert texts(store, ["a", "b"]) == [None, "b"]
        store.put(key("a"), Completion("a"))
    store = Store(tmp_path)
    assert texts(store, ["a", "b"]) == ["a", "b"]
    assert store.get(key("a")) == Completion("a")


@pytest.mark.parametrize("indexed", [True, False])
def test_a_segment_that_lost_bytes_in_its_middle_serves_what_is_whole(tmp_path: Path, indexed: bool) -> None:
    names = [f"name {number}" for number in range(6)]
    segment = filled(tmp_path, names)
    whole = segment.read_bytes()
    second, fourth = starts(whole)[1], starts(whole)[3]
    segment.write_bytes(whole[: second + 30] + whole[fourth + 10 :])
    if not indexed:
        without_index(segment)
    store = Store(tmp_path)
    assert texts(store, names) == ["name 0", None, None, None, "name 4", "name 5"]
    assert any(f"{segment}, byte {second}: " in problem for problem in store.problems)


def test_a_sealed_segment_cut_at_its_end_is_damage(tmp_path: Path) -> None:
    segment = filled(tmp_path, ["a", "b"])
    segment.write_bytes(segment.read_bytes()[: starts(segment.read_bytes())[1]])
    store = Store(tmp_path)
    assert texts(store, ["a", "b"]) == ["a", None]
    assert "cut off" in store.problems[0]


def test_a_segment_that_vanishes_or_is_no_segment_is_named(tmp_path: Path) -> None:
    segment = filled(tmp_path, ["a"])
    store = Store(tmp_path)
    without_index(segment).unlink()
    (tmp_path / "noise.segment").write_bytes(b"no segment at all, but long enough to be one" * 3)
    (tmp_path / "folder.segment").mkdir()
    assert texts(store, ["a"]) == [None]
    assert store.problems == [f"{segment}, byte 0: cannot be read (No such file or directory); set aside"]
    problems = Store(tmp_path).problems
    assert len(problems) == 2
    assert "folder.segment" in problems[0]
    assert "noise.segment, byte 0: 132 damaged bytes" in problems[1]


def test_a_record_planted_in_a_completion_is_never_taken_for_one(tmp_path: Path) -> None:
    planted = pack(bytes.fromhex(key("planted")), Completion("evil"))
    with Store(tmp_path) as store:
        for codec, errors in (("latin-1", "strict"), ("utf-8", "surrogateescape")):
            store.put(key(codec), Completion(planted.decode(codec, errors)))
    (segment,) = tmp_path.glob("*.segment")
    for start in starts(segment.read_bytes()):
        flip(without_index(segment) if start == 0 else segment, start)
    store = Store(tmp_path)
    assert texts(store, ["planted", "latin-1", "utf-8"]) == [None, None, None]
    assert not stored(tmp_path)


def test_a_completion_with_fields_of_another_version_is_asked_again(tmp_path: Path) -> None:
    completion = Completion("a")
    vars(completion)["later"] = 1
    with Store(tmp_path) as store:
        store.put(key("a"), completion)
    store = Store(tmp_path)
    assert store.get(key("a")) is None
    assert len(store.problems) == 1


def test_a_killed_writer_keeps_everything_it_had_flushed(tmp_path: Path) -> None:
    chosen = random.Random(11)
    writers = {name: start_writer(tmp_path, name, 10**9, 50) for name in ("one", "two", "three")}
    flushed = {}
    for name, writer in writers.items():
        assert writer.stdout
        writer.stdout.readline()
        time.sleep(chosen.uniform(0, 0.15))
        writer.send_signal(signal.SIGKILL)
        writer.wait(timeout=30)
        flushed[name] = int(["50", *writer.stdout.read().split()][-1])
        writer.stdout.close()
    store = Store(tmp_path)
    for name, count in flushed.items():
        wanted = [f"{name} {number}" for number in range(count)]
        assert texts(store, wanted) == [text * 20 for text in wanted]
    assert store.problems == []


# The index is only a cache


def test_a_missing_or_damaged_index_changes_no_answer(tmp_path: Path) -> None:
    segment = filled(tmp_path, ["a", "b"])
    index = segment.with_suffix(".index")
    whole = index.read_bytes()
    for broken in [whole[:end] for end in range(0, len(whole), 5)] + [whole + b"x", b"noise" * 9]:
        index.write_bytes(broken)
        store = Store(tmp_path)
        assert texts(store, ["a", "b"]) == ["a", "b"]
        assert store.problems == [f"{index}, byte 0: damaged index; the segment itself was read"]
    index.write_bytes(whole)
    for at in range(len(whole)):
        flip(index, at)
        assert texts(Store(tmp_path), ["a", "b"]) == ["a", "b"]
        flip(index, at)
    index.unlink()
    assert texts(Store(tmp_path), ["a", "b"]) == ["a", "b"]
    assert Store(tmp_path).problems == []


def test_the_index_of_another_segment_serves_nothing_wrong(tmp_path: Path) -> None:
    segment, other = filled(tmp_path, ["a", "b"]), filled(tmp_path, ["c", "d"])
    segment.with_suffix(".index").write_bytes(other.with_suffix(".index").read_bytes())
    store = Store(tmp_path)
    assert texts(store, ["a", "b", "c", "d"]) == [None, None, "c", "d"]


def test_a_reader_leaves_an_index_for_a_long_segment_of_a_killed_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plumbline.models.segments, "INDEXED_ABOVE", 100)
    segment = without_index(filled(tmp_path, ["a", "b", "c"]))
    whole = segment.read_bytes()
    segment.write_bytes(whole[:-3])
    assert texts(Store(tmp_path), ["a", "b", "c"]) == ["a", "b", None]
    assert segment.with_suffix(".index").exists()
    segment.write_bytes(whole)
    assert texts(Store(tmp_path), ["a", "b", "c"]) == ["a", "b", "c"]
    assert Store(tmp_path).problems == []


def test_a_damaged_segment_is_never_given_an_index_that_would_hide_the_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plumbline.models.segments, "INDEXED_ABOVE", 100)
    segment = without_index(filled(tmp_path, ["a", "b", "c"]))
    flip(segment, starts(segment.read_bytes())[2])
    cut = filled(tmp_path, ["d", "e"])
    os.truncate(cut, starts(cut.read_bytes())[1])
    problems = Store(tmp_path).problems
    assert len(problems) == 2
    assert Store(tmp_path).problems == problems


# A full or forbidden disk


def test_a_full_disk_is_told_and_loses_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.put(key("a"), Completion("a"))
    store.flush()
    put_all(store, "bcd")
    with no_file_longer_than(400), pytest.raises(PlumblineError, match=r"cannot write .*segment"):
        store.flush()
    names = list("abcd")
    reader = Store(tmp_path)
    assert texts(reader, names) == ["a", "b", None, None]
    assert (len(reader.problems), len(reader.notes)) == (0, 1)
    assert texts(store, names) == names
    store.close()
    reader = Store(tmp_path)
    assert texts(reader, names) == names
    assert reader.problems == reader.notes == []


def test_closing_on_a_full_disk_keeps_what_was_flushed(tmp_path: Path) -> None:
    with no_file_longer_than(200), pytest.raises(PlumblineError), Store(tmp_path) as store:
        store.put(key("a"), Completion("a"))
        store.flush()
        store.put(key("b"), Completion("b"))
    reader = Store(tmp_path)
    assert texts(reader, ["a", "b"]) == ["a", None]
    assert reader.problems == []


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    store = Store(tmp_path / "file" / "store")
    (tmp_path / "file").write_text("in the way")
    store.put(key("a"), Completion("a"))
    with pytest.raises(PlumblineError, match=r"cannot write .*file/store"):
        store.flush()


def test_a_folder_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "store").write_text("in the way")
    with pytest.raises(PlumblineError, match="cannot read the completion store"):
        Store(tmp_path / "store")


def test_much_that_is_put_is_written_before_anyone_asks_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plumbline.models.store, "BATCH_BYTES", 1000)
    store = Store(tmp_path)
    put_all(store, map(str, range(20)))
    assert 10 <= len(stored(tmp_path)) < 20
    store.close()
    assert len(stored(tmp_path)) == 20


@pytest.mark.parametrize(("limit", "value"), [("SEALED_ABOVE", 3), ("SEALED_BYTES", 2 * len(RECORD) + 1)])
def test_a_job_that_writes_much_finds_all_of_it_in_several_segments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, value: int
) -> None:
    monkeypatch.setattr(plumbline.models.store, limit, value)
    names = [str(number) for number in range(10)]
    with Store(tmp_path) as store:
        for name in names:
            store.put(key(name), Completion(name))
            store.flush()
        assert [store.get(key(name)) for name in names] == [Completion(name) for name in names]
    assert len(list(tmp_path.glob("*.segment"))) == 4
    with Store(tmp_path) as again:
        assert [again.get(key(name)) for name in names] == [Completion(name) for name in names]
        assert again.problems == []
