"""Export a finished set as a folder that Hugging Face's `datasets` reads."""

from plumbline.derive.finals import read_finals
from plumbline.records.files import read_bytes
from plumbline.records.job import Job, run
from plumbline.records.manifest import manifest_path, read_manifest
from plumbline.report.export import Card, Provenance, export


def main(job: Job) -> None:
    final = job.input("final")
    made_by = [read_manifest(manifest_path(path)) for path in (final, *job.named_inputs["stages"])]
    statistics = read_bytes(job.input("datasheet")).decode()
    folder = job.outputs[0].parent
    export(folder, read_finals(final), Card(**job.setting("card")), Provenance(made_by, statistics))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
