"""Write the page of a set that was built here, and what became of each of its rows."""

from plumbline.config.typed import build
from plumbline.data.labelled import read_labelled
from plumbline.derive.history import histories, read_ledgers
from plumbline.measuring.bootstrap import Bootstrap
from plumbline.records.files import as_text, read_bytes, write_bytes, write_text
from plumbline.records.job import Job, run
from plumbline.records.page_data import parts_script
from plumbline.report.datasheet import MadeBy
from plumbline.report.funnel import from_csv
from plumbline.report.set_page import InTable, set_data, set_page
from plumbline.report.sheet import profile_of


def main(job: Job) -> None:
    place, files = job.wildcards["construct"], job.named_inputs
    name = place.split("/")[-1]
    page, data = job.outputs
    counts = from_csv(as_text(read_bytes(job.input("counts")), str(job.input("counts"))))
    bootstrap = build(Bootstrap, job.setting("bootstrap"), "bootstrap")
    pairs = read_labelled(job.input("final_instances"), job.input("final_labels"))
    listed = list(histories(read_ledgers(name, files["ledgers"])))
    profile = profile_of(name, pairs, listed, counts, bootstrap)
    sheet = job.setting("sheet")
    made_by = build(MadeBy, sheet["made_by"], "made_by")
    tables = [build(InTable, table, "tables") for table in job.setting("tables")]
    linked = [*files["files"], job.input("counts"), job.input("final_instances"), *files["ledgers"]]
    write_bytes(data, parts_script(f"sets/{place}", set_data(listed)))
    write_text(page, set_page(place, sheet["title"], counts, profile, sheet["notes"], made_by, tables, linked, listed))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
