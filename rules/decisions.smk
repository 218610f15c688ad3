rule decisions:
    input:
        files=making.files_decided,
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


rule decisions_blind:
    input:
        files=making.files_chosen,
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
