"""Export a finished set as a folder that Hugging Face's `datasets` reads."""

from plumbline.data.labelled import read_labelled
from plumbline.derive.history import finished, read_ledgers
from plumbline.records.files import read_bytes
from plumbline.records.job import Job, run
from plumbline.records.manifest import manifest_path, read_manifest
from plumbline.report.card import Card
from plumbline.report.export import SetProvenance, export


def main(job: Job) -> None:
    instances, labels, ledgers = job.input("final_instances"), job.input("final_labels"), job.named_inputs["ledgers"]
    folder = job.outputs[0].parent
    histories = finished(read_ledgers(folder.parent.name, ledgers))
    made_by = [read_manifest(manifest_path(path)) for path in (instances, labels, *ledgers)]
    statistics = read_bytes(job.input("datasheet")).decode()
    card, provenance = Card(**job.setting("card")), SetProvenance(made_by, statistics)
    export(folder, read_labelled(instances, labels), histories, card, provenance)


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
