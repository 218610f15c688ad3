"""GGUF files and weights in torch's own format, converted once to a folder that transformers reads.

And the chat template in a GGUF file, before it is converted.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any

from plumbline.models.engines.libraries import first_line, missing_libraries
from plumbline.models.engines.weights import Weights, check_whole, digest_of_settings, digest_of_template
from plumbline.records.errors import PlumblineError
from plumbline.records.files import digest_bytes, digest_value, unwritable


def folder_of(weights: Weights, digest: str, cache: Path) -> Path:
    """Where transformers finds the weights, or will: the folder of what is converted is named by what it is made of."""
    if weights.gguf:
        return cache / f"{weights.gguf.stem}-{digest[:16]}"
    if not weights.pickled:
        return weights.folder
    made_of = digest_value([digest, digest_of_settings(weights.folder)])  # settings and tokenizer are copied with them
    return cache / f"{weights.folder.resolve().name}-{made_of[:16]}"


def template_digest(weights: Weights, folder: Path, given: str = "") -> str:
    """Of the chat template in use: the one that is given, the folder's, or before conversion the same text inside the
    GGUF file."""
    if given:
        return digest_bytes(given.encode())
    if weights.gguf is None:
        return digest_of_template(weights.folder)
    if folder.is_dir():
        return digest_of_template(folder)
    return digest_bytes(template_inside(weights.gguf, weights.gguf.stat().st_mtime_ns).encode())


@lru_cache(maxsize=8)
def template_inside(gguf: Path, written: int) -> str:
    """The text is small and what has to be read before it is not: once a process, while the file stays as it is."""
    try:
        from gguf import GGUFReader
    except ImportError as error:
        raise missing_libraries(error) from error

    try:
        field = GGUFReader(gguf).get_field("tokenizer.chat_template")
    except (OSError, ValueError, IndexError, KeyError) as error:
        raise unreadable(gguf, error) from error
    return str(field.contents()) if field else ""


def convert(weights: Weights, folder: Path) -> Path:
    """Convert beside the target and rename: whoever finishes first wins, and nobody sees half a folder. What needs no
    conversion lies there already."""
    if folder.is_dir():
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
        try:
            write_converted(weights, part)
            publish(part, folder)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    except OSError as error:
        raise unwritable(folder, error) from error
    return folder


def write_converted(weights: Weights, folder: Path) -> None:
    if weights.gguf is None:
        from plumbline.models.engines.pickled import write_safetensors

        write_safetensors(weights, folder)
        return
    write_gguf(weights.gguf, folder)


def write_gguf(gguf: Path, folder: Path) -> None:
    try:
        model, tokenizer = read(gguf)
    except ImportError as error:
        raise missing_libraries(error) from error
    except (OSError, ValueError, IndexError, KeyError) as error:
        raise unreadable(gguf, error) from error
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def read(gguf: Path) -> tuple[Any, Any]:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging
    from transformers.utils.quantization_config import GgufConfig

    logging.disable_progress_bar()
    model, loading = AutoModelForCausalLM.from_pretrained(
        gguf.parent,
        gguf_file=gguf.name,
        quantization_config=GgufConfig(dequantize=True),
        dtype=torch.float32,
        output_loading_info=True,
    )
    check_whole(gguf, loading)
    return model, AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name)


def publish(part: Path, folder: Path) -> None:
    for path in part.iterdir():
        path.chmod(0o644)
        with path.open("rb") as handle:
            os.fsync(handle.fileno())
    part.chmod(0o755)
    try:
        part.rename(folder)
    except OSError:
        if not folder.is_dir():
            raise


def unreadable(gguf: Path, error: Exception) -> PlumblineError:
    return PlumblineError(
        f"cannot read {gguf.name}: {first_line(error)}",
        where=str(gguf),
        expected="a GGUF file of an architecture that transformers converts",
        do="fetch the file again; for an architecture that is not converted take the original weights",
    )
