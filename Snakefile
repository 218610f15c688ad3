import os
import sys
from pathlib import Path

# This checkout's library, here and in the scripts that jobs start, whatever else is installed.
sys.path.insert(0, f"{workflow.basedir}/scripts")
os.environ["PYTHONPATH"] = f"{workflow.basedir}/scripts"

from plumbline.workflow import Flow

flow = Flow(Path(workflow.basedir) / "config", config)
setting, code_of = flow.setting, flow.code_of
if workflow.is_main_process:
    flow.start()


localrules:
    all,
    llmbar,
    demo,
    source,
    instances,
    verdicts,
    cells,
    tables,
    figures,


rule all:
    default_target: True
    input:
        flow.tables(),


rule llmbar:
    input:
        flow.tables("llmbar"),


rule demo:
    input:
        flow.tables("demo"),


include: "rules/source.smk"
include: "rules/instances.smk"
include: "rules/judge.smk"
include: "rules/verdicts.smk"
include: "rules/cells.smk"
include: "rules/tables.smk"
