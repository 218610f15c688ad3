"""Describe a finished set in numbers: lengths, superficial cues, similarity, what became of every row."""

from plumbline.config.typed import build
from plumbline.data.labelled import read_labelled
from plumbline.derive.history import histories, read_ledgers
from plumbline.measuring.bootstrap import Bootstrap
from plumbline.records.files import write_text
from plumbline.records.job import Job, run
from plumbline.report.datasheet import MadeBy, datasheet
from plumbline.report.funnel import counted
from plumbline.report.sheet import profile_of


def main(job: Job) -> None:
    name = job.outputs[0].parent.name
    pairs = read_labelled(job.input("final_instances"), job.input("final_labels"))
    ledgers = read_ledgers(name, job.named_inputs["ledgers"])
    bootstrap = build(Bootstrap, job.setting("bootstrap"), "bootstrap")
    described = profile_of(name, pairs, list(histories(ledgers)), counted(ledgers), bootstrap)
    sheet = job.setting("sheet")
    made_by = build(MadeBy, sheet["made_by"], "made_by")
    write_text(job.outputs[0], datasheet(sheet["title"], described, sheet["notes"], made_by))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
