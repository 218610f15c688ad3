"""Make a benchmark of another one and of what models wrote about its instances."""

from plumbline.data.instances import InstanceFile, flaws
from plumbline.data.loaded import write_loaded
from plumbline.records.job import Job, log, run
from plumbline.writing.derived import Use, derived


def main(job: Job) -> None:
    deriving = job.setting("deriving")
    uses = [Use(**use) for use in deriving["uses"]]
    written = {path.stem: path for path in job.named_inputs["written"]}
    loaded = derived(
        job.input("instances"),
        job.input("labels"),
        written,
        uses,
        deriving["subsets"],
        deriving["paired_with"],
        next(iter(job.named_inputs["examples"]), None),
    )
    log.info("%d instances", write_loaded(job.outputs[0], job.outputs[1], loaded))
    if found := flaws(InstanceFile.whole(job.outputs[0])):
        log.warning("texts that models did not write as asked (%s)", found)


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
