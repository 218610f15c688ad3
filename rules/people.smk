rule people:
    input:
        journals=flow.people.journals,
    output:
        update("results/people/{benchmark}.parquet"),
    log:
        "results/people/{benchmark}.log",
    conda:
        "../envs/core.yaml"
    params:
        which=setting("journals.{benchmark}"),
        code=code_of("people"),
    script:
        "../scripts/people.py"
