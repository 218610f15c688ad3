"""What building sets would ask and load is foreseen before anything is built, stage by stage."""

from __future__ import annotations

from pathlib import Path

import pytest
from plumbline.workflow.flow import Flow
from plumbline.workflow.preview.preview import preview
from plumbline.workflow.preview.stages import StageBill, by_stage, table_of_stages
from plumbline.workflow.preview.stand_ins import StandIns
from rebuilt import CONFIG

SCALE = (
    "scale.adversarial.pools=[demo] scale.adversarial.size=3 scale.adversarial.constrained=1 scale.adversarial.sums=2"
    " table.adversarial.judges.judges=[vanilla]"
)
SERVED = "model.gpt_4o.prompt_price=1 scale.adversarial.stronger=gpt_4o experiment.models=[smollm2,gpt_4o]"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with the configuration and nothing built."""
    monkeypatch.chdir(tmp_path)
    Path("config").symlink_to(CONFIG)


def foreseen(overrides: str = "") -> dict[tuple[str, str], StageBill]:
    flow = Flow(Path("config"), {"experiment": "adversarial", "hydra": f"{SCALE} {overrides}"})
    return {(one.stage, one.model): one for one in by_stage(flow, preview(flow).asks)}


def test_every_stage_has_its_asks_and_loads_its_model_once(capsys: pytest.CaptureFixture[str]) -> None:
    result = foreseen()
    stages = ("perturb", "write", "evaluate", "judge")
    once = {(stage, "smollm2"): 1 for stage in stages} | {("embed", "minilm"): 1}
    assert {place: one.loads for place, one in result.items()} == once
    asks = {stage: result[stage, "smollm2"].bill.asks for stage in stages}
    assert asks["perturb"] == 3
    assert asks["write"] == 3 * 3  # O1 of neighbours; O2 of changed instructions; useless outputs, of two sets
    filtered, likelihoods = 4 * 3, 4
    assert asks["evaluate"] <= filtered * (2 + 2 + likelihoods)
    assert asks["evaluate"] >= filtered * (2 + 2)
    assert "adversarial is not built yet: counted as if every candidate were kept" in capsys.readouterr().err


def test_a_longer_list_of_models_is_counted_model_by_model_and_a_server_loads_nothing() -> None:
    result = foreseen(SERVED)
    assert result["judge", "gpt_4o"].bill.asks == result["judge", "smollm2"].bill.asks
    assert (result["judge", "gpt_4o"].loads, result["judge", "smollm2"].loads) == (0, 1)
    assert result["perturb", "gpt_4o"].bill.money > 0 and ("perturb", "smollm2") not in result
    lines = table_of_stages(result.values()).splitlines()
    assert [line.split("  ")[0] for line in lines[1:]] == [f"{stage}, {model}" for stage, model in result]


def test_a_benchmark_that_is_not_read_yet_gets_its_joined_texts_and_its_raters_labels(tmp_path: Path) -> None:
    texts = "{source:href_demo,columns:{instruction:instruction,text:response}}"
    flow = Flow(Path("config"), {"experiment": "demo", "hydra": f"benchmark.href_demo.joined.written={texts}"})
    (loaded, *_) = StandIns(flow, tmp_path).loaded("href_demo")
    assert loaded.instance.context["written"] == loaded.instance.context["reference"]
    assert len({label.rater for label in loaded.labels}) > 1
