"""Draw the rated examples that prompts about a benchmark's instances may show."""

from plumbline.config.benchmark import Examples
from plumbline.config.typed import build
from plumbline.data.examples import write_examples
from plumbline.records.job import Job, run


def main(job: Job) -> None:
    declared = build(Examples, job.setting("examples"), "examples")
    write_examples(job.outputs[0], job.input("instances"), job.input("labels"), declared)


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
