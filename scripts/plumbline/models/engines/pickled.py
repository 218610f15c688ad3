"""Weights in torch's own format: read as tensors alone, without running code, and written as safetensors."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plumbline.models.engines.libraries import first_line, missing_libraries
from plumbline.models.engines.weights import SETTINGS, Weights
from plumbline.records.errors import PlumblineError
from plumbline.records.files import write_json


def write_safetensors(weights: Weights, folder: Path) -> None:
    """A file for each, with an index where there are several, and the small files beside them."""
    try:
        from safetensors.torch import save_file
    except ImportError as error:
        raise missing_libraries(error) from error

    names = names_of(len(weights.pickled))
    places: dict[str, str] = {}
    for path, name in zip(weights.pickled, names, strict=True):
        tensors = each_apart(tensors_in(path))
        save_file(tensors, folder / name, metadata={"format": "pt"})
        places |= dict.fromkeys(tensors, name)
    if len(names) > 1:
        write_json(folder / "model.safetensors.index.json", {"metadata": {}, "weight_map": places})
    for pattern in SETTINGS:
        for path in weights.folder.glob(pattern):
            if not path.name.endswith(".bin.index.json"):
                shutil.copyfile(path, folder / path.name)


def names_of(files: int) -> list[str]:
    if files == 1:
        return ["model.safetensors"]
    return [f"model-{number:05}-of-{files:05}.safetensors" for number in range(1, files + 1)]


def tensors_in(path: Path) -> Mapping[str, Any]:
    import torch

    try:
        tensors = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # each format fails in its own way on a broken or hostile file
        hostile = type(error).__name__ == "UnpicklingError"
        raise PlumblineError(
            "pickled weights " + ("hold more than numbers, which was not run" if hostile else "cannot be read"),
            where=str(path),
            expected="tensors alone",
            found="" if hostile else first_line(error),
            do="fetch the file again, or take the model's safetensors",
        ) from error
    if not isinstance(tensors, Mapping) or not all(isinstance(one, torch.Tensor) for one in tensors.values()):
        raise PlumblineError(
            "pickled weights are no mapping of names to tensors",
            where=str(path),
            found=type(tensors).__name__,
            do="name the file that holds a model's state in the model's `file`",
        )
    return tensors


def each_apart(tensors: Mapping[str, Any]) -> dict[str, Any]:
    """Tensors that share memory get some of their own, as the format wants it."""
    apart: dict[str, Any] = {}
    seen: set[int] = set()
    for name, tensor in tensors.items():
        place = tensor.untyped_storage().data_ptr()
        apart[name] = tensor.clone().contiguous() if place in seen else tensor.contiguous()
        seen.add(place)
    return apart
