"""Write a table's cells as CSV, Markdown, LaTeX and HTML."""

from plumbline.cells import CELLS
from plumbline.declarations import Table
from plumbline.files import write_text
from plumbline.frame import Job, run
from plumbline.parquet import read_rows
from plumbline.tables import WRITERS
from plumbline.typed import build


def main(job: Job) -> None:
    table = build(Table, job.setting("table"), f"table.{job.wildcards['paper']}.{job.wildcards['table']}")
    cells = read_rows(job.input("cells"), CELLS)
    for output in job.outputs:
        write_text(output, WRITERS[output.suffix[1:]](table, cells))


run(main, snakemake)  # noqa: F821
