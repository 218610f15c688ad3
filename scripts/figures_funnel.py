"""Draw what became of every row of a set."""

from plumbline.records.files import as_text, read_bytes, write_bytes
from plumbline.records.job import Job, run
from plumbline.report.funnel import from_csv
from plumbline.report.funnel_figure import funnel


def main(job: Job) -> None:
    path = job.input("counts")
    drawn = funnel(job.wildcards["construct"], from_csv(as_text(read_bytes(path), str(path))))
    for output in job.outputs:
        write_bytes(output, drawn[output.suffix[1:]])


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
