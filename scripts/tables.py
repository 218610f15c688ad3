"""Write a table's cells as CSV, Markdown, LaTeX and HTML."""

from plumbline.config.tables import Table
from plumbline.config.typed import build
from plumbline.measuring.cells import read_cells
from plumbline.measuring.formats import WRITERS
from plumbline.records.files import write_text
from plumbline.records.job import Job, run


def main(job: Job) -> None:
    table = build(Table, job.setting("table"), f"table.{job.wildcards['paper']}.{job.wildcards['table']}")
    cells = read_cells(job.input("cells"))
    for output in job.outputs:
        write_text(output, WRITERS[output.suffix[1:]](table, cells))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
