"""Compute every cell of a table from verdicts, in both readings, with intervals, beside the printed number."""

from plumbline.config.tables import measured
from plumbline.config.typed import build
from plumbline.measuring.bootstrap import Bootstrap
from plumbline.measuring.built_sets import BuiltSets
from plumbline.measuring.cases import CaseFiles
from plumbline.measuring.cells import write_cells
from plumbline.measuring.table import Measuring
from plumbline.records.job import Job, log, run


def main(job: Job) -> None:
    table = measured(job.setting("table"), f"table.{job.wildcards['paper']}.{job.wildcards['table']}")
    files = job.named_inputs
    cases = CaseFiles.by_benchmark(files["instances"], files["labels"], files["verdicts"])
    states = {name: states for name, states in job.setting("built").items() if name in cases}
    built = {name: BuiltSets.of(states[name], cases[name].instances) for name in states}
    cells = Measuring(table, build(Bootstrap, job.setting("bootstrap"), "bootstrap"), cases, built).cells()
    write_cells(job.outputs[0], cells)
    log.info("%d cells", len(cells))
    for reason in dict.fromkeys(cell.reason for cell in cells if cell.status == "failed"):
        log.error("%s", reason)


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
