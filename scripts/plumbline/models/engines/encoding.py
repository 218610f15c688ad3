"""Where an encoder places texts, and how similar they are to it: the cosine of two embeddings, or BERTScore over the
states of their tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import GPT2Tokenizer, RobertaTokenizer

from plumbline.models.engines.forward import told_when_full
from plumbline.models.similarity import By, Comparison


@dataclass(frozen=True)
class States:
    """A text's tokens as an encoder's layer sees them."""

    vectors: Any
    """A row of length one for each token."""
    counts: Any
    """1 for each token of the text, 0 for those that only frame it."""


class Encoder:
    """A sentence-transformers model that reads `batch` texts at a time."""

    def __init__(self, model: Any, layer: int, batch: int) -> None:
        self.model = model
        self.layer = layer or -1
        self.batch = batch
        self.tokenizer = model.tokenizer
        self.network = model[0].auto_model

    @property
    def longest(self) -> int:
        """The most tokens of a text that are read."""
        return int(min(self.tokenizer.model_max_length, self.network.config.max_position_embeddings))

    @property
    def window(self) -> int:
        """The most tokens of a text that are embedded; 0 where nothing bounds it."""
        return int(self.model.max_seq_length or 0)

    def tokens(self, text: str) -> int:
        """How many tokens a text has, those that frame it included."""
        return len(self.tokenizer(text, verbose=False)["input_ids"])

    def similarities(self, comparisons: Sequence[Comparison], by: By) -> list[float]:
        """Of each pair of texts, each text read once."""
        texts = list(dict.fromkeys(text for each in comparisons for text in (each.text, each.reference)))
        with torch.inference_mode(), told_when_full():
            if by == "cosine":
                rows = dict(zip(texts, self._encoded(texts).double(), strict=True))
                return [float(rows[each.text] @ rows[each.reference]) for each in comparisons]
            states = self._states(texts)
            return [bertscore(states[each.text], states[each.reference]) for each in comparisons]

    def embeddings(self, texts: Sequence[str], prefix: str = "") -> NDArray[np.float32]:
        """A row of length one for each text; with a prefix, as INSTRUCTOR wants it, the mean is over the text alone."""
        if prefix:
            self.model.set_pooling_include_prompt(False)
        with told_when_full():
            rows: NDArray[np.float32] = self._encoded(texts, prefix).float().cpu().numpy()
        return rows

    def _encoded(self, texts: Sequence[str], prefix: str = "") -> Any:
        return self.model.encode(
            list(texts),
            prompt=prefix or None,
            batch_size=self.batch,
            normalize_embeddings=True,
            convert_to_tensor=True,
            show_progress_bar=False,
        )

    def _states(self, texts: Sequence[str]) -> dict[str, States]:
        """Of each text; those of like length are read together."""
        ids = {text: self._ids(text) for text in texts}
        ordered = sorted(texts, key=lambda text: len(ids[text]), reverse=True)
        states: dict[str, States] = {}
        for at in range(0, len(ordered), self.batch):
            part = ordered[at : at + self.batch]
            states |= dict(zip(part, self._read([ids[text] for text in part]), strict=True))
        return states

    def _ids(self, text: str) -> list[int]:
        """As the package bert-score cuts a text into tokens: for GPT-2's kind of tokenizer its first word too has a
        space before it."""
        text = text.strip()
        if text and isinstance(self.tokenizer, (GPT2Tokenizer, RobertaTokenizer)):
            text = f" {text}"
        return list(self.tokenizer(text, truncation=True, max_length=self.longest)["input_ids"])

    def _read(self, texts: Sequence[list[int]]) -> list[States]:
        longest = max(map(len, texts))
        gaps = [[0] * (longest - len(ids)) for ids in texts]
        padding = self.tokenizer.pad_token_id or 0
        device = self.network.device
        read = self.network(
            input_ids=torch.tensor(
                [ids + [padding] * len(gap) for ids, gap in zip(texts, gaps, strict=True)], device=device
            ),
            attention_mask=torch.tensor(
                [[1] * len(ids) + gap for ids, gap in zip(texts, gaps, strict=True)], device=device
            ),
            output_hidden_states=True,
        )
        layer = read.hidden_states[self.layer].float()
        return [self._unit(ids, states[: len(ids)]) for ids, states in zip(texts, layer, strict=True)]

    def _unit(self, ids: Sequence[int], states: Any) -> States:
        framing = (self.tokenizer.cls_token_id, self.tokenizer.sep_token_id)
        counts = torch.tensor([float(token not in framing) for token in ids], device=states.device)
        return States(states / states.norm(dim=-1, keepdim=True), counts)


def bertscore(text: States, reference: States) -> float:
    """BERTScore's F1 (Zhang et al. 2020, section 3), without weights by rarity and without a baseline.

    Each token is matched with the one most like it in the other text. Tokens that frame a text can be matched with,
    but do not count themselves; a text without tokens scores 0. So does the package bert-score 0.3.13.
    """
    if not text.counts.any() or not reference.counts.any():
        return 0.0
    likeness = text.vectors @ reference.vectors.T
    precision = _mean(likeness.amax(dim=1), text.counts)
    recall = _mean(likeness.amax(dim=0), reference.counts)
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _mean(values: Any, counts: Any) -> float:
    return float((values * counts).sum() / counts.sum())
