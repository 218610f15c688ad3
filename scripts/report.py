"""Write the page that leads to every table and figure of the experiment."""

from plumbline.files import write_text
from plumbline.frame import Job, run
from plumbline.measuring.cells import read_cells
from plumbline.measuring.declared import Table
from plumbline.report import report
from plumbline.typed import build


def main(job: Job) -> None:
    declared = job.setting("tables")
    cells = {(path.parent.name, path.stem): read_cells(path) for path in job.named_inputs["cells"]}
    tables = {place: build(Table, declared["/".join(place)], "/".join(place)) for place in cells}
    write_text(job.outputs[0], report(job.setting("title"), tables, cells))


run(main, snakemake)  # noqa: F821
