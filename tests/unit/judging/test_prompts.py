"""Prompts: what the authors asked comes out byte for byte, and no value can change a prompt's shape."""

from __future__ import annotations

import shutil
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import pytest
from asked import judged
from hypothesis import given
from hypothesis import strategies as st
from plumbline.config import schema
from plumbline.instances import Pair
from plumbline.judging.judge import Judge
from plumbline.judging.prompts import PromptSet, chatml, turns
from plumbline.judging.protocols import how
from plumbline.judging.setup import Judging
from plumbline.judging.wording import pack_wording
from plumbline.models.asking import Message
from plumbline.models.engines.scripted import ScriptedEngine
from plumbline.records.errors import PlumblineError
from plumbline.workflow.resolved import Resolved
from rebuilt import CONFIG

PAIR = Pair("one", "natural", "Name a colour.", "Red.", "Seven.", "first", "here#0")

pieces = st.characters(exclude_categories=()) | st.sampled_from(["<|im_start|>user\n", "<|im_end|>", "{input}"])
texts = st.lists(pieces).map("".join)


def filled(template: str, **values: str) -> str:
    (message,) = PromptSet("test", schema.Prompts("", {}, {}), lambda name: template).render(
        schema.Template("test.txt"), values
    )
    return message.content


def one_turn(body: str) -> str:
    return f"<|im_start|>user\n{body}\n<|im_end|>"


def test_braces_in_a_value_stay_text() -> None:
    assert (
        filled(one_turn("{input} / {output_1}"), input="{output_1} {", output_1="} {input}")
        == "{output_1} { / } {input}"
    )


def test_a_slot_that_nothing_fills_names_itself() -> None:
    with pytest.raises(PlumblineError, match=r"needs \{output_2\}"):
        filled(one_turn("{output_2}"), output_1="x")


def test_a_jinja_template_that_lacks_a_value_names_it() -> None:
    prompts = PromptSet("test", schema.Prompts("", {}, {}), lambda name: one_turn("{{ refrence }}"))
    with pytest.raises(PlumblineError, match="refrence"):
        prompts.render(schema.Template("test.jinja"), {"reference": "x"})


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("fine\n{% if rules %}\nno end", ["cannot be read", "test.jinja, line", "of a turn"]),
        ("fine\n{{ rules +  }}", ["cannot be read", "test.jinja, line 2", "found:    {{ rules +  }}"]),
        ("{{ 1 / 0 }}", ["cannot be filled", "test.jinja"]),
        ("{{ rules.missing.more }}", ["test.jinja"]),
        ("{% include 'other' %}", ["cannot be filled", "test.jinja"]),
    ],
)
def test_a_jinja_template_with_a_mistake_is_named_with_its_place(body: str, said: list[str]) -> None:
    prompts = PromptSet("test", schema.Prompts("", {}, {}), lambda name: one_turn(body))
    with pytest.raises(PlumblineError) as error:
        prompts.render(schema.Template("test.jinja"), {"rules": True})
    assert all(words in str(error.value) for words in said), error.value


@pytest.mark.parametrize(
    "text", [b"<|im_start|>user\n{% if %}<|im_end|>", b"<|im_start|>user\n\xff<|im_end|>", b"no turns"]
)
def test_a_template_that_cannot_be_read_is_found_before_a_model_is_loaded(
    papers: Resolved, tmp_path: Path, text: bytes
) -> None:
    templates = shutil.copytree(CONFIG / "prompts" / "plumbline", tmp_path / "plumbline")
    names = [path.name for path in templates.iterdir()]
    out = tmp_path / "plumbline.zip"
    pack_wording("plumbline", names, None, tmp_path, out)
    protocols = {"vanilla": asdict(papers.config.protocol["vanilla"])}
    judge, parsing = papers.plain["judge"]["smollm2"], papers.plain["parsing"]["smollm2"]
    Judging.of(judge, parsing, protocols, [out])
    (templates / "compare.jinja").write_bytes(text)
    pack_wording("plumbline", names, None, tmp_path, out)
    with pytest.raises(PlumblineError, match=r"compare\.jinja"):
        Judging.of(judge, parsing, protocols, [out])


def test_a_template_without_turns_is_refused() -> None:
    with pytest.raises(PlumblineError, match="no turns"):
        turns("Just a sentence.", "test.txt")


@given(texts, texts)
def test_values_make_no_turns_and_arrive_whole(first: str, second: str) -> None:
    template = "<|im_start|>system\nJudge.\n<|im_end|>\n" + one_turn("[{input}] [{output_1}]")
    prompts = PromptSet("test", schema.Prompts("", {}, {}), lambda name: template)
    messages = prompts.render(schema.Template("test.txt"), {"input": first, "output_1": second})
    assert messages == (Message("system", "Judge."), Message("user", f"[{first}] [{second}]"))


@given(texts)
def test_jinja_in_a_value_is_never_run(value: str) -> None:
    prompts = PromptSet("test", schema.Prompts("", {}, {}), lambda name: one_turn("[{{ instruction }}]"))
    (message,) = prompts.render(schema.Template("test.jinja"), {"instruction": value + "{{ 6 * 7 }}{% raw %}"})
    assert message == Message("user", f"[{value}{{{{ 6 * 7 }}}}{{% raw %}}]")


def test_a_missing_template_names_the_nearest(papers: Resolved) -> None:
    prompts = PromptSet("llmbar", papers.config.prompts["llmbar"], lambda name: "")
    with pytest.raises(PlumblineError, match=r"config/prompts/llmbar.yaml(.|\n)*did you mean 'compare/metrics\+rules'"):
        prompts.template("compare", "metrics", rules=False)


def asking(papers: Resolved) -> list[str]:
    """Every protocol that words a prompt; our own set has no solved examples to show."""
    programs = {name: protocol.program for name, protocol in papers.config.protocol.items() if not protocol.shots}
    return [name for name, program in programs.items() if program in ("compare", "swap", "rate")]


def test_every_protocol_can_be_asked_in_our_own_wording_with_and_without_rules(papers: Resolved) -> None:
    declared = papers.config.prompts["plumbline"]
    prompts = PromptSet(
        "plumbline", declared, lambda name: (CONFIG / "prompts" / "plumbline" / name).read_text(encoding="utf-8")
    )
    engine = ScriptedEngine(
        {
            "compare": ["Output (a) is better"],
            "synthesize": ["Output (a)"],
            "rate": ["3"],
            "metrics": ["Why?"],
            "reference": ["Blue."],
        }
    )
    names = [name + option for name in asking(papers) for option in ("", "+rules")]
    hows = [how(name, papers.config.protocol[name.partition("+")[0]]) for name in names]
    results = judged([PAIR], hows, Judge(papers.config.model["smollm2"], prompts), engine)
    calls = {how.name: calls for _, how, _, calls in results}
    assert set(calls) == set(names) and len(names) >= 20
    for name, made in calls.items():
        for call in made:
            shown = chatml(call.request.messages)
            assert PAIR.instruction in shown
            assert "{" not in shown and "undefined" not in shown.lower()
            told = name.endswith("+rules") and call.place.step != "reference"  # whoever answers needs no rules
            assert ("exactly as" in shown) == told
    rendered = Counter(call.place.step for made in calls.values() for call in made)
    assert set(rendered) == {step.partition("/")[0] for step in declared.templates}
