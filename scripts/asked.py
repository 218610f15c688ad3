"""Bring together the instructions that models write about for sets that are built together."""

from plumbline.data.instances import InstanceFile, write_instances
from plumbline.derive.asked import Drawn, SetText, TextFiles, asked_about
from plumbline.derive.pools import read_pool
from plumbline.derive.retrieval import read_without_neighbour
from plumbline.records.job import Job, log, run


def main(job: Job) -> None:
    texts, sets = TextFiles.of(job.named_inputs["asked"], job.named_inputs["written"]), job.setting("asking")
    near = {path.parent.name: path for path in job.named_inputs["neighbours"]}
    asked = []
    for (name, settings), pool in zip(sets.items(), job.named_inputs["pools"], strict=True):
        changed = texts.of_set(name, (SetText(**text) for text in settings["texts"]))
        alone = read_without_neighbour(near[name], settings["floor"]) if name in near else set()
        drawn = Drawn(name, [item for item in read_pool(pool) if item.drawn and item.id not in alone], changed)
        asked += [(drawn, about) for about in settings["about"]]
    write_instances(job.outputs[0], asked_about(asked))
    log.info("%d instructions of %d sets", len(InstanceFile.whole(job.outputs[0])), len(sets))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
