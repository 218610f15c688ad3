wildcard_constraints:
    scope=r"[^/]+",


rule report_assets:
    input:
        assets=pages.assets(),
    output:
        update(pages.shared()),
    log:
        "results/report/assets.log",
    conda:
        "../envs/core.yaml"
    params:
        code=code_of("report_assets"),
    script:
        "../scripts/report_assets.py"


rule report_table:
    input:
        cells="results/cells/{paper}/{table}.parquet",
        instances=flow.instances_of_table,
        labels=flow.labels_of_table,
        verdicts=flow.verdicts_of_table,
        files=pages.tables_of,
        templates=pages.templates("table.html"),
    output:
        page=update("results/report/tables/{paper}/{table}.html"),
        data=update("results/report/tables/{paper}/{table}.js"),
        provenance=update("results/report/tables/{paper}/{table}.provenance.js"),
    log:
        "results/report/tables/{paper}/{table}.log",
    conda:
        "../envs/core.yaml"
    params:
        table=setting("declared.{paper}.{table}"),
        sets=setting("sets_of.{paper}.{table}"),
        plugins=setting("plugins.measuring.{paper}.{table}"),
        parts=flow.protocols_of_table,
        code=flow.measuring_code("report_table"),
    script:
        "../scripts/report_table.py"


rule report_judge:
    input:
        instances="results/instances/{benchmark}.parquet",
        labels="results/labels/{benchmark}.parquet",
        verdicts="results/verdicts/{benchmark}/{model}.parquet",
        transcripts=flow.transcripts_of,
        templates=pages.templates("judge.html"),
    output:
        page=update("results/report/judges/{benchmark}/{model}.html"),
        provenance=update("results/report/judges/{benchmark}/{model}.provenance.js"),
        calls=update(pages.call_parts()),
    log:
        "results/report/judges/{benchmark}/{model}.log",
    wildcard_constraints:
        benchmark=r"[^/]+",
    conda:
        "../envs/core.yaml"
    params:
        model=setting("described.{model}"),
        bootstrap=setting("bootstrap"),
        code=code_of("report_judge"),
    script:
        "../scripts/report_judge.py"


rule report_benchmark:
    input:
        instances="results/instances/{benchmark}.parquet",
        labels="results/labels/{benchmark}.parquet",
        verdicts=pages.verdicts_of,
        transcripts=pages.transcripts_of,
        templates=pages.templates("judges.html", "disagreements.html"),
    output:
        judges=update("results/report/judges/{benchmark}.html"),
        disagreements=update("results/report/disagreements/{benchmark}.html"),
        votes=update("results/report/disagreements/{benchmark}.js"),
        instances=update("results/report/data/instances/{benchmark}.js"),
    log:
        "results/report/judges/{benchmark}.log",
    wildcard_constraints:
        benchmark=r"[^/]+",
    conda:
        "../envs/core.yaml"
    params:
        bootstrap=setting("bootstrap"),
        home=setting("home.{benchmark}"),
        asked=setting("counted.{benchmark}"),
        code=code_of("report_benchmark"),
    script:
        "../scripts/report_benchmark.py"


rule report_datasheet:
    input:
        final_instances=sets.final_of("instances"),
        final_labels=sets.final_of("labels"),
        ledgers=sets.ledgers_of,
    output:
        update("results/construct/{construct}/datasheet.md"),
    log:
        "results/construct/{construct}/datasheet.log",
    conda:
        "../envs/core.yaml"
    params:
        sheet=sets.told("sheet"),
        bootstrap=setting("bootstrap"),
        code=code_of("report_datasheet"),
    script:
        "../scripts/report_datasheet.py"


rule report_set:
    input:
        counts="results/construct/{construct}/funnel.csv",
        final_instances=sets.final_of("instances"),
        final_labels=sets.final_of("labels"),
        ledgers=sets.ledgers_of,
        files=sets.files_of,
        templates=pages.templates("set.html"),
    output:
        page=update("results/report/sets/{construct}.html"),
        data=update("results/report/sets/{construct}.js"),
    log:
        "results/report/sets/{construct}.log",
    conda:
        "../envs/core.yaml"
    params:
        sheet=sets.told("sheet"),
        bootstrap=setting("bootstrap"),
        tables=pages.tables_on,
        code=code_of("report_set"),
    script:
        "../scripts/report_set.py"


rule report_index:
    input:
        cells=pages.cells_of,
        identities=pages.identities_of,
        funnels=pages.funnels_of,
        templates=pages.templates("index.html"),
    output:
        update("results/report/{scope}.html"),
    log:
        "results/report/{scope}.log",
    conda:
        "../envs/core.yaml"
    params:
        title=setting("experiment.title"),
        tables=pages.declared,
        sets=setting("sets_shown.{scope}"),
        left_out=setting("sets_left_out.{scope}"),
        code=code_of("report_index"),
    script:
        "../scripts/report_index.py"
