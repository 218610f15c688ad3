rule source:
    input:
        register=flow.source.register,
    output:
        update("results/source/{source}.zip"),
    log:
        "results/source/{source}.log",
    conda:
        "../envs/core.yaml"
    params:
        source=setting("source.{source}"),
        mirror=flow.mirror,
        code=code_of("source"),
    script:
        "../scripts/source.py"
