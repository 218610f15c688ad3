rule verdicts:
    input:
        instances="results/instances/{benchmark}.parquet",
        prompts=flow.prompts_of,
        transcripts=flow.transcripts_of,
    output:
        update("results/verdicts/{benchmark}/{model}.parquet"),
    log:
        "results/verdicts/{benchmark}/{model}.log",
    wildcard_constraints:
        model=none_of(flow.by_system),
    conda:
        "../envs/core.yaml"
    params:
        judge=setting("judge.{model}"),
        protocols=setting("asked.{benchmark}.{model}"),
        worded=setting("worded.{benchmark}.{model}"),
        parsing=setting("parsing.{benchmark}.{model}"),
        plugins=setting("plugins.judging.{benchmark}.{model}"),
        code=flow.verdicts_code,
    script:
        "../scripts/verdicts.py"


rule verdicts_by_system:
    input:
        instances="results/instances/{benchmark}.parquet",
        verdicts=flow.verdicts_of_systems,
    output:
        update("results/verdicts/{benchmark}/{model}.parquet"),
    log:
        "results/verdicts/{benchmark}/{model}.log",
    wildcard_constraints:
        model=one_of(flow.by_system),
    conda:
        "../envs/core.yaml"
    params:
        joined=setting("joined.{benchmark}.{model}"),
        code=code_of("verdicts_by_system"),
    script:
        "../scripts/verdicts_by_system.py"
