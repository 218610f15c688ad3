rule export:
    input:
        final_instances=flow.sets.final("instances"),
        final_labels=flow.sets.final("labels"),
        ledgers=flow.sets.ledgers,
        datasheet="results/construct/{construct}/datasheet.md",
    output:
        update("results/construct/{construct}/dataset/README.md"),
        update("results/construct/{construct}/dataset/SHA256SUMS"),
        update("results/construct/{construct}/dataset/data/pairs.parquet"),
    log:
        "results/construct/{construct}/dataset.log",
    conda:
        "../envs/core.yaml"
    params:
        card=flow.export.card,
        code=code_of("export"),
    script:
        "../scripts/export.py"


rule export_labelled:
    input:
        instances="results/instances/{benchmark}.parquet",
        labels="results/labels/{benchmark}.parquet",
        ledger="results/ledger/{benchmark}.parquet",
    output:
        update("results/export/{benchmark}/README.md"),
        update("results/export/{benchmark}/SHA256SUMS"),
        update("results/export/{benchmark}/data/instances.parquet"),
        update("results/export/{benchmark}/data/labels.parquet"),
    log:
        "results/export/{benchmark}.log",
    wildcard_constraints:
        benchmark=flow.export.benchmarks,
    conda:
        "../envs/core.yaml"
    params:
        labelled=setting("labelled.{benchmark}"),
        bootstrap=setting("bootstrap"),
        code=code_of("export_labelled"),
    script:
        "../scripts/export_labelled.py"


rule export_livebench:
    input:
        instances="results/instances/{benchmark}.parquet",
    output:
        update("results/livebench/{benchmark}/model_answer/{system}.jsonl"),
    log:
        "results/livebench/{benchmark}/model_answer/{system}.log",
    conda:
        "../envs/core.yaml"
    params:
        code=code_of("export_livebench"),
    script:
        "../scripts/export_livebench.py"
