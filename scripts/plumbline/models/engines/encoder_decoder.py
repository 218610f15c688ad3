"""The forward passes of encoder-decoders: log-probabilities of given answers, and new answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer, GenerationConfig
from transformers.modeling_outputs import BaseModelOutput
from transformers.utils import logging

from plumbline.models.engines.forward import (
    UNLOADABLE,
    ForwardRow,
    Prompt,
    pretrained,
    processors,
    row_scores,
    told_when_full,
    unloadable,
)


def load(folder: Path, dtype: str, trusted: bool) -> tuple[EncoderDecoder, Any]:
    """A network ready to answer, and its tokenizer."""
    logging.disable_progress_bar()
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, trust_remote_code=trusted)
        network = pretrained(AutoModelForSeq2SeqLM, folder, dtype, trusted)
    except UNLOADABLE as error:
        raise unloadable(folder, error, "an encoder-decoder, such as T5 or BART") from error
    return EncoderDecoder(network), tokenizer


class EncoderDecoder:
    """A network that reads a source and writes an answer. In a row, the source stands before `start`."""

    def __init__(self, network: Any) -> None:
        self.network = network
        own, config = network.generation_config, network.config
        self.begin = own.decoder_start_token_id if own.decoder_start_token_id is not None else config.pad_token_id
        self.pad = config.pad_token_id or 0
        ends = own.eos_token_id if own.eos_token_id is not None else config.eos_token_id
        self.stops = tuple(ends) if isinstance(ends, list) else (ends,)
        network.generation_config = GenerationConfig(
            decoder_start_token_id=self.begin,
            forced_bos_token_id=own.forced_bos_token_id,
            eos_token_id=ends,
            pad_token_id=self.pad,
        )

    @property
    def longest(self) -> int | None:
        """The most tokens of a source or an answer, where the network was built for so many."""
        return getattr(self.network.config, "max_position_embeddings", None)

    def score(self, rows: Sequence[ForwardRow]) -> list[tuple[float, ...]]:
        """Each source is read once, however many answers to it are scored."""
        sources = list(dict.fromkeys(row.ids[: row.start] for row in rows))
        written = [(self.begin, *row.ids[row.start :]) for row in rows]
        with torch.inference_mode(), told_when_full():
            ids, mask = self._padded(sources)
            states = self.network.get_encoder()(input_ids=ids, attention_mask=mask).last_hidden_state
            of_row = torch.tensor([sources.index(row.ids[: row.start]) for row in rows], device=ids.device)
            logits = self.network(
                encoder_outputs=BaseModelOutput(last_hidden_state=states[of_row]),
                attention_mask=mask[of_row],
                decoder_input_ids=self._padded(written)[0],
                use_cache=False,
            ).logits
            return [
                row_scores(row, its[: len(answer)].float())
                for row, its, answer in zip(rows, logits, written, strict=True)
            ]

    def write(self, prompts: Sequence[Prompt], tokens: int) -> list[tuple[tuple[int, ...], bool]]:
        """New tokens for each source, and whether the network ended by itself."""
        with torch.inference_mode(), told_when_full():
            ids, mask = self._padded([prompt.ids for prompt in prompts])
            written = self.network.generate(
                input_ids=ids,
                attention_mask=mask,
                max_new_tokens=tokens,
                do_sample=False,
                logits_processor=processors(prompts),
            )
        return [self._until_stop(row[1:].tolist()) for row in written]

    def _until_stop(self, ids: list[int]) -> tuple[tuple[int, ...], bool]:
        ends = [place for place, token in enumerate(ids) if token in self.stops]
        return (tuple(ids[: ends[0]]), True) if ends else (tuple(ids), False)

    def _padded(self, texts: Sequence[Sequence[int]]) -> tuple[Any, Any]:
        longest, device = max(map(len, texts)), self.network.device
        ids = [[*text, *[self.pad] * (longest - len(text))] for text in texts]
        mask = [[1] * len(text) + [0] * (longest - len(text)) for text in texts]
        return torch.tensor(ids, device=device), torch.tensor(mask, device=device)
