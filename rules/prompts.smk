rule prompts:
    input:
        templates=flow.templates_of,
    output:
        update("results/prompts/{prompts}.zip"),
    log:
        "results/prompts/{prompts}.log",
    conda:
        "../envs/core.yaml"
    params:
        wording=setting("wording.{prompts}"),
        code=code_of("prompts"),
    script:
        "../scripts/prompts.py"
