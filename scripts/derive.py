"""Make a benchmark of others: instances, the labels that still hold, and a ledger of what became of every input."""

from plumbline.data.instances import flaws
from plumbline.data.loaded import write_benchmark
from plumbline.derive.derivation import derived_of, named
from plumbline.derive.files import Files, derive
from plumbline.records.job import Job, log, run


def main(job: Job) -> None:
    name = job.wildcards["benchmark"]
    benchmark = derived_of(job.setting("benchmark"), f"benchmark.{name}")
    job.packages = named(benchmark.derive).packages
    accounted = derive(name, benchmark, job.setting("wording"), Files(job.named_inputs))
    write_benchmark(*job.outputs, accounted).report()
    if flawed := flaws(job.outputs[0]):
        log.warning("texts that models did not write as asked (%s)", flawed)


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
