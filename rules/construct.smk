wildcard_constraints:
    construct=r"[^/]+",
    step="perturbed|first|second",
    state="reviewed|unreviewed",


localrules:
    construct,
    pool,
    neighbours,
    similarity,
    candidates,
    filtered,
    decisions,
    reviewed,
    unreviewed,
    funnel,
    funnel_figure,
    datasets,
    datasheet,
    dataset,


rule construct:
    input:
        sets.built(),


rule datasets:
    input:
        sets.datasets(),


rule pool:
    input:
        sources=sets.sources_of,
    output:
        update("results/construct/{construct}/pool.parquet"),
    log:
        "results/construct/{construct}/pool.log",
    conda:
        "../envs/core.yaml"
    params:
        pool=setting("making.{construct}.pool"),
        code=code_of("pool"),
    script:
        "../scripts/pool.py"


rule embeddings:
    input:
        pool="results/construct/{construct}/pool.parquet",
    output:
        update("results/construct/{construct}/embeddings.parquet"),
    log:
        "results/construct/{construct}/embeddings.log",
    conda:
        "../envs/embedded.yaml"
    threads: sets.embedder_resource("cpus")
    resources:
        gpu=sets.embedder_resource("gpu"),
        gpu_model=sets.embedder_resource("gpu_model"),
        slurm_partition=sets.embedder_resource("partition"),
        slurm_extra=sets.embedder_resource("extra"),
    params:
        embedding=setting("making.{construct}.embeddings"),
        code=code_of("embeddings"),
    script:
        "../scripts/embeddings.py"


rule neighbours:
    input:
        pool="results/construct/{construct}/pool.parquet",
        embeddings="results/construct/{construct}/embeddings.parquet",
    output:
        update("results/construct/{construct}/neighbours.parquet"),
    log:
        "results/construct/{construct}/neighbours.log",
    conda:
        "../envs/core.yaml"
    params:
        ceiling=setting("making.{construct}.neighbours"),
        code=code_of("neighbours"),
    script:
        "../scripts/neighbours.py"


rule similarity:
    input:
        pool="results/construct/{construct}/pool.parquet",
        embeddings="results/construct/{construct}/embeddings.parquet",
    output:
        update("results/construct/{construct}/similarity/{pool}.svg"),
    log:
        "results/construct/{construct}/similarity/{pool}.log",
    conda:
        "../envs/core.yaml"
    params:
        ceiling=setting("making.{construct}.neighbours"),
        code=code_of("similarity"),
    script:
        "../scripts/similarity.py"


rule texts:
    input:
        pool="results/construct/{construct}/pool.parquet",
        perturbed=sets.perturbed_of,
        prompts=sets.wording_of,
    output:
        update("results/construct/{construct}/{step}.parquet"),
    log:
        "results/construct/{construct}/{step}.log",
    conda:
        sets.writer_environment
    threads: sets.writer_resource("cpus")
    resources:
        gpu=sets.writer_resource("gpu"),
        gpu_model=sets.writer_resource("gpu_model"),
        mem_mb=sets.writer_growing("mem_mb"),
        runtime=sets.writer_growing("runtime"),
        slurm_partition=sets.writer_resource("partition"),
        slurm_extra=sets.writer_resource("extra"),
    params:
        writing=setting("making.{construct}.{step}"),
        tuning=sets.writer_tuning,
        store=flow.config.store,
        code=sets.writer_code,
    script:
        "../scripts/texts.py"


rule candidates:
    input:
        pool=sets.pool_of,
        texts=sets.texts_of,
        neighbours=sets.neighbours_of,
        counterpart=sets.counterpart_of,
        pairs=sets.pairs_of,
        prompts=sets.wording_of,
    output:
        update("results/construct/{construct}/candidates.parquet"),
    log:
        "results/construct/{construct}/candidates.log",
    conda:
        "../envs/core.yaml"
    params:
        candidates=setting("making.{construct}.candidates"),
        code=code_of("candidates"),
    script:
        "../scripts/candidates.py"


