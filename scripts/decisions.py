"""Keep what people decided about a set with the results."""

from plumbline.records.job import Job, log, run
from plumbline.sources.archive import pack


def main(job: Job) -> None:
    pack(job.outputs[0], {path.as_posix(): path for path in job.inputs})
    log.info("%d files of decisions", len(job.inputs))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
