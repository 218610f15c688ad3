"""Copy the style and the scripts that all pages share."""

from plumbline.records.files import read_bytes, write_bytes
from plumbline.records.job import Job, run


def main(job: Job) -> None:
    by_name = {path.name: path for path in job.named_inputs["assets"]}
    for output in job.outputs:
        write_bytes(output, read_bytes(by_name[output.name]))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
