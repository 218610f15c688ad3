import gc
import sys
from pathlib import Path

# What is read at the start stays, so there is no garbage to look for.
gc.set_threshold(200_000)
# This checkout's library, whatever else is installed.
sys.path.insert(0, f"{workflow.basedir}/scripts")

from plumbline.workflow.summary import print_summary
from plumbline.workflow.constraints import none_of, one_of
from plumbline.workflow.derive import DeriveFlow
from plumbline.workflow.flow import open_flow
from plumbline.workflow.report import ReportFlow
from plumbline.workflow.set_files import SetFiles

flow = open_flow(Path(workflow.basedir) / "config", config, workflow.is_main_process)
making, sets, pages = DeriveFlow(flow), SetFiles(flow), ReportFlow(flow)
setting, code_of = flow.setting, flow.code_of


localrules:
    all,
    llmbar,
    href,
    risum,
    tick,
    source,
    wording,
    read,
    ask_locally,
    replay,
    derive,
    derive_verdicts,
    decisions,
    decisions_blind,
    cells,
    tables,
    tables_funnel,
    tables_funnels,
    figures,
    figures_funnel,
    figures_similarity,
    identities,
    report_assets,
    report_table,
    report_judge,
    report_benchmark,
    report_datasheet,
    report_set,
    report_index,
    export,
    construct,
    datasets,


rule all:
    default_target: True
    input:
        flow.tables(),
        pages.index(),
        sets.built(),


rule llmbar:
    input:
        flow.tables("llmbar"),
        pages.of_paper("llmbar"),


rule href:
    input:
        flow.tables("href"),
        pages.of_paper("href"),
        flow.tables("href_pandalm"),
        pages.of_paper("href_pandalm"),


rule risum:
    input:
        flow.tables("risum"),
        pages.of_paper("risum"),
        flow.tables("risum_squality"),
        pages.of_paper("risum_squality"),
        flow.tables("risum_embedded"),
        pages.of_paper("risum_embedded"),


rule tick:
    input:
        flow.tables("tick"),
        pages.of_paper("tick"),
        flow.tables("tick_infobench"),
        pages.of_paper("tick_infobench"),
        flow.tables("tick_pandalm"),
        pages.of_paper("tick_pandalm"),
        flow.tables("tick_llmbar"),
        pages.of_paper("tick_llmbar"),


include: "rules/source.smk"
include: "rules/wording.smk"
include: "rules/sets.smk"
include: "rules/read.smk"
include: "rules/ask.smk"
include: "rules/replay.smk"
include: "rules/derive.smk"
include: "rules/decisions.smk"
include: "rules/cells.smk"
include: "rules/tables.smk"
include: "rules/figures.smk"
include: "rules/identities.smk"
include: "rules/report.smk"
include: "rules/export.smk"


onstart:
    flow.begin(workflow)


onsuccess:
    flow.end(workflow, whole=True)
    print_summary(workflow, log, flow.waiting)


onerror:
    flow.end(workflow, whole=False)
    print_summary(workflow, log, flow.waiting)
