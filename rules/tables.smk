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
        waits=setting("waits.{paper}.{table}"),
        plugins=setting("plugins.table.{paper}.{table}"),
        code=flow.cells.code("tables"),
    script:
        "../scripts/tables.py"


rule tables_funnel:
    input:
        ledgers=flow.sets.ledgers,
    output:
        update("results/construct/{construct}/funnel.csv"),
        update("results/construct/{construct}/funnel.md"),
    log:
        "results/construct/{construct}/funnel.log",
    conda:
        "../envs/core.yaml"
    params:
        code=code_of("tables_funnel"),
    script:
        "../scripts/tables_funnel.py"


rule tables_funnels:
    input:
        funnels=flow.sets.funnels,
    output:
        update("results/construct/{build}/funnels.csv"),
        update("results/construct/{build}/funnels.md"),
    log:
        "results/construct/{build}/funnels.log",
    conda:
        "../envs/core.yaml"
    params:
        code=code_of("tables_funnels"),
    script:
        "../scripts/tables_funnels.py"
