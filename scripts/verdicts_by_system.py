"""Put together what each system's own model says of an instance, and prefer the output of the less surprised one."""

from plumbline.asking.by_system import PERPLEXITY, Joining, SystemModel
from plumbline.data.instances import InstanceFile
from plumbline.data.verdicts import Verdict, stream_verdicts
from plumbline.records.job import Job, log, run
from plumbline.records.parts import parts_by
from plumbline.records.rows import writing_records


def main(job: Job) -> None:
    joined = job.setting("joined")
    systems = {name: SystemModel(**system) for name, system in joined["systems"].items()}
    said = {
        path.stem: {(one.instance, one.protocol): one for one in stream_verdicts(path) if one.question == PERPLEXITY}
        for path in job.named_inputs["verdicts"]
    }
    joining = Joining(systems, joined["protocols"], said)
    instances = InstanceFile.whole(job.input("instances"))
    with writing_records(job.outputs[0], Verdict) as add:
        add(joining.verdicts(instances))
    job.parts[job.outputs[0]] = parts_by(job.outputs[0], "protocol")
    log.info("%d instances by %d systems", len(instances) - len(joining.left_out), len(systems))
    if joining.left_out:
        names = sorted({output.system for one in joining.left_out for output in one.outputs} - systems.keys())
        of, verb = f"{len(joining.left_out)} of {len(instances)}", "is" if len(joining.left_out) == 1 else "are"
        log.warning("%s instances %s left out: no model here is %s", of, verb, ", ".join(names[:5]))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
