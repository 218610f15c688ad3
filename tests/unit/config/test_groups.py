"""The files of `config/` become one mapping, whoever reads them: plain YAML here, what needs Hydra there."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import plumbline.config.groups
import pytest
from omegaconf import OmegaConf
from plumbline.config.groups import GROUPS, by_hydra, file_of, files_of, read_groups
from plumbline.records.errors import PlumblineError
from rebuilt import CONFIG


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A small configuration: two models, a table, two experiments."""
    for name, text in {
        "model/a.yaml": "label: A\nprices: [1e-3, 2.5E2, .5, 7]\nsince: 2024-01-01\n",
        "model/b.yaml": "label: B\nempty:\n",
        "engine/none.yaml": "",
        "table/paper/one.yaml": "rows: {z: 1, a: 2}\n",
        "experiment/papers.yaml": "# @package _global_\nexperiment: {title: Papers}\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_each_file_stands_under_its_group_and_name(own: Path) -> None:
    result = read_groups(own, "papers", "")
    assert result["model"]["a"] == {"label": "A", "prices": [0.001, 250.0, 0.5, 7], "since": "2024-01-01"}
    assert result["model"]["b"] == {"label": "B", "empty": None}
    assert result["engine"] == {"none": {}}
    assert list(result["table"]["paper"]["one"]["rows"]) == ["z", "a"]
    assert result["experiment"] == {"title": "Papers"}


def test_what_hydra_reads_and_what_is_read_here_is_the_same(own: Path) -> None:
    ours = read_groups(own, "papers", "")
    inheriting = [file.override for file in files_of(own)]
    theirs = {group: {} for group in GROUPS} | by_hydra(own, {}, [*inheriting, "+experiment=papers"], "")
    assert ours == theirs
    assert json.dumps(ours["table"]) == json.dumps(theirs["table"])  # the order of rows too


def test_every_file_of_the_real_configuration_is_read_as_hydra_reads_it() -> None:
    for file in files_of(CONFIG):
        theirs = OmegaConf.to_container(OmegaConf.load(file.path))
        assert json.dumps(file.read()) == json.dumps(theirs), file.path


@pytest.mark.parametrize("override", ["model.a.label=C", "+model.c={label: C}", "engine.none.window=3"])
def test_an_override_changes_its_key_and_nothing_else(own: Path, override: str) -> None:
    before, after = read_groups(own, "papers", ""), read_groups(own, "papers", f"'{override}'")
    key, _, _ = override.lstrip("+").partition("=")
    group, name, *rest = key.split(".")
    entry = after[group].get(name)
    assert (entry if not rest else entry[rest[0]]) in ("C", {"label": "C"}, 3)
    before[group][name] = after[group][name] = {}
    assert before == after


def test_an_entry_can_be_taken_away(own: Path) -> None:
    assert list(read_groups(own, "papers", "~model.b")["model"]) == ["a"]


def test_a_value_may_refer_to_another_in_files_and_in_overrides(own: Path) -> None:
    (own / "model/b.yaml").write_text("label: Like ${model.a.label}\n")
    assert read_groups(own, "papers", "")["model"]["b"]["label"] == "Like A"
    assert read_groups(own, "papers", "model.a.label=C")["model"]["b"]["label"] == "Like C"
    assert read_groups(own, "papers", "'table.paper.one.rows.a=${model.a.label}'")["table"]["paper"]["one"]["rows"] == {
        "z": 1,
        "a": "A",
    }


@pytest.mark.parametrize(
    "reference", ["${model.a.label}", "${ model.a.label }", "${model[a].label}", "${.like.label}", "${.model.a}"]
)
def test_however_it_is_written_a_reference_is_followed(own: Path, reference: str) -> None:
    (own / "model/c.yaml").write_text(f"like: ${{model.a}}\nmodel: {{a: A}}\nlabel: {reference}\n")
    (own / "table/paper/one.yaml").write_text("rows: {z: '${model.c.label}'}\n")
    result = read_groups(own, "papers", "")
    assert result["model"]["c"]["like"]["label"] == result["model"]["c"]["label"] == "A"
    assert result["table"]["paper"]["one"]["rows"] == {"z": "A"}


def test_an_experiment_may_refer_to_a_value(own: Path) -> None:
    (own / "experiment/papers.yaml").write_text("# @package experiment\ntitle: About ${model.a.label}\n")
    assert read_groups(own, "papers", "")["experiment"]["title"] == "About A"


def test_a_file_may_inherit_from_another(own: Path) -> None:
    (own / "model/b.yaml").write_text("defaults: [a, _self_]\nlabel: B\n")
    result = read_groups(own, "papers", "")["model"]
    assert (result["a"]["label"], result["b"]["label"], result["b"]["since"]) == ("A", "B", "2024-01-01")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"label: A\nlabel: B\n", "model/a.yaml, line 2, column 1"),
        (b"label: [A\n", "model/a.yaml, line 2"),
        (b"label: \xff\n", "model/a.yaml"),
        (b"label: !!python/object/apply:os.system [true]\n", "model/a.yaml, line 1"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_its_place(own: Path, data: bytes, message: str) -> None:
    (own / "model/a.yaml").write_bytes(data)
    with pytest.raises(PlumblineError, match="a configuration file is not YAML") as error:
        read_groups(own, "papers", "")
    assert message in str(error.value)


def test_hydra_is_given_only_what_it_must_read(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[dict[str, list[str]]] = []

    def watched(folder: Path, known: dict[str, Any], overrides: list[str], where: str) -> dict[str, Any]:
        given.append({group: list(entries) for group, entries in known.items()})
        return by_hydra(folder, known, overrides, where)

    monkeypatch.setattr(plumbline.config.groups, "by_hydra", watched)
    read_groups(own, "papers", "")
    read_groups(own, "papers", "model.a.label=C experiment.title=X")
    shutil.copy(own / "model/a.yaml", own / "model/c.yaml")
    (own / "table/paper/one.yaml").write_text("rows: {z: '${model.a.label}'}\n")
    read_groups(own, "papers", "")
    (own / "model/b.yaml").write_text("label: B\nalias: ${.label}\n")
    read_groups(own, "papers", "")
    one, table = {"model": ["a"]}, {"table": ["paper"]}
    assert given == [{}, one, one | table, {"model": ["a", "b", "c"]} | table | {"engine": ["none"]}]


def test_an_overridden_entry_stays_where_its_file_stands(own: Path) -> None:
    (own / "table/paper/two.yaml").write_text("rows: {}\n")
    result = read_groups(own, "papers", "model.a.label=C table.paper.one.rows.z=3 '+model.c={label: C}'")
    assert list(result["model"]) == ["a", "b", "c"]
    assert list(result["table"]["paper"]) == ["one", "two"]


# files with several entries

SEVERAL = """
engine: vllm
resources: {gpu: 1, cpus: 8}
each:
  small: {label: Small}
  large: {label: Large, resources: {gpu: 4}, dtype: float16}
  plain:
"""


@pytest.fixture
def listed(own: Path) -> Path:
    """The same with a file that lists three models."""
    (own / "model/ab.yaml").write_text(SEVERAL)
    return own


def test_each_entry_of_a_list_says_what_all_say_and_its_own(listed: Path) -> None:
    models = read_groups(listed, "papers", "")["model"]
    assert list(models) == ["a", "small", "large", "plain", "b"]
    assert models["small"] == {"engine": "vllm", "resources": {"gpu": 1, "cpus": 8}, "label": "Small"}
    assert models["large"]["resources"] == {"gpu": 4, "cpus": 8} and models["large"]["dtype"] == "float16"
    assert models["plain"] == {"engine": "vllm", "resources": {"gpu": 1, "cpus": 8}}


@pytest.mark.parametrize("override", ["model.large.resources.gpu=2", "+model.small.dtype=auto", "model.plain.label=P"])
def test_an_override_reaches_one_entry_of_a_list_alone(listed: Path, override: str) -> None:
    before, after = read_groups(listed, "papers", ""), read_groups(listed, "papers", override)
    key, _, value = override.lstrip("+").partition("=")
    _, name, *words = key.split(".")
    entry = after["model"][name]
    for word in words:
        entry = entry[word]
    assert str(entry) == value and list(after["model"]) == list(before["model"])
    before["model"][name] = after["model"][name] = {}
    assert before == after


def test_an_entry_of_a_list_and_a_key_of_it_can_be_taken_away(listed: Path) -> None:
    assert list(read_groups(listed, "papers", "~model.large")["model"]) == ["a", "small", "plain", "b"]
    assert read_groups(listed, "papers", "~model.large.resources.cpus")["model"]["large"]["resources"] == {"gpu": 4}


def test_an_entry_of_a_list_may_refer_to_another(listed: Path) -> None:
    (listed / "model/b.yaml").write_text("label: Like ${model.small.label}\n")
    assert read_groups(listed, "papers", "")["model"]["b"]["label"] == "Like Small"


def test_a_file_may_inherit_what_a_list_does_not_hold(listed: Path) -> None:
    (listed / "model/c.yaml").write_text("defaults: [a, _self_]\nlabel: C\n")
    models = read_groups(listed, "papers", "")["model"]
    assert models["c"]["since"] == "2024-01-01" and models["large"]["label"] == "Large"


@pytest.mark.parametrize(("name", "other"), [("a", "model/a.yaml"), ("large", "model/ab.yaml")])
def test_a_name_that_two_files_declare_is_refused_with_both(listed: Path, name: str, other: str) -> None:
    (listed / "model/more.yaml").write_text(f"each: {{{name}: {{label: Again}}, z: {{label: Z}}}}\n")
    with pytest.raises(PlumblineError, match=f"model.{name} is declared twice") as error:
        read_groups(listed, "papers", "")
    assert all(str(listed / file) in str(error.value) for file in (other, "model/more.yaml"))


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("model/ab.yaml", "each: [x]", "a list of entries names none"),
        ("model/ab.yaml", "each: {}", "a list of entries names none"),
        ("model/ab.yaml", "each: {x.y: {}}", "cannot be called 'x.y'"),
        ("model/ab.yaml", "each: {1: {}}", "cannot be called 1"),
        ("model/ab.yaml", "each: {x: A}", "the entry 'x' is not a mapping"),
        ("model/ab.yaml", "defaults: [a, _self_]\neach: {x: {}}", "cannot inherit"),
        ("table/paper/one.yaml", "each: {x: {}}", "holds one entry"),
    ],
)
def test_a_list_that_cannot_be_read_is_named(own: Path, file: str, text: str, message: str) -> None:
    (own / file).write_text(f"{text}\n")
    with pytest.raises(PlumblineError, match=message) as error:
        read_groups(own, "papers", "")
    assert file in str(error.value)


def test_the_file_of_an_entry_is_that_of_its_name_or_the_list_that_holds_it(listed: Path) -> None:
    assert file_of(listed, "model", "a") == listed / "model/a.yaml"
    assert file_of(listed, "model", "large") == listed / "model/ab.yaml"
    assert file_of(listed, "model", "unknown") == listed / "model/unknown.yaml"
