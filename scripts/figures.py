"""Draw a table's cells."""

from plumbline.config.tables import ResolvedTable
from plumbline.config.typed import build
from plumbline.measuring.bootstrap import Bootstrap
from plumbline.measuring.cases import CaseFiles
from plumbline.measuring.cells import read_cells
from plumbline.measuring.critical import critical
from plumbline.measuring.figures import DRAWN
from plumbline.records.files import write_bytes
from plumbline.records.job import Job, run


def main(job: Job) -> None:
    place, kind = f"{job.wildcards['paper']}.{job.wildcards['table']}", job.wildcards["kind"]
    table = build(ResolvedTable, job.setting("table"), f"table.{place}")
    cells = read_cells(job.input("cells"))
    if kind == "critical":
        bootstrap = build(Bootstrap, job.setting("bootstrap"), "bootstrap")
        drawn = critical(table, CaseFiles.among(job.named_inputs["compared"]), bootstrap)
    else:
        drawn = DRAWN[kind](table, cells)
    for output in job.outputs:
        write_bytes(output, drawn[output.suffix[1:]])


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
