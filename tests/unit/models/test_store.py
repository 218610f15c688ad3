"""The completion store gives back what it was given, to many writers and readers at once."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import plumbline.models.segments
import plumbline.models.store
import pytest
from asked import stored
from hypothesis import example, given, settings
from hypothesis import strategies as st
from plumbline.models.asking import Completion, Message, Request, completion_key
from plumbline.models.segments import pack
from plumbline.models.store import Store
from plumbline.records.errors import PlumblineError
from stores import filled, key, put_all, start_writer, texts, without_index

completions = st.builds(
    Completion,
    text=st.text(st.characters()),
    finish=st.text(st.characters(), max_size=9),
    prompt_tokens=st.none() | st.integers(0, 1 << 40),
    completion_tokens=st.none() | st.integers(0),
    logprobs=st.lists(st.floats(allow_nan=False), max_size=4).map(tuple),
)


# What is put comes back


@settings(max_examples=30)
@given(completions)
@example(Completion(""))
@example(Completion("\0"))
@example(Completion("\ud83d\ude00"))
@example(Completion("\udcff" * 600, finish="\ud800"))
@example(Completion("x" * (1 << 20)))
@example(Completion("", logprobs=(float("-inf"), -0.0)))
def test_any_completion_comes_back_as_it_was_before_and_after_reopening(completion: Completion) -> None:
    with tempfile.TemporaryDirectory() as folder:
        with Store(Path(folder)) as store:
            store.put(key("asked"), completion)
            assert store.get(key("asked")) == completion
            store.flush()
            assert store.get(key("asked")) == completion
        assert Store(Path(folder)).get(key("asked")) == completion


def test_what_was_put_last_is_served_at_once_and_after_reopening(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        for text in ("first", "second"):
            store.put(key("asked"), Completion(text))
            assert store.get(key("asked")) == Completion(text)
            store.flush()
            assert store.get(key("asked")) == Completion(text)
        assert len(stored(tmp_path)) == 1
    assert Store(tmp_path).get(key("asked")) == Completion("second")


def test_what_is_in_any_segment_or_waits_to_be_written_is_there_and_nothing_else(tmp_path: Path) -> None:
    filled(tmp_path, ["a", "b"])
    filled(tmp_path, ["c"])
    with Store(tmp_path) as store:
        put_all(store, "d")
        store.flush()
        put_all(store, "e")
        names = ["e", "c", "nowhere", "a", "d", "c", "b"]
        assert texts(store, names) == ["e", "c", None, "a", "d", "c", "b"]
        assert len(stored(tmp_path)) == 4


@pytest.mark.parametrize("beginning", ["0" * 63, "f" * 63, "00ffffff" + "0" * 55, "ff000000" + "f" * 55])
def test_keys_that_share_their_beginning_are_told_apart(tmp_path: Path, beginning: str) -> None:
    keys = [f"{beginning}{last:x}" for last in range(16)]
    with Store(tmp_path) as store:
        for key in keys[1:]:
            store.put(key, Completion(key))
    store = Store(tmp_path)
    assert [store.get(key) for key in keys] == [None, *map(Completion, keys[1:])]
    assert len(stored(tmp_path)) == 15
    assert store.problems == []


@pytest.mark.parametrize("head", ["00000000", "0000ffff", "00ffffff", "ff000000", "ffffffff"])
def test_a_lone_key_is_found_wherever_its_beginning_lies(tmp_path: Path, head: str) -> None:
    """And one that begins like it, but is not stored, is not."""
    there, absent = head + "1" * 56, head + "2" * 56
    with Store(tmp_path) as store:
        store.put(there, Completion("found"))
    store = Store(tmp_path)
    assert (store.get(absent), store.get(there)) == (None, Completion("found"))
    assert store.problems == []


def test_a_record_longer_than_what_is_read_at_once_is_read_whole(tmp_path: Path) -> None:
    texts = ["".join(random.Random(number).choices("abcdefghijklmnop", k=4000)) for number in range(3)]
    with Store(tmp_path) as store:
        put_all(store, texts)
    store = Store(tmp_path)
    assert [store.get(key(text)) for text in texts] == list(map(Completion, texts))


def test_the_same_prompt_with_other_weights_is_another_key() -> None:
    request = Request((Message("user", "Which output is better?"),))
    identity = {"repository": "org/judge", "commit": "a" * 40, "weights": "1" * 64}
    keys = {completion_key(identity | {"weights": weights}, request) for weights in ("1" * 64, "2" * 64)}
    again = Request((Message("user", "Which output is better?"),), sample=1)
    assert len({*keys, completion_key(identity, again)}) == 3
    assert completion_key(dict(reversed(identity.items())), request) in keys


def test_a_key_that_is_no_digest_is_refused(tmp_path: Path) -> None:
    for wrong in ("", "abc", "x" * 64, "ab" * 33):
        with pytest.raises(PlumblineError, match="64 hexadecimal digits"):
            Store(tmp_path).put(wrong, Completion(""))


def test_equal_work_gives_equal_bytes(tmp_path: Path) -> None:
    one, other = filled(tmp_path / "one", ["a", "b"], "node1"), filled(tmp_path / "other", ["a", "b"], "node2")
    assert one.read_bytes() == other.read_bytes()
    assert one.with_suffix(".index").read_bytes() == other.with_suffix(".index").read_bytes()


def test_reading_makes_no_file(tmp_path: Path) -> None:
    with Store(tmp_path / "store") as store:
        assert store.get(key("asked")) is None
    assert not (tmp_path / "store").exists()


def test_a_long_answer_is_deflated_and_a_short_one_is_not(tmp_path: Path) -> None:
    assert len(pack(bytes(32), Completion("because it is so " * 200))) < 400
    assert b"because it is so" in pack(bytes(32), Completion("because it is so"))


# Many writers


def test_two_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    writers = [start_writer(tmp_path, name, 2000, 100) for name in ("one", "two")]
    for writer in writers:
        writer.communicate(timeout=30)
    store = Store(tmp_path)
    for name in ("one", "two"):
        wanted = [f"{name} {number}" for number in range(2000)]
        assert texts(store, wanted) == [text * 20 for text in wanted]
    assert len(stored(tmp_path)) == 4000
    assert store.problems == store.notes == []


def test_of_two_answers_to_one_key_the_older_is_served(tmp_path: Path) -> None:
    stores = [Store(tmp_path, name) for name in ("zoe", "abe")]
    for store, text in zip(stores, ("older", "newer"), strict=True):
        store.put(key("asked"), Completion(text))
        store.close()
    assert Store(tmp_path).get(key("asked")) == Completion("older")
    assert len(stored(tmp_path)) == 1


def test_a_store_sees_what_others_had_written_when_it_was_opened(tmp_path: Path) -> None:
    with Store(tmp_path) as writer:
        for name in ("a", "b"):
            reader = Store(tmp_path)
            writer.put(key(name), Completion(name))
            assert Store(tmp_path).get(key(name)) is None
            writer.flush()
            assert reader.get(key(name)) is None
            assert Store(tmp_path).get(key(name)) == Completion(name)
    assert texts(Store(tmp_path), ["a", "b"]) == ["a", "b"]


def test_a_record_still_being_written_is_seen_once_it_is_whole(tmp_path: Path) -> None:
    segment = without_index(filled(tmp_path, ["a", "b"]))
    whole = segment.read_bytes()
    segment.write_bytes(whole[:-1])
    reader = Store(tmp_path)
    assert texts(reader, ["a", "b"]) == ["a", None]
    assert (len(reader.problems), len(reader.notes)) == (0, 1)
    segment.write_bytes(whole)
    reader = Store(tmp_path)
    assert texts(reader, ["a", "b"]) == ["a", "b"]
    assert reader.problems == reader.notes == []


def test_where_nothing_stands_on_standard_input_files_are_still_opened_once(tmp_path: Path) -> None:
    """The system then gives out the number 0, which is a file like any other."""
    filled(tmp_path, ["a"])
    script = (
        "import os, sys; from pathlib import Path; from plumbline.models.store import Store; os.close(0)\n"
        "store = Store(Path(sys.argv[1]))\n"
        "for _ in range(9): assert store.get(sys.argv[2])\n"
        "print(len(store._open_files), 0 in store._open_files.values(), len(os.listdir('/proc/self/fd')))"
    )
    environment = os.environ | {"PYTHONPATH": str(Path(plumbline.models.store.__file__).parents[2])}
    command = [sys.executable, "-c", script, str(tmp_path), key("a")]
    output = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert output.split()[:2] == ["1", "True"] and int(output.split()[2]) <= 5


def test_more_segments_than_may_be_open_at_once_are_all_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plumbline.models.store, "OPEN_FILES", 2)
    for name in "abcde":
        filled(tmp_path, [name])
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    with Store(tmp_path) as store:
        assert texts(store, list("abcdedcba")) == list("abcdedcba")
        assert [store.get(key(name)) for name in "ebadc"] == [Completion(name) for name in "ebadc"]
        assert len(os.listdir("/proc/self/fd")) == before + 2  # noqa: PTH208
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208