rule evaluate:
    input:
        candidates="results/construct/{construct}/candidates.parquet",
        prompts=sets.evaluator_prompts_of,
        recorded=flow.recorded_of,
    output:
        update("results/construct/{construct}/evaluated/{model}.parquet"),
    log:
        "results/construct/{construct}/evaluated/{model}.log",
    conda:
        flow.judge_environment
    threads: flow.resource("cpus")
    resources:
        gpu=flow.resource("gpu"),
        gpu_model=flow.resource("gpu_model"),
        mem_mb=flow.growing("mem_mb"),
        runtime=flow.growing("runtime"),
        slurm_partition=flow.resource("partition"),
        slurm_extra=flow.resource("extra"),
    params:
        judge=setting("judge.{model}"),
        protocols=setting("making.{construct}.evaluators.{model}.protocols"),
        worded=setting("making.{construct}.evaluators.{model}.worded"),
        parsing=sets.evaluator_parsing,
        tuning=flow.tuning,
        store=flow.config.store,
        code=sets.evaluator_code,
    script:
        "../scripts/evaluate.py"


rule filtered:
    input:
        candidates="results/construct/{construct}/candidates.parquet",
        evaluated=sets.evaluations_of,
        prompts=sets.evaluators_prompts_of,
    output:
        update("results/construct/{construct}/filtered.parquet"),
    log:
        "results/construct/{construct}/filtered.log",
    conda:
        "../envs/core.yaml"
    params:
        filter=setting("making.{construct}.filtered"),
        code=sets.filtered_code,
    script:
        "../scripts/filtered.py"


rule unreviewed:
    input:
        filtered="results/construct/{construct}/filtered.parquet",
    output:
        update("results/construct/{construct}/unreviewed.parquet"),
    log:
        "results/construct/{construct}/unreviewed.log",
    conda:
        "../envs/core.yaml"
    params:
        final=setting("making.{construct}.final"),
        code=code_of("unreviewed"),
    script:
        "../scripts/unreviewed.py"


rule decisions:
    input:
        files=sets.decisions_of,
    output:
        update("results/construct/{construct}/decisions.zip"),
    log:
        "results/construct/{construct}/decisions.log",
    conda:
        "../envs/core.yaml"
    params:
        code=code_of("decisions"),
    script:
        "../scripts/decisions.py"


rule reviewed:
    input:
        queue="results/construct/{construct}/unreviewed.parquet",
        decisions="results/construct/{construct}/decisions.zip",
    output:
        update("results/construct/{construct}/reviewed.parquet"),
    log:
        "results/construct/{construct}/reviewed.log",
    conda:
        "../envs/core.yaml"
    params:
        decisions=setting("making.{construct}.decisions"),
        code=code_of("reviewed"),
    script:
        "../scripts/reviewed.py"


rule funnel:
    input:
        stages=sets.stages_of,
    output:
        update("results/construct/{construct}/funnel.csv"),
        update("results/construct/{construct}/funnel.md"),
    log:
        "results/construct/{construct}/funnel.log",
    conda:
        "../envs/core.yaml"
    params:
        code=code_of("funnel"),
    script:
        "../scripts/funnel.py"


rule funnel_figure:
    input:
        counts="results/construct/{construct}/funnel.csv",
    output:
        update("results/construct/{construct}/funnel.svg"),
        update("results/construct/{construct}/funnel.pdf"),
    log:
        "results/construct/{construct}/funnel_figure.log",
    conda:
        "../envs/core.yaml"
    params:
        code=code_of("funnel_figure"),
    script:
        "../scripts/funnel_figure.py"


rule datasheet:
    input:
        final=sets.final_of,
        filtered="results/construct/{construct}/filtered.parquet",
        stages=sets.stages_of,
    output:
        update("results/construct/{construct}/datasheet.md"),
    log:
        "results/construct/{construct}/datasheet.log",
    conda:
        "../envs/core.yaml"
    params:
        card=setting("making.{construct}.card"),
        bootstrap=setting("bootstrap"),
        code=code_of("datasheet"),
    script:
        "../scripts/datasheet.py"


rule dataset:
    input:
        final=sets.final_of,
        stages=sets.stages_of,
        datasheet="results/construct/{construct}/datasheet.md",
    output:
        update("results/construct/{construct}/dataset/README.md"),
        update("results/construct/{construct}/dataset/SHA256SUMS"),
        update("results/construct/{construct}/dataset/data/{construct}.parquet"),
    log:
        "results/construct/{construct}/dataset.log",
    conda:
        "../envs/core.yaml"
    params:
        card=setting("making.{construct}.card"),
        code=code_of("dataset"),
    script:
        "../scripts/dataset.py"
