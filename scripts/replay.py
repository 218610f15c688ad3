"""Replay what a model was asked against its transcripts, and write every verdict, text or vector that it stated."""

from typing import cast

from plumbline.asking.program import Stated
from plumbline.asking.replay import write_stated
from plumbline.asking.setup import AskSetup
from plumbline.data.instances import InstanceFile
from plumbline.records.job import Job, run
from plumbline.records.parts import parts_by

PARTS = {"verdicts": "protocol", "texts": "step", "vectors": "step"}
"""The column that says under which protocol or step something was stated."""


def main(job: Job) -> None:
    settings = {name: job.setting(name) for name in ("judge", "asked", "worded")}
    setup = AskSetup.of(settings, job.setting("parsing"), job.named_inputs["wordings"])
    stated, instances = cast(Stated, job.wildcards["stated"]), InstanceFile.whole(job.input("instances"))
    write_stated(stated, job.outputs[0], instances, setup, job.named_inputs["transcripts"], job.setting("noise"))
    job.parts[job.outputs[0]] = parts_by(job.outputs[0], PARTS[stated])


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
