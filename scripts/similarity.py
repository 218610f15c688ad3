"""Draw how similar a pool's instructions are to their neighbours, and what the ceiling and the floor cut."""

from plumbline.data.instances import InstanceFile
from plumbline.derive.retrieval import read_embeddings
from plumbline.records.files import write_bytes
from plumbline.records.job import Job, log, run
from plumbline.report.similarity import similarity_figure, similarity_profile


def main(job: Job) -> None:
    instructions = {one.id: one.instruction for one in InstanceFile.whole(job.input("instances"))}
    names, vectors = read_embeddings(job.input("vectors"))
    places = [place for place, name in enumerate(names) if name in instructions]
    profile = similarity_profile(vectors[places], **job.setting("bounds"))
    title = f"Neighbours in the pool {job.wildcards['pool']}, ceiling {profile.ceiling:g}"
    write_bytes(job.outputs[0], similarity_figure(profile, [instructions[names[place]] for place in places], title))
    counts = profile.cut, profile.without, profile.far
    log.info("the ceiling cuts the nearest of %d and leaves %d without any; the floor drops %d", *counts)


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
