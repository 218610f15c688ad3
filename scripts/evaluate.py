"""Ask one model which output of each candidate it prefers, under every evaluator prompt, in both orders."""

from pathlib import Path

from plumbline.construct.candidates import read_candidates
from plumbline.frame import Job, run
from plumbline.judging import Judging
from plumbline.session import judge


def main(job: Job) -> None:
    protocols = job.setting("evaluator")["protocols"]
    work = Judging.of(job.setting("judge"), job.plain["parsing"], protocols, job.named_inputs["prompts"])
    pairs = [candidate.pair for candidate in read_candidates(job.input("candidates")) if not candidate.dropped]
    recorded, store = job.named_inputs["recorded"], Path(job.plain["store"])
    done = judge(work, pairs, job.outputs[0], recorded, store, job.plain["tuning"], job.threads)
    job.made_with.update(done.identity)


run(main, snakemake)  # noqa: F821
