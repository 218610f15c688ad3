"""Read a benchmark's instances and labels from its sources, or from the sets built for it, into a file each."""

from plumbline.config.benchmark import ConstructedBenchmark, ReadBenchmark
from plumbline.data.loaded import write_loaded
from plumbline.data.loader import benchmark_of
from plumbline.data.loading import load
from plumbline.derive.finals import assemble
from plumbline.derive.review import decisions_in
from plumbline.derive.second_pass import with_choices
from plumbline.records.job import Job, log, run
from plumbline.sources.archive import SourceFiles


def main(job: Job) -> None:
    benchmark = benchmark_of(job.setting("benchmark"), f"benchmark.{job.wildcards['benchmark']}")
    if isinstance(benchmark, ConstructedBenchmark):
        loaded = assemble(benchmark, job.named_inputs["source"])
    else:
        assert isinstance(benchmark, ReadBenchmark), "another rule makes what is derived"
        labels = job.named_inputs["labels"]
        joined = dict(zip(benchmark.joined, map(SourceFiles, job.named_inputs["joined"]), strict=True))
        loaded = load(benchmark, SourceFiles(job.input("source")), SourceFiles(labels[0]) if labels else None, joined)
    if benchmark.second_pass:
        kept = SourceFiles(job.input("choices"))
        chosen = [said for path in benchmark.second_pass for said in decisions_in(kept.read(path), path)]
        loaded = with_choices(loaded, chosen)
    count = write_loaded(job.outputs[0], job.outputs[1], loaded)
    log.info("%d instances", count)


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
