"""Read a benchmark from its sources: instances, labels and a ledger of all rows, into a file each."""

from plumbline.data.loaded import write_benchmark
from plumbline.data.loader import read_of
from plumbline.data.loading import load
from plumbline.derive.second_pass import chosen_in, with_choices
from plumbline.records.job import Job, run
from plumbline.sources.archive import SourceFiles


def main(job: Job) -> None:
    benchmark = read_of(job.setting("benchmark"), f"benchmark.{job.wildcards['benchmark']}")
    labels, choices = job.named_inputs["labels_source"], job.named_inputs["choices"]
    joined = dict(zip(benchmark.joined, map(SourceFiles, job.named_inputs["joined"]), strict=True))
    read = load(benchmark, SourceFiles(job.input("source")), SourceFiles(labels[0]) if labels else None, joined)
    if choices:
        read = with_choices(read, chosen_in(SourceFiles(choices[0]), benchmark.second_pass))
    write_benchmark(*job.outputs, read).report()


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
