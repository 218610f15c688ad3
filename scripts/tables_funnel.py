"""Count what became of every row of a set, by stage and reason."""

from plumbline.derive.history import read_ledgers
from plumbline.records.files import write_text
from plumbline.records.job import Job, run
from plumbline.report.funnel import as_csv, as_markdown, counted


def main(job: Job) -> None:
    name = job.outputs[0].parent.name
    counts = counted(read_ledgers(name, job.named_inputs["ledgers"]))
    write_text(job.outputs[0], as_csv(counts))
    write_text(job.outputs[1], as_markdown(name, counts))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
