"""Find each drawn instruction's neighbour below the ceiling."""

from plumbline.data.vectors import read_vectors
from plumbline.derive.pools import read_pool
from plumbline.derive.retrieval import NEIGHBOURS, neighbours
from plumbline.records.job import Job, log, run
from plumbline.records.parquet import write_rows


def main(job: Job) -> None:
    found = neighbours(read_pool(job.input("pool")), *read_vectors(job.input("embeddings")), job.setting("ceiling"))
    write_rows(job.outputs[0], found, NEIGHBOURS)
    log.info("%d of %d have a neighbour", sum(bool(row["neighbour"]) for row in found), len(found))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
