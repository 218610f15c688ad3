"""Judges that give scores, through the real Snakemake: the file in docs/judge_your_own/scores.md, and tiny networks."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
import transformers
from documented import files_in
from plumbline.data.instances import InstanceFile
from plumbline.data.verdicts import Verdict, read_verdicts
from project import REPOSITORY, Project
from tiny_networks import make_bart, make_bleurt, make_reward_model, make_t5

PAGE = REPOSITORY / "docs/judge_your_own/scores.md"
LIMITS = "{cpus: 1, mem_mb: 2000}"
MODELS = {
    "pair_model": f"""
        label: T5
        engine: seq2seq
        repository: ./t5
        program: prefers
        answers: ["A", "B"]
        format: {{text: "POST: {{instruction}} RESPONSE A: {{first}} RESPONSE B: {{second}} RESPONSE"}}
        resources: {LIMITS}
    """,
    "entailment_model": f"""
        label: T5
        engine: seq2seq
        repository: ./t5
        program: entails
        answers: ["1", "0"]
        format: {{text: "premise: {{premise}} hypothesis: {{output}}"}}
        context: 9000
        resources: {LIMITS}
    """,
    "bart": f"{{label: BART, engine: seq2seq, repository: ./bart, program: bart_score, cut: end, resources: {LIMITS}}}",
    "bleurt": f"""
        label: Tiny
        engine: classifier
        repository: ./bleurt
        program: bleurt
        format: {{text: "{{reference}}", segment: "{{output}}"}}
        cut: end
        resources: {LIMITS}
    """,
}
PAIRS = """
    paper: scores
    name: pairs
    title: Scores of pairs
    source: Plumbline
    benchmark: tiny
    metrics: [acc, agr]
    columns: {ALL: [plain, trap]}
    rows: {Longer: {model: length, protocol: longer}}
    judges: [vanilla, reward, preference_model]
"""
RATED = """
    paper: scores
    name: rated
    title: Scores of rated answers
    source: Plumbline
    benchmark: risum_embedded
    columns: {Kendall: {metric: tau_distance, question: rating}, AUC: {metric: auc, question: follows}}
    rows: {Words: {model: length, protocol: word_count}}
    judges: [reward_document, entailment, bart_score, bleurt_brief]
"""


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project.at(tmp_path_factory.mktemp("scores") / "plumbline")
    shown = files_in(PAGE)
    for name, text in shown.items():
        project.write(name, text)
    make_reward_model(project.path("my-reward-model"), longest=4096)
    make_t5(project.path("t5"), pickled=True)
    make_bart(project.path("bart"))
    make_bleurt(project.path("bleurt"))
    for name, text in MODELS.items():
        project.write(f"config/model/{name}.yaml", text)
    project.write("config/table/scores/pairs.yaml", PAIRS)
    project.write("config/table/scores/rated.yaml", RATED)
    project.write("config/protocol/bleurt_brief.yaml", "{program: bleurt, title: BLEURT, against: brief}")
    project.build(*TARGETS, SETTINGS)
    return project


TARGETS = ("results/tables/scores/pairs.csv", "results/tables/scores/rated.csv")
SETTINGS = f"hydra=experiment.models=[{','.join(['my_reward_model', *MODELS])}] experiment.tables=[scores/*]"


def rows(project: Project, table: str) -> dict[str, dict[str, str]]:
    with project.path(f"results/tables/scores/{table}.csv").open() as file:
        return {row["row"]: row for row in csv.DictReader(file) if row["reading"] == "as_published"}


def verdicts(project: Project, benchmark: str, model: str) -> list[Verdict]:
    return read_verdicts(project.path(f"results/verdicts/{benchmark}/{model}.parquet"))


def test_each_kind_gets_its_rows_and_no_others(scored: Project) -> None:
    assert set(rows(scored, "pairs")) == {"Longer", "My reward model Reward", "T5 Preference model"}
    assert set(rows(scored, "rated")) == {
        "Words",
        "My reward model Reward",
        "T5 Entailment",
        "BART BARTScore",
        "Tiny BLEURT",
    }
    assert all(row["Kendall.tau_distance"] and row["AUC.auc"] for row in rows(scored, "rated").values())


def test_a_row_is_what_the_network_says_of_each_output(scored: Project) -> None:
    """By hand: the reward of each chat, and which of two is higher."""
    folder = scored.path("my-reward-model")
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    network = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()

    def reward(instruction: str, output: str) -> float:
        turns = [{"role": "user", "content": instruction}, {"role": "assistant", "content": output}]
        ids = tokenizer.apply_chat_template(turns, return_tensors="pt", return_dict=False)
        return float(network(input_ids=ids).logits[0, 0])

    said = {
        (one.instance, one.question, one.showing): one.strict for one in verdicts(scored, "tiny", "my_reward_model")
    }
    for instance in InstanceFile.whole(scored.path("results/instances/tiny.parquet")):
        rewards = [reward(instance.instruction, text) for text in instance.texts]
        for number, value in enumerate(rewards, start=1):
            assert said[instance.id, "score", str(number)].number == pytest.approx(value, abs=1e-5)
        assert said[instance.id, "better", "none"].word == ("first" if rewards[0] > rewards[1] else "second")


def test_a_preference_model_is_asked_in_both_orders(scored: Project) -> None:
    asked = [one for one in verdicts(scored, "tiny", "pair_model") if one.question == "better"]
    assert {one.showing for one in asked} == {"plain", "swapped"} and len(asked) == 12
    assert rows(scored, "pairs")["T5 Preference model"]["ALL.agr"]


def test_what_was_scored_is_not_scored_again_and_another_format_is(scored: Project) -> None:
    assert scored.snakemake(*TARGETS, SETTINGS).made == set()
    model: Path = scored.path("config/model/my_reward_model.yaml")
    model.write_text(model.read_text() + 'format: {text: "{instruction} {output}"}\n')
    made = scored.snakemake(*TARGETS, SETTINGS).made
    assert {name for name in made if name.startswith("ask/")} == {
        "ask/tiny/my_reward_model/1-of-1",
        "ask/risum_embedded/my_reward_model/1-of-1",
    }


def test_numbers_of_scores_lead_to_their_texts(scored: Project) -> None:
    story = scored.plumbline("explain", "scores/pairs", "T5 Preference model", "ALL.acc").stdout
    assert all(f"\n  {name}:\n" in story for name in ("instruction", "first", "second"))
    assert scored.plumbline("verify").returncode == 0


def test_what_judges_cost_stands_beside_what_they_are_worth(scored: Project) -> None:
    """Of six pairs, three of which are the other three the other way about, so that each is asked about once."""
    said = scored.plumbline("cost", "--table", "scores/pairs", "--config", "experiment=tiny", SETTINGS).stdout
    lines = {line[:34].strip(): line[34:].split() for line in said.splitlines()[1:4]}
    assert lines["Longer"][1:] == ["nobody", "was", "asked"]
    for row, (acc, asks, tokens, money, seconds) in ((row, lines[row]) for row in list(lines) if row != "Longer"):
        assert acc == rows(scored, "pairs")[row]["ALL.acc"] and asks == "1,000" and money == "0.0000"
        assert float(tokens.replace(",", "")) > 5_000 and float(seconds.replace(",", "")) > 0
    unknown = scored.plumbline("cost", "--table", "scores/pair", "--config", "experiment=tiny", SETTINGS)
    assert unknown.returncode and "did you mean 'scores/pairs'?" in unknown.stderr
