"""Replay the protocols against the transcripts and write every verdict in both readings."""

from plumbline.frame import Job, log, run
from plumbline.instances import read_pairs
from plumbline.judging import Judging
from plumbline.replay import replay
from plumbline.transcripts import Transcripts
from plumbline.verdicts import write_verdicts


def main(job: Job) -> None:
    work = Judging.of(
        job.setting("judge"), job.setting("parsing"), job.setting("protocols"), job.named_inputs["prompts"]
    )
    pairs = read_pairs(job.input("instances"))
    rows = replay(pairs, work.hows, work.judge, Transcripts(job.named_inputs["transcripts"]))
    write_verdicts(job.outputs[0], rows)
    log.info("%d verdicts", len(rows))


run(main, snakemake)  # noqa: F821
