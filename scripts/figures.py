"""Draw a table's cells."""

from plumbline.cells import CELLS
from plumbline.declarations import Table
from plumbline.figures import bars
from plumbline.files import write_bytes
from plumbline.frame import Job, run
from plumbline.parquet import read_rows
from plumbline.typed import build


def main(job: Job) -> None:
    table = build(Table, job.setting("table"), f"table.{job.wildcards['paper']}.{job.wildcards['table']}")
    write_bytes(job.outputs[0], bars(table, read_rows(job.input("cells"), CELLS)))


run(main, snakemake)  # noqa: F821
