rule instances:
    input:
        source=flow.source_of,
    output:
        update("results/instances/{benchmark}.parquet"),
    log:
        "results/instances/{benchmark}.log",
    conda:
        "../envs/core.yaml"
    params:
        benchmark=setting("benchmark.{benchmark}"),
        code=code_of("instances"),
    script:
        "../scripts/instances.py"
