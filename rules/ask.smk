wildcard_constraints:
    model=r"[^/]+",
    shard=r"\d+-of-\d+",


rule ask:
    input:
        instances="results/instances/{benchmark}.parquet",
        wordings=flow.wordings_asked,
        recorded=flow.recorded_of,
    output:
        update("results/ask/{benchmark}/{model}/{shard}.parquet"),
    log:
        "results/ask/{benchmark}/{model}/{shard}.log",
    wildcard_constraints:
        model=none_of(flow.asking_nobody),
    conda:
        flow.ask_environment
    threads: flow.resource("cpus")
    resources:
        gpu=flow.resource("gpu"),
        gpu_model=flow.resource("gpu_model"),
        mem_mb=flow.growing("mem_mb"),
        runtime=flow.growing("runtime"),
        slurm_partition=flow.resource("partition"),
        slurm_extra=flow.resource("extra"),
    params:
        judge=setting("judge.{model}"),
        asked=setting("asked.{benchmark}.{model}"),
        worded=setting("worded.{benchmark}.{model}"),
        parsing=flow.parsing,
        tuning=flow.tuning,
        store=flow.config.store,
        plugins=setting("plugins.asking.{benchmark}.{model}"),
        code=flow.ask_code,
    script:
        "../scripts/ask.py"


# What asks no model takes seconds: it stays where the user typed, and no cluster sees it.
use rule ask as ask_locally with:
    wildcard_constraints:
        model=one_of(flow.asking_nobody),
