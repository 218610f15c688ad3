"""Derive the verdicts of a judge that is made of judges."""

from plumbline.data.instances import InstanceFile
from plumbline.data.verdicts import Verdict, stream_verdicts
from plumbline.derive.derived_judge import Composed, named
from plumbline.derive.given import InOrder
from plumbline.models.kinds import settings_of
from plumbline.records.job import Job, run
from plumbline.records.parts import parts_by
from plumbline.records.rows import writing_records


def main(job: Job) -> None:
    settings = settings_of(job.setting("judge")["engine"], "engine")
    composed = Composed(settings, **job.setting("composed"))
    by_model = {path.stem: InOrder(stream_verdicts(path), path) for path in job.named_inputs["verdicts"]}
    judge, instances = named(settings.kind), InstanceFile.whole(job.input("instances"))
    with writing_records(job.outputs[0], Verdict) as add:
        add(judge.function(instances, by_model, composed))
    job.parts[job.outputs[0]] = parts_by(job.outputs[0], "protocol")


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
