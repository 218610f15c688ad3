"""Write a table's cells as CSV, Markdown, LaTeX and HTML."""

from plumbline.config.tables import ResolvedTable
from plumbline.config.typed import build
from plumbline.measuring.cells import read_cells
from plumbline.measuring.formats import WRITERS
from plumbline.measuring.waiting import of_setting, with_reasons
from plumbline.records.files import write_text
from plumbline.records.job import Job, run


def main(job: Job) -> None:
    table = build(ResolvedTable, job.setting("table"), f"table.{job.wildcards['paper']}.{job.wildcards['table']}")
    cells = with_reasons(read_cells(job.input("cells")), of_setting(job.setting("waits")))
    for output in job.outputs:
        write_text(output, WRITERS[output.suffix[1:]](table, cells))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
