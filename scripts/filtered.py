"""Read the evaluators' answers and let a candidate go where most of them see through it."""

from plumbline.construct.candidates import read_candidates
from plumbline.construct.filtering import filtered, labels_of, write_filtered
from plumbline.records.job import Job, log, run


def main(job: Job) -> None:
    settings = job.setting("filter")
    candidates = read_candidates(job.input("candidates"))
    evaluated = {path.stem: path for path in job.named_inputs["evaluated"]}
    labels = labels_of(candidates, settings["evaluators"], evaluated, job.named_inputs["prompts"])
    rows = filtered(candidates, labels, settings["majority"])
    write_filtered(job.outputs[0], rows)
    log.info("%d of %d candidates stay", sum(not row.dropped for row in rows), len(rows))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
