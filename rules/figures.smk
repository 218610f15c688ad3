rule figures:
    input:
        cells="results/cells/{paper}/{table}.parquet",
        compared=flow.figures.compared,
    output:
        update("results/figures/{paper}/{table}/{kind}.svg"),
        update("results/figures/{paper}/{table}/{kind}.pdf"),
    log:
        "results/figures/{paper}/{table}/{kind}.log",
    conda:
        "../envs/core.yaml"
    params:
        table=setting("declared.{paper}.{table}"),
        plugins=setting("plugins.table.{paper}.{table}"),
        bootstrap=setting("bootstrap"),
        parts=flow.figures.parts,
        code=flow.cells.code("figures"),
    script:
        "../scripts/figures.py"


rule figures_funnel:
    input:
        counts="results/construct/{construct}/funnel.csv",
    output:
        update("results/construct/{construct}/funnel.svg"),
        update("results/construct/{construct}/funnel.pdf"),
    log:
        "results/construct/{construct}/figures_funnel.log",
    conda:
        "../envs/core.yaml"
    params:
        code=code_of("figures_funnel"),
    script:
        "../scripts/figures_funnel.py"


rule figures_similarity:
    input:
        instances="results/instances/pool/{pool}.parquet",
        vectors=flow.sets.vectors,
    output:
        update("results/construct/{construct}/similarity/{pool}.svg"),
    log:
        "results/construct/{construct}/similarity/{pool}.log",
    conda:
        "../envs/core.yaml"
    params:
        bounds=flow.sets.bounds,
        code=code_of("figures_similarity"),
    script:
        "../scripts/figures_similarity.py"
