"""Write the page of a table, with the story of every cell."""

from plumbline.audit.chain import Chain
from plumbline.config.tables import ResolvedTable
from plumbline.config.typed import build
from plumbline.measuring.cases import CaseFiles
from plumbline.measuring.cells import read_cells
from plumbline.measuring.waiting import of_setting, with_reasons
from plumbline.records.files import write_bytes, write_text
from plumbline.records.job import Job, run
from plumbline.records.page_data import script
from plumbline.report.provenance import packed_provenance
from plumbline.report.table_page import drawn, table_data, table_page


def main(job: Job) -> None:
    place = f"{job.wildcards['paper']}/{job.wildcards['table']}"
    table = build(ResolvedTable, job.setting("table"), f"table.{place.replace('/', '.')}")
    files = job.named_inputs
    cells = with_reasons(read_cells(job.input("cells")), of_setting(job.setting("waits")))
    cases = CaseFiles.by_benchmark(files["instances"], files["labels"], files["verdicts"])
    page, data, provenance = job.outputs
    write_bytes(data, script(f"tables/{place}", table_data(table, cells, cases)))
    links = Chain.of(job.input("cells").as_posix()).behind(job.input("cells").as_posix())
    write_bytes(provenance, packed_provenance(f"tables/{place}.provenance", links))
    write_text(page, table_page(table, cells, drawn(files["files"]), job.setting("sets")))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
