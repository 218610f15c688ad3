"""Bring together the candidates that evaluators are shown for sets that are built together; no label goes with them."""

from plumbline.data.instances import InstanceFile, identified, write_instances
from plumbline.derive.candidates import read_candidates
from plumbline.derive.filtering import shown
from plumbline.records.job import Job, log, run


def main(job: Job) -> None:
    files = job.named_inputs["candidates"]
    found = (instance for path in files for instance in shown(path.parent.name, read_candidates(path)))
    write_instances(job.outputs[0], identified(found))
    log.info("%d candidates of %d sets", len(InstanceFile.whole(job.outputs[0])), len(files))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
