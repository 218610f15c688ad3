"""A model whose weights no job could load stops the run before any job waits in a queue."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace as Namespace
from typing import Any

import pytest
from plumbline.records.errors import PlumblineError
from plumbline.workflow.composing.compose import compose
from plumbline.workflow.running.weights import check_weights, loaded_by, why_missing
from rebuilt import CONFIG

LLAMA = "llama31_8b_instruct"


def job(rule: str, **wildcards: str) -> Any:
    return Namespace(rule=Namespace(name=rule), wildcards=Namespace(**wildcards))


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Jobs have no network, and nothing was fetched beforehand."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("huggingface_hub._snapshot_download.HF_HUB_CACHE", str(tmp_path / "cache"), raising=False)


def test_weights_that_nobody_fetched_are_named_where_jobs_have_no_network(offline: None) -> None:
    config = compose(CONFIG).config
    jobs = [job("ask", model=LLAMA), job("ask", model="smollm2"), job("ask", model="gpt_4"), job("cells")]
    with pytest.raises(PlumblineError, match=rf"weights of {LLAMA} are not on this machine(.|\n)*docs/cluster\.md"):
        check_weights(config, jobs)
    check_weights(config, jobs[1:])


def test_a_folder_of_weights_is_at_hand(offline: None, tmp_path: Path) -> None:
    config = compose(CONFIG).config
    own = replace(config.model[LLAMA], repository=str(tmp_path))
    check_weights(replace(config, model=config.model | {LLAMA: own}), [job("ask", model=LLAMA)])


def test_with_a_network_weights_may_still_come(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    check_weights(compose(CONFIG).config, [job("ask", model=LLAMA)])


def test_a_package_that_is_not_installed_is_named_with_or_without_a_network() -> None:
    config = compose(CONFIG).config
    gone = replace(config.model["smollm2"], package="no_such_weights")
    with pytest.raises(PlumblineError, match="'no_such_weights', which carries a model's weights, is not installed"):
        check_weights(replace(config, model=config.model | {"smollm2": gone}), [job("ask", model="smollm2")])


def test_a_job_loads_its_model_unless_that_is_a_rule_or_served_elsewhere(offline: None) -> None:
    config = compose(CONFIG).config
    missing = {name: bool(why_missing(config.model[name])) for name in (LLAMA, "minilm", "length", "local_server")}
    assert missing == {LLAMA: True, "minilm": False, "length": False, "local_server": False}
    assert loaded_by(job("ask", model=LLAMA)) == LLAMA and loaded_by(job("replay", model=LLAMA)) == ""
