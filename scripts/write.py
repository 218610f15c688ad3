"""Ask one model about one shard of a benchmark for every text that others need of it; write down each call."""

from pathlib import Path

from plumbline.data.instances import InstanceFile
from plumbline.records.job import Job, run
from plumbline.writing.job import write
from plumbline.writing.setup import WritingSetup


def main(job: Job) -> None:
    setup = WritingSetup.of(job.setting("judge"), job.setting("steps"), job.named_inputs["prompts"])
    instances = InstanceFile.whole(job.input("instances")).shard(job.wildcards["shard"])
    done = write(setup, instances, job.outputs[0], Path(job.plain["store"]), job.plain["tuning"], job.threads)
    job.made_with.update(done.identity)


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
