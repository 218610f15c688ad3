"""Read a benchmark's instances from its source into the one schema."""

from plumbline import schema
from plumbline.archive import SourceFiles
from plumbline.frame import Job, log, run
from plumbline.instances import write_pairs
from plumbline.loaders import load
from plumbline.typed import build


def main(job: Job) -> None:
    benchmark = build(schema.Benchmark, job.setting("benchmark"), f"benchmark.{job.wildcards['benchmark']}")
    pairs = load(benchmark, SourceFiles(job.input("source")))
    write_pairs(job.outputs[0], pairs)
    log.info("%d pairs", len(pairs))


run(main, snakemake)  # noqa: F821
