rule tables:
    input:
        cells="results/cells/{paper}/{table}.parquet",
    output:
        update("results/tables/{paper}/{table}.csv"),
        update("results/tables/{paper}/{table}.md"),
        update("results/tables/{paper}/{table}.tex"),
        update("results/tables/{paper}/{table}.html"),
    log:
        "results/tables/{paper}/{table}.log",
    conda:
        "../envs/core.yaml"
    params:
        table=setting("declared.{paper}.{table}"),
        plugins=setting("plugins.measuring.{paper}.{table}"),
        code=flow.measuring_code("tables"),
    script:
        "../scripts/tables.py"


rule figures:
    input:
        cells="results/cells/{paper}/{table}.parquet",
        compared=flow.verdicts_of_figure,
    output:
        update("results/figures/{paper}/{table}/{kind}.svg"),
        update("results/figures/{paper}/{table}/{kind}.pdf"),
    log:
        "results/figures/{paper}/{table}/{kind}.log",
    conda:
        "../envs/core.yaml"
    params:
        table=setting("declared.{paper}.{table}"),
        plugins=setting("plugins.measuring.{paper}.{table}"),
        bootstrap=setting("bootstrap"),
        parts=flow.protocols_of_figure,
        code=flow.measuring_code("figures"),
    script:
        "../scripts/figures.py"
