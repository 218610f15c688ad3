"""Ask one model about one shard of a benchmark under every protocol that a table needs; write down each call."""

from pathlib import Path

from plumbline.frame import Job, run
from plumbline.instances import PairFile
from plumbline.judging import Judging
from plumbline.session import judge


def main(job: Job) -> None:
    work = Judging.of(job.setting("judge"), job.plain["parsing"], job.setting("protocols"), job.named_inputs["prompts"])
    pairs = PairFile.whole(job.input("instances")).shard(job.wildcards["shard"])
    recorded = job.named_inputs["recorded"]
    done = judge(work, pairs, job.outputs[0], recorded, Path(job.plain["store"]), job.plain["tuning"], job.threads)
    job.made_with.update(done.identity)


run(main, snakemake)  # noqa: F821
