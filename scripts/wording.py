"""Keep the templates of a prompt set with the results, from its source or from the configuration."""

from pathlib import Path

from plumbline.asking.wording import CONFIGURED, pack_wording
from plumbline.records.job import Job, log, run
from plumbline.sources.archive import SourceFiles


def main(job: Job) -> None:
    wording = job.setting("wording")
    source = SourceFiles(job.inputs[0]) if wording["source"] else None
    pack_wording(wording["folder"], wording["files"], source, Path(CONFIGURED), job.outputs[0])
    log.info("%d templates", len(wording["files"]))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
