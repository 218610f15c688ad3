"""Keep the templates of a prompt set with the results, from its source or from the configuration."""

from pathlib import Path

from plumbline.archive import SourceFiles
from plumbline.frame import Job, log, run
from plumbline.wording import CONFIGURED, pack_wording


def main(job: Job) -> None:
    wording = job.setting("wording")
    source = SourceFiles(job.inputs[0]) if wording["source"] else None
    pack_wording(wording["folder"], wording["files"], source, Path(CONFIGURED), job.outputs[0])
    log.info("%d templates", len(wording["files"]))


run(main, snakemake)  # noqa: F821
