"""Write the page of a model under all its protocols, and the calls that it answered."""

from plumbline.audit.chain import Chain
from plumbline.config.typed import build
from plumbline.measuring.bootstrap import Bootstrap
from plumbline.measuring.cases import CaseFiles
from plumbline.records.files import write_bytes, write_text
from plumbline.records.job import Job, run
from plumbline.records.page_data import parts_script
from plumbline.report.calls import calls_in_parts
from plumbline.report.judge_page import Described, judge_page
from plumbline.report.provenance import packed_provenance


def main(job: Job) -> None:
    benchmark, model = job.wildcards["benchmark"], job.wildcards["model"]
    files = job.named_inputs
    page, provenance, *parts = job.outputs
    for number, calls in enumerate(calls_in_parts(job.input("verdicts"), files["transcripts"])):
        write_bytes(parts[number], parts_script(f"data/calls/{benchmark}/{model}/{number}", calls))
    links = list(Chain.of(job.input("verdicts").as_posix()).behind(job.input("verdicts").as_posix()))
    write_bytes(provenance, packed_provenance(f"judges/{benchmark}/{model}.provenance", links))
    cases = CaseFiles.by_benchmark(files["instances"], files["labels"], files["verdicts"])[benchmark]
    declared = build(Described, job.setting("model"), f"model.{model}")
    bootstrap = build(Bootstrap, job.setting("bootstrap"), "bootstrap")
    write_text(page, judge_page(benchmark, model, declared, cases, files["transcripts"], bootstrap))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
