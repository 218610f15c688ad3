"""Ask one model which output of each candidate it prefers, under every evaluator prompt, in both orders."""

from pathlib import Path

from plumbline.construct.candidates import read_candidates
from plumbline.judging.job import judge
from plumbline.judging.setup import JudgeSetup
from plumbline.records.job import Job, run


def main(job: Job) -> None:
    settings = {name: job.setting(name) for name in ("judge", "protocols", "worded")}
    setup = JudgeSetup.of(settings, job.value("parsing"), job.named_inputs["prompts"])
    candidates = read_candidates(job.input("candidates"))
    instances = [candidate.pair.instance for candidate in candidates if not candidate.dropped]
    recorded, store = job.named_inputs["recorded"], Path(job.plain["store"])
    done = judge(setup, instances, job.outputs[0], recorded, store, job.plain["tuning"], job.threads)
    job.made_with.update(done.identity)


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
