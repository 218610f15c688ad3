ruleorder: identities > tables


rule identities:
    input:
        flow.identities.declarations,
    output:
        update("results/identities/{paper}.parquet"),
        update("results/tables/{paper}/identities.csv"),
        update("results/tables/{paper}/identities.md"),
        update("results/tables/{paper}/identities.tex"),
        update("results/tables/{paper}/identities.html"),
    log:
        "results/identities/{paper}.log",
    conda:
        "../envs/core.yaml"
    params:
        printed=setting("printed.{paper}"),
        code=flow.identities.code,
    script:
        "../scripts/identities.py"
