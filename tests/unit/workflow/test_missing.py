"""LLMBar's own sets as its paper has them, and what a preview says is missing before they can be built."""

from __future__ import annotations

from pathlib import Path

import pytest
from plumbline.commands import cli
from plumbline.workflow.composing.resolved import Resolved
from plumbline.workflow.composing.sets import texts_of
from plumbline.workflow.flow import Flow
from plumbline.workflow.preview.missing import missing
from rebuilt import CONFIG

ANEW = "experiment.tables=[plumbline/*] experiment.construct=[llmbar_anew]"
PINNED = " ".join(
    f"construct.{name}.pools=[self_instruct]" for name in ("neighbor", "gptinst", "gptout", "constraint", "negation")
)
SETS = "for neighbor, gptinst, gptout, constraint, negation, normal"
KEY = "key   the environment variable OPENAI_API_KEY: for gpt_35_turbo_0301, gpt_35_turbo_0613, gpt_4_0613"


@pytest.fixture(autouse=True)
def without_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def test_each_set_is_written_by_the_models_that_the_paper_names(papers: Resolved) -> None:
    """LLMBar, section 2.2 and appendix F; who writes O1 of GPTINST and GPTOUT it leaves open."""
    sets = papers.config.construct
    written = {
        name: {(role, text.model) for role, text in texts_of(papers.builds[name], name).items()} for name in sets
    }
    weaker, chatgpt, gpt_4 = "llama_7b_instruct", "gpt_35_turbo_0613", "gpt_4_0613"
    assert written["neighbor"] == written["constraint"] == {("first", weaker)}
    assert written["gptinst"] == {("changed", gpt_4), ("second", chatgpt)}
    assert written["gptout"] == written["negation"] == {("second", gpt_4)}
    for name in ("natural", "manual", "normal", "base_9", "base_10"):
        assert not written[name]
    for name in ("neighbor", "gptinst", "gptout", "negation"):
        assert sets[name].filter == papers.config.filter["alpaca_farm"] and sets[name].filter.majority == 0.5


def test_the_data_and_the_keys_that_a_papers_set_lacks_are_listed_with_who_needs_them() -> None:
    result = missing(Flow(CONFIG, {"hydra": ANEW}))
    assert [line.partition(": plumbline pin ")[2] for line in result[:3]] == [
        f"alpaca; {SETS}",
        f"open_assistant; {SETS}",
        f"sharegpt; {SETS}",
    ]
    assert result[3:] == [KEY]


def test_on_pinned_pools_only_the_keys_are_missing_and_with_them_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    flow = Flow(CONFIG, {"hydra": f"{ANEW} {PINNED}"})
    assert not flow.waiting and missing(flow) == [KEY]
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    assert missing(flow) == []


def test_a_preview_says_what_is_missing_and_never_a_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("config").symlink_to(CONFIG)
    assert cli.main(["preview", "--config", f"hydra={ANEW}"]) == 0
    out = capsys.readouterr().out
    assert "plumbline pin sharegpt" in out and KEY in out
    monkeypatch.setenv("OPENAI_API_KEY", "a-secret")
    assert cli.main(["preview", "--config", f"hydra={ANEW}"]) == 0
    output = capsys.readouterr()
    assert "OPENAI_API_KEY" not in output.out and "a-secret" not in output.out + output.err


def test_a_preview_names_what_cells_wait_for_and_what_it_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is asked for a leaderboard whose instructions are not there: that alone would read as free of cost."""
    monkeypatch.chdir(tmp_path)
    Path("config").symlink_to(CONFIG)
    settings = ["experiment=href_leaderboard", "hydra=experiment.systems=[smollm2]"]
    assert cli.main(["preview", "--config", *settings]) == 0
    out = capsys.readouterr().out
    assert "waiting: 11 cells" in out and "plumbline pin href_development" in out and "--whole" in out
    assert cli.main(["preview", "--whole", "--config", *settings]) == 0
    assert "waiting:" not in capsys.readouterr().out
