"""Draw a table's cells."""

from plumbline.files import write_bytes
from plumbline.frame import Job, run
from plumbline.measuring.cells import read_cells
from plumbline.measuring.declared import Table
from plumbline.measuring.figures import bars
from plumbline.typed import build


def main(job: Job) -> None:
    table = build(Table, job.setting("table"), f"table.{job.wildcards['paper']}.{job.wildcards['table']}")
    write_bytes(job.outputs[0], bars(table, read_cells(job.input("cells"))))


run(main, snakemake)  # noqa: F821
