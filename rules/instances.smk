rule instances:
    input:
        source=flow.source_of,
        labels=flow.labels_source_of,
    output:
        instances=update("results/instances/{benchmark}.parquet"),
        labels=update("results/labels/{benchmark}.parquet"),
    log:
        "results/instances/{benchmark}.log",
    wildcard_constraints:
        benchmark=writing.read,
    conda:
        "../envs/core.yaml"
    params:
        benchmark=setting("benchmark.{benchmark}"),
        code=flow.instances_code,
    script:
        "../scripts/instances.py"
