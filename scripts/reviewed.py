"""Finish a set as people decided."""

from plumbline.derive.finals import read_finals, write_finals
from plumbline.derive.review import decisions_in
from plumbline.derive.reviewed import reviewed
from plumbline.records.job import Job, log, run
from plumbline.sources.archive import SourceFiles


def main(job: Job) -> None:
    kept = SourceFiles(job.input("decisions"))
    decisions = [said for path in job.setting("decisions") for said in decisions_in(kept.read(path), path)]
    rows = reviewed(read_finals(job.input("queue")), decisions)
    write_finals(job.outputs[0], rows)
    log.info("%d pairs, %d of them reviewed and kept", len(rows), sum(not row.dropped for row in rows))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
