"""vLLM's asynchronous engine with its pooling runner: token ids in, what a head says out."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from pathlib import Path

from transformers import AutoConfig, AutoTokenizer
from vllm import PoolingParams
from vllm.v1.engine.async_llm import AsyncLLM
from vllm.v1.engine.exceptions import EngineDeadError

from plumbline.models.engines.classifier import ClassifierModel, label_in
from plumbline.models.engines.formats import Format, FormatReader, Ids
from plumbline.models.engines.vllm_process import LEAVING, died, engine_of, unstarted
from plumbline.models.engines.vllm_settings import Settings


@dataclass
class Pooling:
    """A network with a head in vLLM's processes."""

    engine: AsyncLLM
    reader: FormatReader
    label: int | None
    pad: int | None

    async def logits(self, ids: Ids, number: int) -> tuple[float, ...]:
        """What the head says at the last token that is no padding, which is where transformers looks."""
        end = len(ids)
        while end > 1 and ids[end - 1] == self.pad:
            end -= 1
        params = PoolingParams(task="classify", use_activation=False)
        try:
            async for output in self.engine.encode({"prompt_token_ids": list(ids[:end])}, params, str(number)):
                last = output
        except EngineDeadError as error:
            raise died(error) from error
        return tuple(last.outputs.data.float().reshape(-1).double().tolist())

    def stop(self) -> None:
        """End vLLM's processes, and let go of it now: at the interpreter's end it would stumble over its own pieces."""
        self.engine.shutdown(timeout=LEAVING)
        del self.engine
        gc.collect()


def start(folder: Path, dtype: str, shown: Format, model: ClassifierModel, settings: Settings) -> Pooling:
    """Load a network onto the GPUs this job sees (or, with a CPU build of vLLM, the CPU)."""
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, trust_remote_code=model.trust_remote_code)
        config = AutoConfig.from_pretrained(folder, trust_remote_code=model.trust_remote_code)
        longest = getattr(config.get_text_config(), "max_position_embeddings", None)
        limit = min(model.context, longest or model.context)
        labels = [str(config.id2label[number]) for number in sorted(config.id2label)]
        label = label_in(labels, model.scored_label, len(labels))
        engine = engine_of(folder, dtype, limit, model, settings, runner="pooling", convert="classify")
    except (RuntimeError, ValueError, OSError, KeyError) as error:
        raise unstarted(folder, error) from error
    pad = tokenizer.convert_tokens_to_ids(model.pad_token) if model.pad_token else config.pad_token_id
    return Pooling(engine, FormatReader(tokenizer, shown, limit, model.cut), label, pad)
