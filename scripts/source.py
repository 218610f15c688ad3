"""Fetch a source: from the mirror or the network, every file against its pinned digest."""

from pathlib import Path

from plumbline.config.source import Source
from plumbline.config.typed import build
from plumbline.records.job import Job, log, run
from plumbline.sources.source import fetch


def main(job: Job) -> None:
    name = job.wildcards["source"]
    source = build(Source, job.setting("source"), f"source.{name}")
    pins = next((path for path in job.inputs if path.name == source.pins), None)
    fetched = fetch(name, source, pins, job.plain["mirror"], Path(".store/downloads"), job.outputs[0])
    log.info("%d files, %d bytes from %s", fetched.files, fetched.size, fetched.origin)
    job.made_with["origin"] = fetched.origin


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
