rule derive:
    input:
        instances=making.instances_of,
        labels=making.labels_of,
        texts=making.texts_of,
        verdicts=making.verdicts_of,
        vectors=making.vectors_of,
        decisions=making.decisions_of,
        labels_source=making.labels_source_of,
        choices=making.choices_of,
        prompts=making.prompts_of,
    output:
        update("results/instances/{benchmark}.parquet"),
        update("results/labels/{benchmark}.parquet"),
        update("results/ledger/{benchmark}.parquet"),
    log:
        "results/instances/{benchmark}.log",
    wildcard_constraints:
        benchmark=making.derived,
    conda:
        "../envs/core.yaml"
    params:
        benchmark=setting("made.{benchmark}"),
        wording=setting("wordings_of.{benchmark}"),
        plugins=setting("plugins.making.{benchmark}"),
        code=making.derive_code,
    script:
        "../scripts/derive.py"


rule derive_verdicts:
    input:
        instances="results/instances/{benchmark}.parquet",
        verdicts=making.composed_of,
    output:
        update("results/verdicts/{benchmark}/{model}.parquet"),
    log:
        "results/verdicts/{benchmark}/{model}.log",
    wildcard_constraints:
        model=one_of(flow.composed),
    conda:
        "../envs/core.yaml"
    params:
        composed=setting("composed.{benchmark}.{model}"),
        code=making.composed_code,
    script:
        "../scripts/derive_verdicts.py"
