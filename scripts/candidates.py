"""Make the candidates of a set from what the earlier stages found and wrote."""

from plumbline.derive.candidates import write_candidates
from plumbline.derive.making import Making, candidates
from plumbline.records.job import Job, log, run


def main(job: Job) -> None:
    found = candidates(Making.of(job.outputs[0].parent.name, job.setting("candidates"), job.named_inputs))
    write_candidates(job.outputs[0], found)
    log.info("%d candidates, %d of use", len(found), sum(not candidate.dropped for candidate in found))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
