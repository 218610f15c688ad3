"""Replay the steps against the transcripts and write every text, with the state that it is in."""

from plumbline.data.instances import InstanceFile
from plumbline.records.job import Job, run
from plumbline.records.parts import parts_by
from plumbline.writing.job import write_texts
from plumbline.writing.setup import WritingSetup


def main(job: Job) -> None:
    setup = WritingSetup.of(job.setting("judge"), job.setting("steps"), job.named_inputs["prompts"])
    instances = InstanceFile.whole(job.input("instances"))
    write_texts(job.outputs[0], instances, setup.steps, job.named_inputs["transcripts"])
    job.parts[job.outputs[0]] = parts_by(job.outputs[0], "step")


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
