"""Export a benchmark with people's labels as a folder that Hugging Face's `datasets` reads."""

from plumbline.config.typed import build
from plumbline.data.collected import Collected, CollectedLabels
from plumbline.data.ledger import Entry
from plumbline.measuring.bootstrap import Bootstrap
from plumbline.measuring.cases import CaseFiles
from plumbline.records.job import Job, run
from plumbline.records.manifest import manifest_path, read_manifest
from plumbline.records.rows import read_records
from plumbline.report.card import Card
from plumbline.report.labelled_card import Declared, Made
from plumbline.report.labelled_set import export_labelled


def main(job: Job) -> None:
    instances, labels, ledger = job.input("instances"), job.input("labels"), job.input("ledger")
    people = [row for path in job.named_inputs.get("people", ()) for row in read_records(path, Collected)]
    labelled = [(case.instance, case.labels) for case in CaseFiles(instances, labels, {}).read(())]
    manifests = [read_manifest(manifest_path(path)) for path in job.inputs]
    settings = job.setting("labelled")
    export_labelled(
        job.outputs[0].parent,
        labelled,
        Card(**settings["card"]),
        build(Declared, settings["declared"], "declared"),
        Made(read_records(ledger, Entry), CollectedLabels(people), manifests),
        build(Bootstrap, job.setting("bootstrap"), "bootstrap"),
    )


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
