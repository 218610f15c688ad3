"""Draw how similar a pool's instructions are to their neighbours, and what the ceiling and the floor cut."""

from plumbline.data.vectors import read_vectors
from plumbline.derive.pools import read_pool
from plumbline.derive.retrieval import of_pool
from plumbline.records.files import write_bytes
from plumbline.records.job import Job, log, run
from plumbline.report.similarity import similarity_figure, similarity_profile


def main(job: Job) -> None:
    pool = job.wildcards["pool"]
    items, rows = of_pool(pool, read_pool(job.input("pool")), *read_vectors(job.input("embeddings")))
    profile = similarity_profile(rows, **job.setting("bounds"))
    title = f"Neighbours in the pool {pool}, ceiling {profile.ceiling:g}"
    write_bytes(job.outputs[0], similarity_figure(profile, [item.instruction for item in items], title))
    counts = profile.cut, profile.without, profile.far
    log.info("the ceiling cuts the nearest of %d and leaves %d without any; the floor drops %d", *counts)


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
