"""Write the page of a set that was built here, and what became of each of its rows."""

from plumbline.config.typed import build
from plumbline.derive.ends import ends
from plumbline.derive.filtering import read_filtered
from plumbline.derive.finals import read_finals
from plumbline.derive.funnel import from_csv
from plumbline.measuring.bootstrap import Bootstrap
from plumbline.records.files import as_text, read_bytes, write_bytes, write_text
from plumbline.records.job import Job, run
from plumbline.records.page_data import parts_script
from plumbline.report.datasheet import MadeBy
from plumbline.report.set_page import InTable, set_data, set_page
from plumbline.report.sheet import profile_of


def main(job: Job) -> None:
    place, files = job.wildcards["construct"], job.named_inputs
    page, data = job.outputs
    counts = from_csv(as_text(read_bytes(job.input("counts")), str(job.input("counts"))))
    bootstrap = build(Bootstrap, job.setting("bootstrap"), "bootstrap")
    filtered, finals = read_filtered(job.input("filtered")), read_finals(job.input("final"))
    profile = profile_of(place.split("/")[-1], filtered, finals, counts, bootstrap)
    sheet, listed = job.setting("sheet"), list(ends(files["stages"]))
    made_by = build(MadeBy, sheet["made_by"], "made_by")
    tables = [build(InTable, table, "tables") for table in job.setting("tables")]
    linked = [*files["files"], job.input("counts"), *files["stages"]]
    write_bytes(data, parts_script(f"sets/{place}", set_data(listed)))
    write_text(page, set_page(place, sheet["title"], counts, profile, sheet["notes"], made_by, tables, linked, listed))


if __name__ == "__main__":
    run(main, snakemake)  # noqa: F821
