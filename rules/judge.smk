rule judge:
    input:
        instances="results/instances/{benchmark}.parquet",
        prompts=flow.prompts_of,
        recorded=flow.recorded_of,
    output:
        update("results/judge/{benchmark}/{model}/{shard}.parquet"),
    log:
        "results/judge/{benchmark}/{model}/{shard}.log",
    resources:
        gpu=flow.resource("gpu", 0),
        mem_mb=flow.resource("mem_mb", 4000),
        runtime=flow.resource("runtime", 60),
    params:
        judge=setting("judge.{model}"),
        protocols=setting("asked.{benchmark}.{model}"),
        parsing=flow.parsing,
        tuning=flow.tuning,
        store=flow.config.store,
        code=flow.judge_code,
    script:
        "../scripts/judge.py"
