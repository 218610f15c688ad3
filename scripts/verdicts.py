"""Replay the protocols against the transcripts and write every verdict, and what follows from it, in both readings."""

from plumbline.asking.replay import replay_into
from plumbline.asking.setup import JudgeSetup
from plumbline.asking.transcripts import Transcripts
from plumbline.data.instances import InstanceFile, flaws
from plumbline.data.verdicts import Verdict
from plumbline.models.noise import noise_of
from plumbline.records.job import Job, log, run
from plumbline.records.parts import parts_by
from plumbline.records.rows import writing_records


def main(job: Job) -> None:
    settings = {name: job.setting(name) for name in ("judge", "protocols", "worded")}
    setup = JudgeSetup.of(settings, job.setting("parsing"), job.named_inputs["prompts"])
    instances, transcripts = InstanceFile.whole(job.input("instances")), Transcripts(job.named_inputs["transcripts"])
    noise = noise_of(setup.engine.kind, setup.judge.model.dtype)
    with writing_records(job.outputs[0], Verdict) as add:
        replay_into(add, instances, setup.protocols, setup.judge, transcripts, noise)
    job.parts[job.outputs[0]] = parts_by(job.outputs[0], "protocol")
    log.info("%d instances under %d protocols", len(instances), len(setup.protocols))
    if found := flaws(instances):
        log.warning("judged with texts that models did not write as asked (%s)", found)


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
