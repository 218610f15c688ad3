wildcard_constraints:
    construct=r"[^/]+(/[^/]+)?",
    build=r"[^/]+",
    part="perturbing|writing",


localrules:
    construct,
    pool,
    neighbours,
    similarity,
    candidates,
    asked,
    filtering,
    filtered,
    decisions,
    reviewed,
    unreviewed,
    funnel,
    funnel_figure,
    funnels,
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
        pool=sets.making("pool"),
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
        embedding=sets.making("embeddings"),
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
        ceiling=sets.making("neighbours"),
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
        bounds=sets.making("similarity"),
        code=code_of("similarity"),
    script:
        "../scripts/similarity.py"


rule asked:
    input:
        unpack(sets.perturbed_of),
        pools=sets.pools_of,
        neighbours=sets.neighbours_of_asked,
    output:
        update("results/instances/{build}/{part}.parquet"),
    log:
        "results/instances/{build}/{part}.log",
    conda:
        "../envs/core.yaml"
    params:
        asking=sets.asking,
        code=code_of("asked"),
    script:
        "../scripts/asked.py"


rule candidates:
    input:
        pool=sets.pool_of,
        asked=sets.asked_of,
        written=sets.written_of,
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
        candidates=sets.making("candidates"),
        plugins=sets.plugins,
        code=sets.candidates_code,
    script:
        "../scripts/candidates.py"


rule filtering:
    input:
        candidates=sets.candidates_of,
    output:
        update("results/instances/{build}/filtering.parquet"),
    log:
        "results/instances/{build}/filtering.log",
    conda:
        "../envs/core.yaml"
    params:
        code=code_of("filtering"),
    script:
        "../scripts/filtering.py"


rule filtered:
    input:
        candidates="results/construct/{construct}/candidates.parquet",
        shown=sets.shown_of,
        evaluated=sets.evaluations_of,
    output:
        update("results/construct/{construct}/filtered.parquet"),
    log:
        "results/construct/{construct}/filtered.log",
    conda:
        "../envs/core.yaml"
    params:
        filter=sets.making("filtered"),
        parts=sets.protocols_of,
        code=code_of("filtered"),
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
        final=sets.making("final"),
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
        decisions=sets.making("decisions"),
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


rule funnels:
    input:
        funnels=sets.funnels_of,
    output:
        update("results/construct/{build}/funnels.csv"),
        update("results/construct/{build}/funnels.md"),
    log:
        "results/construct/{build}/funnels.log",
    conda:
        "../envs/core.yaml"
    params:
        code=code_of("funnels"),
    script:
        "../scripts/funnels.py"


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
        sheet=sets.making("sheet"),
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
        update("results/construct/{construct}/dataset/data/pairs.parquet"),
    log:
        "results/construct/{construct}/dataset.log",
    conda:
        "../envs/core.yaml"
    params:
        card=sets.making("card"),
        code=code_of("dataset"),
    script:
        "../scripts/dataset.py"
