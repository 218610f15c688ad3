"""Finish a set as the filter left it, marked unreviewed: also the queue that reviewers work through."""

from plumbline.derive.filtering import read_filtered
from plumbline.derive.finals import write_finals
from plumbline.derive.reviewed import unreviewed
from plumbline.records.job import Job, log, run


def main(job: Job) -> None:
    rows = unreviewed(job.outputs[0].parent.name, read_filtered(job.input("filtered")), job.setting("final")["seed"])
    write_finals(job.outputs[0], rows)
    log.info("%d pairs", len(rows))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
