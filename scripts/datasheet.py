"""Describe a finished set in numbers: lengths, superficial cues, similarity, what became of every row."""

from plumbline.config.typed import build
from plumbline.construct.datasheet import MadeBy, datasheet
from plumbline.construct.filtering import read_filtered
from plumbline.construct.finals import read_finals
from plumbline.construct.funnel import counted
from plumbline.construct.profile import profile
from plumbline.construct.sheet import known_of
from plumbline.measuring.bootstrap import Bootstrap
from plumbline.records.files import write_text
from plumbline.records.job import Job, run


def main(job: Job) -> None:
    finals, filtered = read_finals(job.input("final")), read_filtered(job.input("filtered"))
    known = known_of(job.outputs[0].parent.name, filtered, finals, counted(job.named_inputs["stages"]))
    pairs = [final.pair for final in finals if not final.dropped]
    described = profile(pairs, build(Bootstrap, job.setting("bootstrap"), "bootstrap"), known)
    sheet = job.setting("sheet")
    made_by = build(MadeBy, sheet["made_by"], "made_by")
    write_text(job.outputs[0], datasheet(sheet["title"], described, sheet["notes"], made_by))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
