"""vLLM's asynchronous engine: started, asked in token ids, and stopped again."""

from __future__ import annotations

import gc
import itertools
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from transformers import AutoConfig, AutoTokenizer, GenerationConfig
from vllm import SamplingParams
from vllm.engine.arg_utils import AsyncEngineArgs
from vllm.platforms import current_platform
from vllm.sampling_params import RequestOutputKind
from vllm.v1.engine.async_llm import AsyncLLM
from vllm.v1.engine.exceptions import EngineDeadError

from plumbline.models.asking import Completion, EngineStopped
from plumbline.models.engines.chat import Chat
from plumbline.models.engines.forward import ForwardRow
from plumbline.models.engines.libraries import first_line
from plumbline.models.engines.reading import Ids, TokenRequest
from plumbline.models.engines.vllm_logging import in_the_jobs_log
from plumbline.models.engines.vllm_settings import Serving, Settings
from plumbline.models.engines.weights import LanguageModel, TextModel
from plumbline.records.errors import PlumblineError

BLOCK = 32
"""Tokens a block of the prefix cache holds on a CPU; vLLM's own choice there, 128, seldom finds two alike."""

LEAVING = 30.0
"""Seconds that vLLM's processes have to end by themselves."""


@dataclass
class Asynchronous:
    """A model in vLLM's processes. What it is asked with a smaller `turn` goes first."""

    engine: AsyncLLM
    chat: Chat
    stops: Ids
    limit: int
    """Tokens of a prompt and its answer."""
    copies: int = 1
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    async def write(self, job: TokenRequest, turn: int) -> Completion:
        """A text, until the model ends it or it is long enough."""
        request = job.request
        output = await self._ask(
            job.prompt,
            turn,
            max_tokens=request.max_tokens,
            temperature=request.temperature,
            seed=request.seed if request.temperature else None,
            stop_token_ids=list(self.stops),
            logit_bias=dict(job.added) or None,
        )
        ids, finish = tuple(output.outputs[0].token_ids), str(output.outputs[0].finish_reason)
        written = ids[:-1] if ids[-1:] and ids[-1] in self.stops else ids
        return Completion(self.chat.text(written), finish, len(job.prompt), len(written))

    async def walk(self, row: ForwardRow, turn: int) -> tuple[float, ...]:
        """log P of `ids[start:]` and each end, step by step where greedy decoding goes.

        It may only take tokens of the row, so it nearly always goes where it should, and then one request tells all.
        Where it strays, the walk begins anew after the token it should have taken. So the prompt is served by the
        prefix cache, and no log-probabilities of its tokens are computed.
        """
        allowed, total, begin = sorted({*row.ids[row.start :], *row.ends}), 0.0, row.start
        while True:
            steps = len(row.ids) - begin + 1
            output = await self._ask(
                row.ids[:begin],
                turn,
                max_tokens=steps,
                ignore_eos=True,
                allowed_token_ids=allowed,
                logprob_token_ids=allowed,
            )
            taken, logprobs = output.outputs[0].token_ids, output.outputs[0].logprobs
            wanted = row.ids[begin:]
            right = next((at for at, token in enumerate(wanted) if token != taken[at]), len(wanted))
            total += sum(logprobs[at][token].logprob for at, token in enumerate(wanted[: right + 1]))
            if right == len(wanted):
                return tuple(total + logprobs[right][end].logprob for end in row.ends)
            begin += right + 1

    async def read(self, row: ForwardRow, turn: int) -> float:
        """log P(ids[start:] + end | ids[:start]) of a row with one end, read as a prompt.

        vLLM tells nothing of tokens that it took from the prefix cache. Seldom does it take more than the prompt
        proper; then it is asked again and reads everything.
        """
        [end] = row.ends
        wanted = row.ids[row.start :]
        output = await self._read(row, turn, afresh=False)
        if (output.num_cached_tokens or 0) >= row.start:
            output = await self._read(row, turn, afresh=True)
        entries = output.prompt_logprobs[-len(wanted) :] if wanted else []
        before = sum(each[token].logprob for each, token in zip(entries, wanted, strict=True))
        return float(before + output.outputs[0].logprobs[0][end].logprob)

    async def _read(self, row: ForwardRow, turn: int, afresh: bool) -> Any:
        return await self._ask(
            row.ids,
            turn,
            max_tokens=1,
            ignore_eos=True,
            logprob_token_ids=list(row.ends),
            prompt_logprobs=0 if len(row.ids) > row.start else None,
            skip_reading_prefix_cache=afresh,
        )

    def stop(self) -> None:
        """End vLLM's processes, and let go of it now: at the interpreter's end it would stumble over its own pieces."""
        self.engine.shutdown(timeout=LEAVING)
        del self.engine
        gc.collect()

    async def _ask(self, ids: Ids, turn: int, **how: Any) -> Any:
        params = SamplingParams(
            **{"temperature": 0.0, **how}, detokenize=False, output_kind=RequestOutputKind.FINAL_ONLY
        )
        copy = turn % self.copies if self.copies > 1 else None
        number = str(next(self._numbers))
        answers = self.engine.generate(
            {"prompt_token_ids": list(ids)}, params, number, priority=turn, data_parallel_rank=copy
        )
        try:
            async for output in answers:
                last = output
        except EngineDeadError as error:
            raise died(error) from error
        if last.outputs[0].finish_reason not in ("stop", "length"):
            raise PlumblineError(
                "vLLM gave up an ask",
                found=str(last.outputs[0].finish_reason),
                do="run the same command again: what was answered is kept; vLLM's own messages are in the log too",
            )
        return last


