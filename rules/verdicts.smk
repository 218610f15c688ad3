rule verdicts:
    input:
        instances="results/instances/{benchmark}.parquet",
        prompts=flow.prompts_of,
        transcripts=flow.transcripts_of,
    output:
        update("results/verdicts/{benchmark}/{model}.parquet"),
    log:
        "results/verdicts/{benchmark}/{model}.log",
    conda:
        "../envs/core.yaml"
    params:
        judge=setting("judge.{model}"),
        parsing=setting("parsing.{model}"),
        protocols=setting("asked.{benchmark}.{model}"),
        code=code_of("verdicts"),
    script:
        "../scripts/verdicts.py"
