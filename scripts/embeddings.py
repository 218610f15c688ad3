"""Embed the instructions of a set's pools."""

from plumbline.config.model import Model
from plumbline.config.typed import build
from plumbline.data.vectors import write_vectors
from plumbline.derive.pools import read_pool
from plumbline.models.engines.embedding import embed
from plumbline.records.job import Job, log, run


def main(job: Job) -> None:
    settings = job.setting("embedding")
    model = build(Model, settings["model"] | {"label": "embedder"}, "model")
    items = [item for item in read_pool(job.input("pool")) if not item.dropped]
    rows, identity = embed([item.instruction for item in items], model, settings["prefix"])
    write_vectors(job.outputs[0], [item.id for item in items], rows)
    job.made_with.update(identity)
    log.info("%d instructions embedded", len(items))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
