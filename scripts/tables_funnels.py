"""Put the funnels of sets that are built together beside one another."""

from plumbline.records.files import as_text, read_bytes, write_text
from plumbline.records.job import Job, run
from plumbline.report.funnel import from_csv
from plumbline.report.funnels import as_csv, as_markdown


def main(job: Job) -> None:
    sets = {path.parent.name: from_csv(as_text(read_bytes(path), str(path))) for path in job.named_inputs["funnels"]}
    write_text(job.outputs[0], as_csv(sets))
    write_text(job.outputs[1], as_markdown(job.wildcards["build"], sets))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
