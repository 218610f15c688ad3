"""Compute every cell of a table from verdicts, in both readings, with intervals, beside the printed number."""

from pathlib import Path

from plumbline.cells import CELLS
from plumbline.declarations import Table
from plumbline.frame import Job, log, run
from plumbline.instances import PairFile
from plumbline.measure import Bootstrap, Computing, Counts, Evidence
from plumbline.parquet import stream_rows, write_rows
from plumbline.typed import build
from plumbline.verdicts import VERDICTS


def main(job: Job) -> None:
    table = build(Table, job.setting("table"), f"table.{job.wildcards['paper']}.{job.wildcards['table']}")
    pairs = {path.stem: PairFile.whole(path) for path in job.named_inputs["instances"]}
    files = job.named_inputs["verdicts"]
    verdicts = {judged(path): Counts.of(stream_rows(path, VERDICTS), path.as_posix()) for path in files}
    bootstrap = build(Bootstrap, job.setting("bootstrap"), "bootstrap")
    cells = Computing(table, bootstrap, Evidence(pairs, verdicts)).rows()
    write_rows(job.outputs[0], cells, CELLS)
    log.info("%d cells", len(cells))


def judged(path: Path) -> tuple[str, str]:
    """Benchmark and model of a verdict file, from its name."""
    return path.parent.name, path.stem


run(main, snakemake)  # noqa: F821
