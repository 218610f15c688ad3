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
        code=code_of("derived"),
    script:
        "../scripts/derived.py"
