"""Let a candidate go where most evaluators see through it."""

from plumbline.data.instances import InstanceFile
from plumbline.derive.candidates import read_candidates
from plumbline.derive.filtering import filtered, verdicts_on, write_filtered
from plumbline.records.job import Job, log, run


def main(job: Job) -> None:
    candidates = read_candidates(job.input("candidates"))
    shown = [instance for path in job.named_inputs["shown"] for instance in InstanceFile.whole(path)]
    verdicts = {path.stem: path for path in job.named_inputs["evaluated"]}
    name = job.outputs[0].parent.name
    labels = verdicts_on(name, candidates, shown, verdicts) if shown else {}
    settings = job.setting("filter")
    rows = filtered(candidates, labels, settings["majority"], settings["reading"])
    write_filtered(job.outputs[0], rows)
    log.info("%d of %d candidates stay", sum(not row.dropped for row in rows), len(rows))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
