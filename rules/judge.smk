rule judge:
    input:
        instances="results/instances/{benchmark}.parquet",
        prompts=flow.prompts_of,
        recorded=flow.recorded_of,
    output:
        update("results/judge/{benchmark}/{model}/{shard}.parquet"),
    log:
        "results/judge/{benchmark}/{model}/{shard}.log",
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
        parsing=flow.parsing,
        tuning=flow.tuning,
        store=flow.config.store,
        code=flow.judge_code,
    script:
        "../scripts/judge.py"
