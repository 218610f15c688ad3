rule write:
    input:
        instances="results/instances/{benchmark}.parquet",
        prompts=writing.prompts_of,
    output:
        update("results/write/{benchmark}/{model}/{shard}.parquet"),
    log:
        "results/write/{benchmark}/{model}/{shard}.log",
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
        steps=setting("writing.{benchmark}.{model}"),
        tuning=flow.tuning,
        store=flow.config.store,
        plugins=setting("plugins.writing.{benchmark}.{model}"),
        code=writing.code("write", engine=True),
    script:
        "../scripts/write.py"


rule written:
    input:
        instances="results/instances/{benchmark}.parquet",
        prompts=writing.prompts_of,
        transcripts=writing.transcripts_of,
    output:
        update("results/written/{benchmark}/{model}.parquet"),
    log:
        "results/written/{benchmark}/{model}.log",
    conda:
        "../envs/core.yaml"
    params:
        judge=setting("judge.{model}"),
        steps=setting("writing.{benchmark}.{model}"),
        plugins=setting("plugins.writing.{benchmark}.{model}"),
        code=writing.code("written"),
    script:
        "../scripts/written.py"


# Labels are read here and by no rule that asks: what judges may see of them is this file.
rule examples:
    input:
        instances=writing.base_of("instances"),
        labels=writing.base_of("labels"),
    output:
        update("results/examples/{benchmark}.parquet"),
    log:
        "results/examples/{benchmark}.log",
    wildcard_constraints:
        benchmark=writing.exemplified,
    conda:
        "../envs/core.yaml"
    params:
        examples=setting("deriving.{benchmark}.examples"),
        code=code_of("examples"),
    script:
        "../scripts/examples.py"


rule derived:
    input:
        instances=writing.base_of("instances"),
        labels=writing.base_of("labels"),
        written=writing.written_of,
        examples=writing.examples_of,
    output:
        instances=update("results/instances/{benchmark}.parquet"),
        labels=update("results/labels/{benchmark}.parquet"),
    log:
        "results/instances/{benchmark}.log",
    wildcard_constraints:
        benchmark=writing.derived,
    conda:
        "../envs/core.yaml"
    params:
        deriving=setting("deriving.{benchmark}"),
        parts=writing.steps_of,
        code=code_of("derived"),
    script:
        "../scripts/derived.py"
