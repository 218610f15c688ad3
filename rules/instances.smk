rule instances:
    input:
        source=flow.source_of,
        labels=flow.labels_source_of,
        joined=flow.joined_sources_of,
        choices=flow.choices_of,
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
        plugins=setting("plugins.loading.{benchmark}"),
        code=flow.instances_code,
    script:
        "../scripts/instances.py"


rule choices:
    input:
        files=flow.second_pass_of,
    output:
        update("results/choices/{benchmark}.zip"),
    log:
        "results/choices/{benchmark}.log",
    conda:
        "../envs/core.yaml"
    params:
        code=code_of("decisions"),
    script:
        "../scripts/decisions.py"
