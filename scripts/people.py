"""Put what people said on the labelling pages together, by numbers and not by names."""

from plumbline.data.collected import write_collected
from plumbline.people.collecting import collected
from plumbline.records.job import Job, run


def main(job: Job) -> None:
    write_collected(job.outputs[0], collected(job.inputs))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
