"""Draw a table's cells."""

from plumbline.config.tables import Table
from plumbline.config.typed import build
from plumbline.measuring.cells import read_cells
from plumbline.measuring.figures import bars
from plumbline.records.files import write_bytes
from plumbline.records.job import Job, run


def main(job: Job) -> None:
    table = build(Table, job.setting("table"), f"table.{job.wildcards['paper']}.{job.wildcards['table']}")
    write_bytes(job.outputs[0], bars(table, read_cells(job.input("cells"))))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
