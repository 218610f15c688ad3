wildcard_constraints:
    model=r"[^/]+",
    shard=r"\d+-of-\d+",


rule judge:
    input:
        instances="results/instances/{benchmark}.parquet",
        prompts=flow.prompts_of,
        recorded=flow.recorded_of,
    output:
        update("results/judge/{benchmark}/{model}/{shard}.parquet"),
    log:
        "results/judge/{benchmark}/{model}/{shard}.log",
    wildcard_constraints:
        model=none_of(flow.asking_nobody),
    conda:
        flow.judge_environment
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
        protocols=setting("asked.{benchmark}.{model}"),
        worded=setting("worded.{benchmark}.{model}"),
        parsing=flow.parsing,
        tuning=flow.tuning,
        store=flow.config.store,
        plugins=setting("plugins.judging.{benchmark}.{model}"),
        code=flow.judge_code,
    script:
        "../scripts/judge.py"


# What asks no model takes seconds: it stays where the user typed, and no cluster sees it.
use rule judge as judge_locally with:
    wildcard_constraints:
        model=one_of(flow.asking_nobody),
