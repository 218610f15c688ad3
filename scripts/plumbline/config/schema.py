"""What a configuration may say. A sentence under a field is its documentation (config/SCHEMA.md is made of them)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from plumbline.config.parsers import Names, Parser
from plumbline.config.typed import Amount, Count, Positive, Seconds, Share


@dataclass(frozen=True)
class Source:
    """A raw download whose files are pinned by digest, or a file of your own."""

    title: str
    """What it is, for people."""
    licence: str
    """SPDX identifier of its licence."""
    citation: str
    """How to cite it."""
    url: str = ""
    """Where the network keeps it: an archive (.tar.gz, .tar.xz, .zip) or a single file."""
    revision: str = ""
    """Commit or version the URL is pinned to."""
    mirror: str = ""
    """Name of the archive or file in a mirror folder (see the setting `mirror`)."""
    pins: str = ""
    """File beside this one with `sha256  path` lines: exactly these files are taken, and each must match."""
    path: str = ""
    """A file on this machine to use instead of a download, relative to the repository root."""


@dataclass(frozen=True)
class Question:
    """What people were asked about instances, and what they could answer: one of some words, or a number."""

    words: list[str] = field(default_factory=list)
    """The answers there are; without any, a number is asked for."""
    low: float = 0.0
    """The lowest number of the scale."""
    high: float = 0.0
    """The highest number of the scale."""


@dataclass(frozen=True)
class Benchmark:
    """Instances and what people said of them, read from sources."""

    loader: Literal["llmbar", "squality", "rows", "construct"]
    """How to read them: the authors' own files (LLMBar's folders, SQuALITY's human evaluation), one file with a row for
    each instance (JSONL, JSON, CSV or Parquet), or sets built here."""
    subsets: dict[str, str]
    """Name of each subset and its file in the source; with `rows` the rows name their subset (those that name none
    belong to the first, those of other subsets are left out with a warning) and the file is not used; with
    `construct` the set that is built for it (SET/unreviewed: as it was before people decided)."""
    outputs: Count = 2
    """With `rows`: how many outputs each instance has."""
    context: dict[str, str] = field(default_factory=dict)
    """With `rows`: named texts that belong to an instruction (document, reference, …), and the column of each."""
    labels: str = ""
    """With `rows`: the source with the labels of several raters (columns instance, rater, question, word or value,
    about); without one, the column `better` holds the one agreed label."""
    questions: dict[str, Question] = field(default_factory=dict)
    """The questions that raters answered, for `labels` and `squality`."""
    source: str = ""
    """Which source holds the instances, where they are not built here."""
    title: str = ""
    """What it is, for people."""
    shards: Positive = 1
    """Into how many judge jobs the instances are split for each model."""
    limit: Count = 0
    """Take only the first so many instances of each subset (0: all)."""


@dataclass(frozen=True)
class Resources:
    """What a model's judge jobs ask of a cluster. None of it changes an answer."""

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
    where that is another; `subset` is heeded only if it is named here. With `text`, the file holds completions to be
    read, else answers."""
    fixed: dict[str, str] = field(default_factory=dict)
    """What holds for all rows, by the same names, e.g. `question: rating`."""
    values: dict[str, dict[str, str]] = field(default_factory=dict)
    """What the file's own words mean, by our name of the column, e.g. `answer: {A: first, B: second}`."""


@dataclass(frozen=True)
class Model:
    """Weights plus the engine that serves them; or a rule that needs neither."""

    label: str
    """Its name in tables."""
    engine: str
    """Which engine answers for it."""
    source: str = ""
    """For recorded completions and verdicts: the source that holds them."""
    folder: str = ""
    """For completions in LLMBar's layout: the model's folder name in the source."""
    recorded: Recorded = field(default_factory=Recorded)
    """For a file of recorded verdicts or completions: how it is read."""
    parsers: dict[str, str] = field(default_factory=dict)
    """Parser for a protocol instead of the prompt set's own (protocol without `+rules`: parser)."""
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
    trust_remote_code: bool = False
    """Run code that comes with the weights. Leave it off unless you have read that code."""
    url: str = ""
    """Base URL of an OpenAI-compatible server, up to and with `/v1`."""
    key_env: str = ""
    """Environment variable that holds the server's key; the key itself is never written down."""
    prompt_price: Amount = 0.0
    """Money for a million prompt tokens, in any one currency."""
    completion_price: Amount = 0.0
    """Money for a million completion tokens, in the same currency."""
    body: dict[str, Any] = field(default_factory=dict)
    """Further fields of every request to an endpoint, e.g. `seed: 7`; a `null` takes away a field of ours."""
    resources: Resources = field(default_factory=Resources)
    """What its judge jobs ask of a cluster."""


@dataclass(frozen=True)
class Budget:
    """What one run may spend on a model at an endpoint; its jobs stop before they would exceed it (0: no limit)."""

    requests: Count = 0
    """Requests sent, repeated ones too."""
    tokens: Count = 0
    """Prompt and completion tokens together."""
    money: Amount = 0.0
    """Money, in the currency of the model's prices."""


@dataclass(frozen=True)
class Serving:
    """How vLLM runs a model. It decides how fast, and in the last digits what, but not which model answers."""

    tensor_parallel: Count = 0
    """GPUs that share one copy of the model (0: all that the job sees, divided by `data_parallel`)."""
    data_parallel: Positive = 1
    """Copies of the model, each on GPUs of its own; all prompts of an instance go to one of them."""
    memory: Share = 0.85
    """Share of each GPU's memory that vLLM takes for weights and cache."""
    prefix_cache: bool = True
    """Read the beginning that prompts share only once."""
    eager: bool = False
    """Skip compilation and CUDA graphs: ready sooner, slower afterwards."""


