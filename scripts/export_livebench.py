"""Write a system's outputs as answers that LiveBench's own tool scores."""

from plumbline.data.instances import InstanceFile
from plumbline.records.job import Job, run
from plumbline.report.livebench_answers import write_answers


def main(job: Job) -> None:
    write_answers(job.outputs[0], InstanceFile.whole(job.input("instances")), job.wildcards["system"])


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
