"""Models: weights plus the engine that serves them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from plumbline.config.parts import Cost, Display, Parsing, Speed
from plumbline.config.typed import Amount, Count, Positive


@dataclass(frozen=True)
class Resources:
    """What a model's ask jobs ask of a cluster. None of it changes an answer."""

    gpu: Count = 0
    """GPUs a job."""
    gpu_model: str = ""
    """Kind of GPU, as the cluster calls it (empty: any)."""
    cpus: Positive = 1
    """CPU cores a job; on a laptop at most as many as `snakemake --cores` gives."""
    mem_mb: Positive = 4000
    """Memory in megabytes. A retry asks for as much again."""
    runtime: Positive = 60
    """Longest time in minutes. A retry asks for as much again."""
    partition: str = ""
    """Partition to use (empty: the best fit in profiles/slurm/partitions.yaml, else the cluster's own choice)."""
    extra: str = ""
    """Further options for `sbatch`, e.g. `--constraint=nvlink`."""


@dataclass(frozen=True)
class Recorded:
    """How a file of recorded verdicts or completions is read: see docs/recorded.md."""

    file: str = ""
    """The file in the source, where that holds several."""
    instances: Literal["key", "position", "id"] = "key"
    """What names an instance: its `id` in the benchmark's file, or where that has none the number of its row, from 1
    (key); its position in that file, from 0; or Plumbline's own id, as in results/instances/."""
    columns: dict[str, str] = field(default_factory=dict)
    """Our name of each column (instance, subset, question, showing, sample; answer, or text and finish) and the file's,
    where that is another; `subset` counts only if it is named here. With `text`, the file holds completions to be
    read, else answers."""
    fixed: dict[str, str] = field(default_factory=dict)
    """What holds for all rows, by the same names, e.g. `question: rating`."""
    values: dict[str, dict[str, str]] = field(default_factory=dict)
    """What the file's own words mean, by our name of the column, e.g. `answer: {A: first, B: second}`."""


@dataclass(frozen=True)
class Label(Display):
    """What people call it."""

    label: str
    """Its name in tables."""


@dataclass(frozen=True)
class ReadBy(Parsing):
    """How its answers are read."""

    parsers: dict[str, str] = field(default_factory=dict)
    """Parser for a protocol instead of the prompt set's own (protocol without `+rules`: parser)."""


@dataclass(frozen=True)
class Placement(Speed):
    """Where it runs."""

    resources: Resources = field(default_factory=Resources)
    """What its ask jobs ask of a cluster."""


@dataclass(frozen=True)
class Terms(Cost):
    """What it costs."""

    key_env: str = ""
    """Environment variable that holds the server's key; the key itself is never written down."""
    prompt_price: Amount = 0.0
    """Money for a million prompt tokens, in any one currency."""
    completion_price: Amount = 0.0
    """Money for a million completion tokens, in the same currency."""


@dataclass(frozen=True)
class Served:
    """What serves it."""

    engine: str
    """Which engine answers for it."""


@dataclass(frozen=True)
class Model(Terms, Placement, ReadBy, Served, Label):
    """Weights plus the engine that serves them; or a rule that needs neither."""

    source: str = ""
    """For recorded completions and verdicts: the source that holds them."""
    folder: str = ""
    """For completions in LLMBar's layout: the model's folder name in the source."""
    recorded: Recorded = field(default_factory=Recorded)
    """For a file of recorded verdicts or completions: how it is read."""
    repository: str = ""
    """Hub repository of the weights, or the name an endpoint knows the model by."""
    revision: str = ""
    """Commit of the weights (empty: the newest; the job's log names it)."""
    package: str = ""
    """Python package that carries the weights, for models that need no hub."""
    file: str = ""
    """File inside the package or repository that holds the weights, where there are several."""
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = "auto"
    """Number format the model computes in. On the embedded engine `auto` is float32, so that every machine computes
    the same; vLLM takes bfloat16 where the GPU or CPU multiplies it natively, else float32."""
    context: Positive = 2048
    """Longest prompt plus completion, in tokens; a longer prompt is reported as `truncated` and never cut."""
    layer: Count = 0
    """For an encoder: the layer whose states of tokens BERTScore compares, counted from 1 (0: the last)."""
    trust_remote_code: bool = False
    """Run code that comes with the weights. Leave it off unless you have read that code."""
    url: str = ""
    """Base URL of an OpenAI-compatible server, up to and with `/v1`."""
    token_ids: dict[str, list[int]] = field(default_factory=dict)
    """For an endpoint: the tokens of texts that a wording's logit bias names, by the model's own tokenizer. Without
    them it is asked without the bias; an engine that loads the weights needs none."""
    body: dict[str, Any] = field(default_factory=dict)
    """Further fields of every request to an endpoint, e.g. `seed: 7`; a `null` takes away a field of ours."""
