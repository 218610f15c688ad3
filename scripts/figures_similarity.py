"""Draw how similar a pool's instructions are to their neighbours, and what the ceiling and the floor cut."""

from plumbline.asking.protocols import embedding_name
from plumbline.config.typed import build
from plumbline.data.instances import InstanceFile
from plumbline.data.vectors import read_vectors
from plumbline.derive.derivations.near import Near
from plumbline.records.files import write_bytes
from plumbline.records.job import Job, log, run
from plumbline.report.similarity import similarity_figure, similarity_profile


def main(job: Job) -> None:
    bounds = build(Near, job.setting("bounds"), "bounds")
    instructions = {one.id: one.instruction for one in InstanceFile.whole(job.input("instances"))}
    names, rows = read_vectors(job.input("vectors"), embedding_name(bounds.prefix))
    profile = similarity_profile(rows, bounds.ceiling, bounds.floor)
    title = f"Neighbours in the pool {job.wildcards['pool']}, ceiling {profile.ceiling:g}"
    write_bytes(job.outputs[0], similarity_figure(profile, [instructions[name] for name in names], title))
    counts = profile.cut, profile.without, profile.far
    log.info("the ceiling cuts the nearest of %d and leaves %d without any; the floor drops %d", *counts)


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
