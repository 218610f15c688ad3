"""Ask one model for one kind of text about every drawn instruction; write down each call."""

from pathlib import Path

from plumbline.construct.pools import read_pool
from plumbline.construct.writing import Writing, asked_of, read_texts, write
from plumbline.records.job import Job, run


def main(job: Job) -> None:
    step = job.wildcards["step"]
    writing = Writing.of(step, job.setting("writing"), job.named_inputs["prompts"])
    perturbed = job.named_inputs["perturbed"]
    asked = asked_of(step, read_pool(job.input("pool")), read_texts(perturbed[0]) if perturbed else None)
    done = write(writing, asked, job.outputs[0], Path(job.plain["store"]), job.plain["tuning"], job.threads)
    job.made_with.update(done.identity)


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
