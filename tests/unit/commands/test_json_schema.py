"""What editors are told of the files in `config/`: all that are there are right, and mistakes are found."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator
from plumbline.commands.cli import main
from plumbline.commands.json_schema import write_schemas
from plumbline.commands.measure_options import declared_options
from plumbline.config.groups import YamlLoader
from plumbline.config.tables import Pick
from rebuilt import CONFIG

TABLE = "{paper: p, name: n, title: T, source: S, columns: {ALL: [a]}, rows: {R: %s}}"
"""A table with one row."""


@pytest.fixture(scope="module")
def validators(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Draft7Validator]:
    folder = tmp_path_factory.mktemp("schema")
    write_schemas(folder)
    by_name = {path.stem: Draft7Validator(json.loads(path.read_text())) for path in folder.glob("*.json")}
    for validator in by_name.values():
        validator.check_schema(validator.schema)
    return by_name


def test_every_file_of_the_configuration_is_right(validators: dict[str, Draft7Validator]) -> None:
    wrong, count = [], 0
    for group, validator in validators.items():
        for path in (CONFIG / group).glob("**/*.yaml"):
            count += 1
            wrong += [
                (path.name, error.message) for error in validator.iter_errors(yaml.load(path.read_bytes(), YamlLoader))
            ]
    assert not wrong and count > 200


@pytest.mark.parametrize(
    ("group", "text", "right"),
    [
        ("protocol", "{program: swap, title: Swap, reasoning: true}", True),
        ("protocol", "{program: swap, title: Swap, raesoning: true}", False),
        ("protocol", "{program: wsap, title: Swap}", False),
        ("protocol", "{title: Swap}", False),
        ("protocol", "{program: vanilla, title: A, temperature: -1}", False),
        ("engine", "{kind: scripted, answers: {compare: [A]}}", True),
        ("engine", "{kind: none, answers: {compare: [A]}}", False),
        ("benchmark", "{loader: rows, source: s, subsets: {a: a}, outputs: 3}", True),
        ("benchmark", "{loader: pandalm, source: s, subsets: {a: a}, outputs: 3}", False),
        ("prompts", "{title: t, templates: {}, parsers: {a: {first: A, second: B}}}", True),
        ("prompts", "{title: t, templates: {}, parsers: {a: {kind: number, low: 1, high: 5}}}", True),
        ("prompts", "{title: t, templates: {}, parsers: {a: {kind: number, low: one}}}", False),
        ("prompts", "{title: t, templates: {}, parsers: {a: {kind: yes_no, published: strat}}}", False),
        ("construct", "{title: t, strategy: addition, size: '${scale.adversarial.sums}'}", True),
        ("construct", "{title: t, strategy: addition, size: many}", False),
        ("table", TABLE % "{model: m, protocol: p, rater: r1, level: ordinal, within: [0, 1]}", True),
        ("table", TABLE % "{against: {model: m, protocol: p}, systems: [a]}", True),
        ("table", TABLE % "{model: m, protocol: p, ratr: r1}", False),
        ("table", TABLE % "{level: ordnial}", False),
        ("table", TABLE % "{against: {modle: m}}", False),
        ("table", TABLE % "{votes: -1}", False),
        ("table", TABLE % "{options: {rater: r1}}", False),
        ("model", "{engine: vllm, each: {a: {label: A}, b: }}", True),
        ("model", "{engine: vllm, each: [a, b]}", False),
        ("model", "{engine: vllm, each: {}}", False),
        ("experiment", "{defaults: [papers], title: Mine}", True),
        ("experiment", "{title: Mine}", False),
    ],
)
def test_mistakes_are_found(validators: dict[str, Draft7Validator], group: str, text: str, right: bool) -> None:
    assert validators[group].is_valid(yaml.safe_load(text)) is right


def test_an_editor_completes_the_options_of_measures_and_says_what_they_are(
    validators: dict[str, Draft7Validator],
) -> None:
    pick = validators["table"].schema["definitions"]["tables.Pick"]["anyOf"][0]["properties"]
    own = {field.name for field in fields(Pick)} - {"options"}
    assert pick.keys() == own | declared_options().keys()
    assert all(pick[name]["description"] for name in declared_options())


def test_an_editor_is_told_which_schema_is_about_which_files(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["schema", "--json", str(tmp_path)]) == 0
    schemas: dict[str, Any] = json.loads(capsys.readouterr().out)["yaml.schemas"]
    assert schemas[f"{tmp_path}/table.json"] == "config/table/*/*.yaml"
    assert {Path(name).name for name in schemas} == {path.name for path in tmp_path.iterdir()}
