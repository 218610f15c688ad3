"""Describe a finished set in numbers: lengths, superficial cues, similarity, what became of every row."""

from plumbline.config.typed import build
from plumbline.derive.filtering import read_filtered
from plumbline.derive.finals import read_finals
from plumbline.derive.funnel import counted
from plumbline.measuring.bootstrap import Bootstrap
from plumbline.records.files import write_text
from plumbline.records.job import Job, run
from plumbline.report.datasheet import MadeBy, datasheet
from plumbline.report.sheet import profile_of


def main(job: Job) -> None:
    finals, filtered = read_finals(job.input("final")), read_filtered(job.input("filtered"))
    counts = counted(job.named_inputs["stages"])
    bootstrap = build(Bootstrap, job.setting("bootstrap"), "bootstrap")
    described = profile_of(job.outputs[0].parent.name, filtered, finals, counts, bootstrap)
    sheet = job.setting("sheet")
    made_by = build(MadeBy, sheet["made_by"], "made_by")
    write_text(job.outputs[0], datasheet(sheet["title"], described, sheet["notes"], made_by))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
