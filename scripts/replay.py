"""Replay what a model was asked against its transcripts, and write every verdict, text or vector that it stated."""

from typing import cast

from plumbline.asking.program import Stated
from plumbline.asking.replay import write_stated
from plumbline.asking.setup import AskSetup
from plumbline.data.instances import InstanceFile
from plumbline.records.job import Job, run


def main(job: Job) -> None:
    replayed = job.setting("replayed")
    setup = AskSetup.of({"judge": job.setting("judge")} | replayed, replayed["parsing"], job.named_inputs["wordings"])
    stated, instances = cast(Stated, job.wildcards["stated"]), InstanceFile.whole(job.input("instances"))
    write_stated(stated, job.outputs[0], instances, setup, job.named_inputs["transcripts"])


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
