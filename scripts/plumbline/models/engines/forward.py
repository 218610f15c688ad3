"""The forward passes: log-probabilities of given tokens, and new tokens one after another."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from transformers import AutoModelForCausalLM, AutoTokenizer, GenerationConfig
from transformers.utils import logging

from plumbline.models.engines.libraries import first_line
from plumbline.models.engines.packs import Text
from plumbline.models.engines.shared import SharedReader, keeps_all
from plumbline.models.engines.weights import check_whole
from plumbline.models.noise import of_likelihoods
from plumbline.records.errors import PlumblineError


@dataclass(frozen=True)
class ForwardRow:
    """Asks log P(ids[start:] + end | ids[:start]) for each of `ends`, from one pass over `ids`."""

    ids: tuple[int, ...]
    start: int
    ends: tuple[int, ...]


@dataclass(frozen=True)
class Prompt:
    """A text to be continued."""

    ids: tuple[int, ...]
    temperature: float
    seed: int
    added: Mapping[int, float] = field(default_factory=dict)
    """What is added to the logits of tokens before one is taken."""


TRIAL = (((5, 6, 7, 8), 6), ((5, 6, 9), 5), ((5, 9, 1, 2, 3), 7), ((9, 7, 5, 3), 3))
"""How some texts that begin alike end, and from where on they are scored."""
UNLOADABLE = (OSError, ValueError, KeyError, ImportError, RuntimeError, SafetensorError)
"""What libraries raise where a folder does not hold what is wanted."""


def pretrained(kind: Any, folder: Path, dtype: str, trusted: bool) -> Any:
    """A network of a kind, e.g. AutoModelForCausalLM, on the GPU where there is one; all its weights must be there."""
    network, loading = kind.from_pretrained(
        folder,
        dtype=getattr(torch, dtype),
        trust_remote_code=trusted,
        use_safetensors=True,
        device_map="auto" if torch.cuda.is_available() else None,
        output_loading_info=True,
    )
    check_whole(folder, loading)
    return network.eval()


def unloadable(folder: Path, error: Exception, wanted: str = "") -> PlumblineError:
    """`wanted` is what the folder should hold, in words."""
    return PlumblineError(
        f"cannot load the model: {first_line(error)}",
        where=str(folder),
        expected=wanted,
        do="check that the folder is whole; if it needs code of its own that you have read and trust, "
        "set `trust_remote_code` in the model's file",
    )


def load(folder: Path, dtype: str, trusted: bool) -> tuple[Any, Any]:
    """A model ready to answer, and its tokenizer."""
    logging.disable_progress_bar()
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, trust_remote_code=trusted)
        model = pretrained(AutoModelForCausalLM, folder, dtype, trusted)
    except UNLOADABLE as error:
        raise unloadable(folder, error) from error
    stops = model.generation_config.eos_token_id
    stops = tokenizer.eos_token_id if stops is None else stops
    model.generation_config = GenerationConfig(eos_token_id=stops, pad_token_id=0)
    return model, tokenizer


class ForwardModel:
    """A causal language model that reads `batch` texts at a time, what they begin with alike once where it can."""

    def __init__(self, model: Any, batch: int) -> None:
        self.model = model
        self.batch = batch
        self.shared = SharedReader(model, batch) if self._can_share() else None

    @property
    def longest(self) -> int | None:
        """The most tokens the model was built for."""
        return getattr(self.model.config.get_text_config(), "max_position_embeddings", None)

    @property
    def stops(self) -> tuple[int, ...]:
        tokens = self.model.generation_config.eos_token_id
        return tuple(tokens) if isinstance(tokens, list) else () if tokens is None else (tokens,)

    def _can_share(self) -> bool:
        """Found out by trying, since networks differ in what they make of positions and masks that they are given."""
        if not keeps_all(self.model.config):
            return False
        rows = trial_rows(self.model.config.get_text_config().vocab_size)
        with torch.inference_mode():
            try:
                tried = shared_scores(rows, SharedReader(self.model, len(rows) // 2))
            except Exception:  # whatever a network of any making raises: it is then read text by text
                return False
            whole = self._score(rows)
        noise = of_likelihoods(str(self.model.dtype).removeprefix("torch."))
        return all(abs(one - other) <= noise for [one], [other] in zip(tried, whole, strict=True))

    def score(self, rows: Sequence[ForwardRow]) -> list[tuple[float, ...]]:
        with torch.inference_mode(), told_when_full():
            if self.shared:
                return shared_scores(rows, self.shared)
            parts = [rows[at : at + self.batch] for at in range(0, len(rows), self.batch)]
            return [scores for part in parts for scores in self._score(part)]

    def _score(self, rows: Sequence[ForwardRow]) -> list[tuple[float, ...]]:
        """Padding goes to the right, where no token looks: attention is causal, so no mask is needed."""
        longest = max(len(row.ids) for row in rows)
        ids = self._tensor([[*row.ids, *[0] * (longest - len(row.ids))] for row in rows])
        wanted = sorted({place for row in rows for place in range(row.start - 1, len(row.ids))})
        logits = self.model(input_ids=ids, use_cache=False, logits_to_keep=self._tensor(wanted)).logits
        scores = []
        for row, its in zip(rows, logits, strict=True):
            first = wanted.index(row.start - 1)
            scores.append(row_scores(row, its[first : first + len(row.ids) - row.start + 1]))
        return scores

    def write(self, prompts: Sequence[Prompt], tokens: int) -> list[tuple[tuple[int, ...], bool]]:
        """New tokens after each prompt, and whether the model ended by itself. Padding goes to the left."""
        longest = max(len(prompt.ids) for prompt in prompts)
        gaps = [longest - len(prompt.ids) for prompt in prompts]
        with torch.inference_mode(), told_when_full():
            written = self.model.generate(
                input_ids=self._tensor([[*[0] * gap, *p.ids] for gap, p in zip(gaps, prompts, strict=True)]),
                attention_mask=self._tensor([[0] * gap + [1] * (longest - gap) for gap in gaps]),
                past_key_values=self._read_before(prompts, longest),
                max_new_tokens=tokens,
                do_sample=False,
                logits_processor=processors(prompts),
            )
        return [self._until_stop(row[longest:].tolist()) for row in written]

    def _read_before(self, prompts: Sequence[Prompt], longest: int) -> Any:
        """What is kept of the prompts without the last token of each, which tells the first new one."""
        return self.shared.caches([prompt.ids[:-1] for prompt in prompts]) if self.shared and longest > 1 else None

    def _until_stop(self, ids: list[int]) -> tuple[tuple[int, ...], bool]:
        stops = [place for place, token in enumerate(ids) if token in self.stops]
        return (tuple(ids[: stops[0]]), True) if stops else (tuple(ids), False)

    def _tensor(self, values: Sequence[Any]) -> Any:
        return torch.tensor(values, device=self.model.device)


def trial_rows(vocabulary: int) -> list[ForwardRow]:
    """Texts of ordinary tokens from the middle of a vocabulary. Many begin with tokens that mark the parts of a chat:
    networks answer rows of those with numbers that rounding alone moves by more than the noise."""
    rows = [ForwardRow((1, 2, 3, 4, *end), start, (1,)) for end, start in TRIAL]
    middle = vocabulary // 2
    return [replace(row, ids=tuple((middle + token) % vocabulary for token in row.ids)) for row in rows]


def shared_scores(rows: Sequence[ForwardRow], reader: SharedReader) -> list[tuple[float, ...]]:
    """The same scores, from passes that read each token once that texts have in common."""
    texts = [Text(row.ids, row.start - 1) for row in rows]
    scores = {
        number: row_scores(rows[number], logits) for _, each in reader.read(texts) for number, logits in each.items()
    }
    return [scores[number] for number in range(len(rows))]


def row_scores(row: ForwardRow, logits: Any) -> tuple[float, ...]:
    """`logits` stand at the tokens start - 1 to the last: each predicts the next token."""
    logits = logits.float()
    totals = logits.logsumexp(-1)
    tokens = torch.tensor(row.ids[row.start :], dtype=torch.long, device=logits.device)
    before = (logits[:-1].gather(1, tokens[:, None])[:, 0] - totals[:-1]).double().sum()
    last = (logits[-1, list(row.ends)] - totals[-1]).double()
    return tuple((before + last).tolist())


def processors(prompts: Sequence[Prompt]) -> list[Any]:
    """What is done to the logits at each token, in this order."""
    added = [AddedLogits(prompts)] if any(prompt.added for prompt in prompts) else []
    return [*added, Noise(prompts)] if any(prompt.temperature for prompt in prompts) else added


class AddedLogits:
    """Raises and lowers the logits of single tokens, for each text its own."""

    def __init__(self, prompts: Sequence[Prompt]) -> None:
        self.added = [prompt.added for prompt in prompts]

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        biased = scores.float().clone()
        for row, added in enumerate(self.added):
            for token, amount in added.items():
                biased[row, token] += amount
        return biased


class Noise:
    """Sampling as the best of noisy scores (the Gumbel trick), each text with a generator of its own.

    What a text becomes is then decided by its seed, and not by which texts are read beside it.
    """

    def __init__(self, prompts: Sequence[Prompt]) -> None:
        self.temperatures = [prompt.temperature for prompt in prompts]
        self.generators = [torch.Generator().manual_seed(prompt.seed) for prompt in prompts]

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        noisy = scores.float().clone()
        for row, (heat, generator) in enumerate(zip(self.temperatures, self.generators, strict=True)):
            if heat:
                gumbel = -torch.empty(noisy.shape[1]).exponential_(generator=generator).log()
                noisy[row] = noisy[row] / heat + gumbel.to(noisy.device)
        return noisy


@contextlib.contextmanager
def told_when_full() -> Iterator[None]:
    """Memory that runs out is a matter of settings, and said as one."""
    try:
        yield
    except RuntimeError as error:
        if not isinstance(error, torch.OutOfMemoryError) and "can't allocate memory" not in str(error):
            raise
        raise PlumblineError(
            f"not enough memory for the model's answers: {first_line(error)}",
            do="lower the engine's `batch`, or ask for more memory",
        ) from error
