"""Replay the protocols against the transcripts and write every verdict in both readings."""

from plumbline.frame import Job, log, run
from plumbline.instances import PairFile
from plumbline.judging import Judging
from plumbline.noise import noise_of
from plumbline.parquet import writing_rows
from plumbline.replay import replay_into
from plumbline.transcripts import Transcripts
from plumbline.verdicts import VERDICTS


def main(job: Job) -> None:
    work = Judging.of(
        job.setting("judge"), job.setting("parsing"), job.setting("protocols"), job.named_inputs["prompts"]
    )
    pairs, transcripts = PairFile.whole(job.input("instances")), Transcripts(job.named_inputs["transcripts"])
    noise = noise_of(work.engine.kind, work.judge.model.dtype)
    with writing_rows(job.outputs[0], VERDICTS) as writer:
        replay_into(writer.add, pairs, work.hows, work.judge, transcripts, noise)
    log.info("%d pairs under %d protocols", len(pairs), len(work.hows))


run(main, snakemake)  # noqa: F821
