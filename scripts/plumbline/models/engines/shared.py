"""Texts read by a network so that what they begin with alike is computed once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from transformers import DynamicCache
from transformers.cache_utils import DynamicLayer

from plumbline.models.engines.packs import MOST_ON_GPU, MOST_TOKENS, Branch, Ids, Pack, Text, packs

CHANGING_ROPES = ("dynamic", "longrope")
"""Rotary positions that depend on how long the longest text of a pass is."""


class SharedReader:
    """Keeps keys and values of the pack that it read last: those of one row, whatever the number of texts."""

    def __init__(self, model: Any, batch: int) -> None:
        self.model = model
        self.batch = batch
        self.most_tokens = MOST_TOKENS if self.model.device.type == "cpu" else MOST_ON_GPU
        self._forget()

    def _forget(self) -> None:
        self.last = Branch((), ())
        self.cache = DynamicCache(config=self.model.config)

    def read(self, texts: Sequence[Text]) -> Iterator[tuple[Pack, dict[int, Any]]]:
        """Each pack, and the logits of its texts, by number, at the places from where they are wanted."""
        for pack in packs(texts, self.last, self.batch, self.most_tokens):
            places = {number: branch.slots[texts[number].wanted :] for number, branch in pack.branches.items()}
            wanted = sorted({slot for slots in places.values() for slot in slots})
            logits = self._pass(pack, wanted)
            rows = {slot: row for row, slot in enumerate(wanted)}
            yield pack, {number: logits[[rows[slot] for slot in slots]] for number, slots in places.items() if slots}

    def caches(self, texts: Sequence[Ids]) -> DynamicCache:
        """Keys and values of each text as a row of a batch, with padding to the left."""
        longest = max(map(len, texts))
        layers: list[list[Any]] = []
        for pack, _ in self.read([Text(ids, len(ids)) for ids in texts]):
            whole = {number: branch.slots for number, branch in pack.branches.items() if branch.slots}
            if not whole:
                continue
            slots = self._tensor([[0] * (longest - len(each)) + list(each) for each in whole.values()])
            if not layers:
                layers = [[room(part, len(texts), longest) for part in parts(layer)] for layer in self.cache.layers]
            for layer, kept in zip(self.cache.layers, layers, strict=True):
                for part, rows in zip(parts(layer), kept, strict=True):
                    rows[list(whole)] = part[0][:, slots.to(part.device)].transpose(0, 1)
        return DynamicCache(layers)

    def _pass(self, pack: Pack, wanted: Sequence[int]) -> Any:
        """Logits at the wanted slots. Where it fails, nothing is taken to be in memory."""
        cache = self.cache
        self._forget()
        for layer in cache.layers:
            if layer.is_initialized:
                layer.keys, layer.values = (part[:, :, list(pack.kept)] for part in parts(layer))
        logits = self._forward(pack, cache, wanted) if pack.ids else None
        self.cache, self.last = cache, pack.last
        return logits

    def _forward(self, pack: Pack, cache: DynamicCache, wanted: Sequence[int]) -> Any:
        """Logits at the wanted slots, all of which are new."""
        answer = self.model(
            input_ids=self._tensor([pack.ids]),
            position_ids=self._tensor([pack.places]),
            attention_mask=self._mask(pack),
            past_key_values=cache,
            use_cache=True,
            logits_to_keep=self._tensor([slot - len(pack.kept) for slot in wanted]),
        )
        return answer.logits[0]

    def _mask(self, pack: Pack) -> Any:
        """What is added to attention: nothing where a token looks at one before it in its own text, else all."""
        kept, new = len(pack.kept), len(pack.ids)
        seen = torch.zeros(new, kept + new, dtype=torch.bool)
        for branch in pack.branches.values():
            path = torch.tensor(branch.slots, dtype=torch.long)
            own = torch.ones(len(path), len(path), dtype=torch.bool).tril()[path >= kept]
            seen[path[path >= kept][:, None] - kept, path] = own
        hidden = torch.zeros(1, 1, *seen.shape, dtype=self.model.dtype)
        return hidden.masked_fill(~seen, torch.finfo(self.model.dtype).min).to(self.model.device)

    def _tensor(self, values: Sequence[Any]) -> Any:
        return torch.tensor(values, dtype=torch.long, device=self.model.device)


def parts(layer: Any) -> tuple[Any, Any]:
    """Keys and values, each by row, head, slot and dimension."""
    return layer.keys, layer.values


def room(part: Any, rows: int, slots: int) -> Any:
    return part.new_zeros(rows, part.shape[1], slots, part.shape[3])


def keeps_all(config: Any) -> bool:
    """Whether keys and values of each token stay as they are, and all are kept: no sliding window, no recurrence."""
    ropes = getattr(config.get_text_config(), "rope_parameters", None) or {}
    kinds = {each.get("rope_type") for each in (ropes, *ropes.values()) if isinstance(each, dict)}
    plain = all(type(layer) is DynamicLayer for layer in DynamicCache(config=config).layers)
    return plain and not kinds.intersection(CHANGING_ROPES)
