"""Bring together the instructions that models write about for sets that are built together."""

from plumbline.construct.asked import Drawn, SetText, TextFiles, asked_about
from plumbline.construct.pools import read_pool
from plumbline.data.instances import InstanceFile, write_instances
from plumbline.records.job import Job, log, run


def main(job: Job) -> None:
    texts, sets = TextFiles.of(job.named_inputs["asked"], job.named_inputs["written"]), job.setting("asking")
    asked = []
    for (name, settings), pool in zip(sets.items(), job.named_inputs["pools"], strict=True):
        changed = texts.of_set(name, (SetText(**text) for text in settings["texts"]))
        drawn = Drawn(name, [item for item in read_pool(pool) if item.drawn], changed)
        asked += [(drawn, about) for about in settings["about"]]
    write_instances(job.outputs[0], asked_about(asked))
    log.info("%d instructions of %d sets", len(InstanceFile.whole(job.outputs[0])), len(sets))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
