rule cells:
    input:
        instances=flow.instances_of_table,
        labels=flow.labels_of_table,
        verdicts=flow.verdicts_of_table,
        declaration=flow.declaration_of_table,
    output:
        update("results/cells/{paper}/{table}.parquet"),
    log:
        "results/cells/{paper}/{table}.log",
    conda:
        "../envs/core.yaml"
    params:
        table=setting("declared.{paper}.{table}"),
        bootstrap=setting("bootstrap"),
        code=code_of("cells"),
    script:
        "../scripts/cells.py"
