"""Compute every cell of a table from verdicts, in both readings, with intervals, beside the printed number."""

from collections.abc import Sequence
from pathlib import Path

from plumbline.frame import Job, log, run
from plumbline.measuring.bootstrap import Bootstrap
from plumbline.measuring.cases import CaseFiles
from plumbline.measuring.cells import write_cells
from plumbline.measuring.declared import Table
from plumbline.measuring.table import Measuring
from plumbline.typed import build


def main(job: Job) -> None:
    table = build(Table, job.setting("table"), f"table.{job.wildcards['paper']}.{job.wildcards['table']}")
    files = job.named_inputs
    cases = case_files(files["instances"], files["labels"], files["verdicts"])
    cells = Measuring(table, build(Bootstrap, job.setting("bootstrap"), "bootstrap"), cases).cells()
    write_cells(job.outputs[0], cells)
    log.info("%d cells", len(cells))


def case_files(instances: Sequence[Path], labels: Sequence[Path], verdicts: Sequence[Path]) -> dict[str, CaseFiles]:
    """The files of each benchmark, by their names: INSTANCES/B, LABELS/B, VERDICTS/B/MODEL."""
    said = {path.stem: path for path in labels}
    return {
        path.stem: CaseFiles(
            path, said[path.stem], {found.stem: [found] for found in verdicts if found.parent.name == path.stem}
        )
        for path in instances
    }


run(main, snakemake)  # noqa: F821