def start(folder: Path, dtype: str, model: LanguageModel, settings: Settings) -> Asynchronous:
    """Load a model onto the GPUs this job sees (or, with a CPU build of vLLM, the CPU)."""
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, trust_remote_code=model.trust_remote_code)
        chat = Chat(tokenizer, model.chat_template)
        config = AutoConfig.from_pretrained(folder, trust_remote_code=model.trust_remote_code)
        longest = getattr(config.get_text_config(), "max_position_embeddings", None)
        limit = min(model.context, longest or model.context)
        stop_ids = stops(folder, config, chat)
        engine = engine_of(folder, dtype, limit, model, settings)
    except (RuntimeError, ValueError, OSError, KeyError) as error:
        raise unstarted(folder, error) from error
    return Asynchronous(engine, chat, stop_ids, limit, settings.serving.data_parallel)


def engine_of(folder: Path, dtype: str, limit: int, model: TextModel, settings: Settings, **more: Any) -> AsyncLLM:
    os.environ.setdefault("VLLM_NO_USAGE_STATS", "1")
    os.environ.setdefault("VLLM_WORKER_MULTIPROC_METHOD", "spawn")  # this process has threads, which a fork would break
    os.environ["VLLM_BATCH_INVARIANT"] = "1" if settings.batch_invariant else "0"
    arguments = AsyncEngineArgs(
        model=str(folder),
        dtype=dtype,
        max_model_len=limit,
        trust_remote_code=model.trust_remote_code,
        max_num_seqs=settings.batch,
        quantization=settings.quantisation or None,
        **FIXED,
        **served(settings.serving),
        **more,
    )
    with in_the_jobs_log():
        return AsyncLLM.from_engine_args(arguments)


FIXED: dict[str, Any] = {
    "load_format": "safetensors",
    # Token ids go in and come out: the chat template is ours alone to apply.
    "skip_tokenizer_init": True,
    "generation_config": "vllm",
    # Of the network itself, before tokens that are not allowed are taken out.
    "logprobs_mode": "raw_logprobs",
    "scheduling_policy": "priority",
    "disable_log_stats": True,
    "seed": 0,
}


def served(serving: Serving) -> dict[str, Any]:
    seen = 1 if current_platform.is_cpu() else max(1, torch.cuda.device_count())
    how = {
        "tensor_parallel_size": serving.tensor_parallel or max(1, seen // serving.data_parallel),
        "data_parallel_size": serving.data_parallel,
        "gpu_memory_utilization": serving.memory,
        "enable_prefix_caching": serving.prefix_cache,
        "enforce_eager": serving.eager,
    }
    return how | ({"block_size": BLOCK} if current_platform.is_cpu() else {})


def stops(folder: Path, config: Any, chat: Chat) -> Ids:
    """The tokens that end an answer: those the model's makers name, else the one that ends a text."""
    named = config.eos_token_id
    if (folder / "generation_config.json").is_file():
        named = GenerationConfig.from_pretrained(folder).eos_token_id
    ids = chat.end if named is None else named
    return tuple(ids) if isinstance(ids, list) else () if ids is None else (int(ids),)


def unstarted(folder: Path, error: Exception) -> EngineStopped:
    return EngineStopped(
        f"vLLM did not start: {first_line(error)}",
        where=str(folder),
        do="its own messages are in the log too (more with VLLM_LOGGING_LEVEL=INFO); where memory is short, "
        "give the job more GPUs or lower the model's `context`, where others use the GPU too the engine's "
        "`serving.memory`",
    )


def died(error: Exception) -> EngineStopped:
    return EngineStopped(
        f"vLLM stopped in the middle of its work: {first_line(error)}",
        do="its own messages are in the log too; run the same command again: what was answered is kept",
    )
