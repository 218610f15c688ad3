"""Read a benchmark's instances from its source, or from the sets built for it, into the one schema."""

from plumbline import schema
from plumbline.archive import SourceFiles
from plumbline.construct.finals import assemble
from plumbline.frame import Job, log, run
from plumbline.instances import PairFile, write_pairs
from plumbline.loaders import load
from plumbline.typed import build


def main(job: Job) -> None:
    benchmark = build(schema.Benchmark, job.setting("benchmark"), f"benchmark.{job.wildcards['benchmark']}")
    if benchmark.loader == "construct":
        pairs = assemble(benchmark, job.named_inputs["source"])
    else:
        pairs = load(benchmark, SourceFiles(job.input("source")))
    write_pairs(job.outputs[0], pairs)
    log.info("%d pairs", len(PairFile.whole(job.outputs[0])))


run(main, snakemake)  # noqa: F821
