rule report:
    input:
        cells=flow.cells(),
        tables=flow.tables(),
        identities=flow.identities(),
    output:
        update("results/report/index.html"),
    log:
        "results/report/index.log",
    conda:
        "../envs/core.yaml"
    params:
        title=setting("experiment.title"),
        tables=setting("chosen"),
        code=code_of("report"),
    script:
        "../scripts/report.py"
