rule wording:
    input:
        templates=flow.wording.templates,
    output:
        update("results/wording/{prompts}.zip"),
    log:
        "results/wording/{prompts}.log",
    conda:
        "../envs/core.yaml"
    params:
        wording=setting("wording.{prompts}"),
        code=code_of("wording"),
    script:
        "../scripts/wording.py"