@dataclass(frozen=True)
class Engine:
    """What answers asks."""

    kind: Literal["recorded", "recorded_rows", "embedded", "vllm", "endpoint", "scripted", "none"]
    """What it is: completions in LLMBar's layout, a file with a row for each recorded verdict or completion, a small
    model or vLLM on this machine, a server, a script, or none."""
    window: Positive = 256
    """How many instances are in flight at a time."""
    batch: Positive = 8
    """How many prompts an embedded model reads at a time; with vLLM, at most how many."""
    threads: Count = 0
    """CPU threads for an embedded model (0: as many as the job was given)."""
    connections: Positive = 32
    """How many requests are under way to an endpoint at a time."""
    timeout: Seconds = 120.0
    """Seconds that an endpoint has for one request, before it is asked again."""
    patience: Seconds = 900.0
    """Seconds after which an ask and its repetitions are given up; a server that demands a longer wait ends the job."""
    requests_per_minute: Count = 0
    """Requests sent to an endpoint in a minute (0: what its own rate-limit headers allow)."""
    tokens_per_minute: Count = 0
    """Tokens sent to and allowed from an endpoint in a minute (0: what its own rate-limit headers allow)."""
    budget: Budget = field(default_factory=Budget)
    """What a run may spend on each model at an endpoint."""
    serving: Serving = field(default_factory=Serving)
    """How vLLM runs a model."""
    quantisation: str = ""
    """Format to which vLLM shrinks the weights while it loads them, e.g. `fp8` (empty: as they are)."""
    batch_invariant: bool = False
    """Let vLLM answer a prompt alike whatever is read beside it; somewhat slower, and not for every model and GPU."""
    choose: Literal["text", "logprobs", "structured"] = "text"
    """Answers to a choice: plain text; text with `top_logprobs`; or bound to the choices (`structured_outputs`)."""
    likelihoods: bool = False
    """Whether the endpoint tells how likely a given text is, as vLLM does (`/tokenize` and `prompt_logprobs`)."""
    answers: dict[str, list[str]] = field(default_factory=dict)
    """For a scripted engine: the answers to each step, given in turn by a hash of the prompt."""
    delay: Amount = 0.0
    """For a scripted engine: seconds each answer takes."""
    journal: str = ""
    """For a scripted engine: a file that gets a line for each ask, to count them across runs that were killed."""
    folders: dict[str, str] = field(default_factory=dict)
    """For completions in LLMBar's layout: the source's folder name of each protocol."""


@dataclass(frozen=True)
class Protocol:
    """How a judge is asked. `NAME+rules` in a table asks the same with the evaluation rules in the prompt."""

    program: str
    """Which program runs: see Programs below. Each has options of its own, which stand beside these."""
    title: str
    """Its name in tables."""
    temperature: Amount = 0.0
    """How freely every answer is drawn at random (0: the likeliest one). A request and its sample number decide the
    seed; an endpoint is sent it too, and one that ignores it may answer otherwise when it is asked anew."""
    samples: Positive = 1
    """How many times an instance is judged, each time by the whole program from its first ask on, with a temperature.
    Verdicts keep the number of the sample, from 0 on; tables count sample 0, or the mean of as many `samples` as a row
    picks."""
    context: list[str] = field(default_factory=list)
    """Texts of an instance's context that the templates show, by name, e.g. reference: `{{ reference }}`, or
    `{% for one in reference %}` where there are several. An instance may have none of that name, but must know it."""


@dataclass(frozen=True)
class Template:
    """One prompt: where it is and what comes back."""

    file: str
    """Template file, relative to the prompt set's folder; a `.jinja` file is also told the protocol's options."""
    choices: list[str] = field(default_factory=list)
    """What may be answered; an engine that can will choose among these and report their log-probabilities."""
    parser: str = ""
    """How its answers are read: a name in `parsers` (free text needs none)."""
    max_tokens: Positive = 50
    """Longest answer, in tokens."""
    slots: dict[str, str] = field(default_factory=dict)
    """What this template calls what a protocol gives it, where the prompt set's own `slots` do not say."""


Notation = Literal["chatml", "llama", "plain"]


@dataclass(frozen=True)
class Prompts:
    """A set of prompt templates in one wording."""

    title: str
    """Whose wording it is."""
    templates: dict[str, Template]
    """The templates by step, e.g. `compare`, `compare/cot+rules`, `metrics`. Completions that a file records are
    read as answers to `compare`, to `rate` (the question `rating`) or to `answer` (any other question)."""
    parsers: dict[str, Parser]
    """Named ways to read an answer, each of one `kind`: `patterns` (also where none is named), `last_word`, `number`,
    `yes_no`, `ranking`, `json`, and for what a model writes for itself `list` and `text`."""
    names: Names = field(default_factory=Names)
    """What the outputs are called, for the strict reading."""
    slots: dict[str, str] = field(default_factory=dict)
    """What its templates call what we call instruction, first, second, output, explanation_1, …: their word: ours."""
    notation: Notation = "chatml"
    """How a template writes its turns: `<|im_start|>user … <|im_end|>` (chatml), Llama 3's headers (llama), or not at
    all (plain: the whole file is one turn of the user)."""
    source: str = ""
    """The source that holds the template files; without one they lie in config/prompts/."""
    folder: str = ""
    """Folder of the template files."""
