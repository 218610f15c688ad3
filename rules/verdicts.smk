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
