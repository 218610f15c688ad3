"""Write the page that leads to every table and figure of the experiment."""

from plumbline.config.tables import Table
from plumbline.config.typed import build
from plumbline.measuring.cells import read_cells
from plumbline.measuring.identity import read_checks
from plumbline.records.files import write_text
from plumbline.records.job import Job, run
from plumbline.report.index import report


def main(job: Job) -> None:
    declared = job.setting("tables")
    cells = {(path.parent.name, path.stem): read_cells(path) for path in job.named_inputs["cells"]}
    tables = {place: build(Table, declared["/".join(place)], "/".join(place)) for place in cells}
    checks = {path.stem: read_checks(path) for path in job.named_inputs["identities"]}
    write_text(job.outputs[0], report(job.setting("title"), tables, cells, checks))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
