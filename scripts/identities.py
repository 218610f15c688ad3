"""Hold a paper's printed numbers against what follows for them from one another."""

from plumbline.measuring.identity import checks, write_checks
from plumbline.measuring.identity_tables import WRITERS
from plumbline.measuring.printed import Printed
from plumbline.records.files import write_text
from plumbline.records.job import Job, log, run


def main(job: Job) -> None:
    paper = job.wildcards["paper"]
    checked = checks(paper, Printed.of(paper, job.setting("printed")))
    records, *tables = job.outputs
    write_checks(records, checked)
    for table in tables:
        write_text(table, WRITERS[table.suffix[1:]](paper, checked))
    log.info("%d of %d hold", sum(check.holds for check in checked), len(checked))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
