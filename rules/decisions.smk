rule decisions:
    input:
        files=flow.decisions.files,
    output:
        update("results/decisions/{benchmark}.zip"),
    log:
        "results/decisions/{benchmark}.log",
    conda:
        "../envs/core.yaml"
    params:
        code=code_of("decisions"),
    script:
        "../scripts/decisions.py"
