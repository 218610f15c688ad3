"""Finish a set: as people decided, or as the filter left it and marked unreviewed."""

from plumbline.construct.filtering import read_filtered
from plumbline.construct.finals import write_finals
from plumbline.construct.reviewed import finished
from plumbline.frame import Job, log, run


def main(job: Job) -> None:
    decisions = job.named_inputs.get("decisions")
    name, seed = job.wildcards["construct"], job.setting("final")["seed"]
    rows = finished(name, read_filtered(job.input("filtered")), seed, decisions[0] if decisions else None)
    write_finals(job.outputs[0], rows)
    log.info("%d pairs", sum(not row.dropped for row in rows))


run(main, snakemake)  # noqa: F821
