"""Count what became of every row of a set, by stage and reason."""

from plumbline.derive.funnel import as_csv, as_markdown, counted
from plumbline.records.files import write_text
from plumbline.records.job import Job, run


def main(job: Job) -> None:
    counts = counted(job.named_inputs["stages"])
    write_text(job.outputs[0], as_csv(counts))
    write_text(job.outputs[1], as_markdown(job.outputs[0].parent.name, counts))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
