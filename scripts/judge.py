"""Ask one model about one shard of a benchmark under every protocol that a table needs; write down each call."""

from pathlib import Path

from plumbline.asking.job import judge
from plumbline.asking.setup import JudgeSetup
from plumbline.data.instances import InstanceFile
from plumbline.records.job import Job, run


def main(job: Job) -> None:
    settings = {name: job.setting(name) for name in ("judge", "protocols", "worded")}
    setup = JudgeSetup.of(settings, job.value("parsing"), job.named_inputs["prompts"])
    instances = InstanceFile.whole(job.input("instances")).shard(job.wildcards["shard"])
    recorded, store = job.named_inputs["recorded"], Path(job.plain["store"])
    done = judge(setup, instances, job.outputs[0], recorded, store, job.plain["tuning"], job.threads)
    job.made_with.update(done.identity)


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
