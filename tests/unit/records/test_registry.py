"""A registry imports a thing by its name and knows the folder's others without importing them."""

import importlib
import sys
from pathlib import Path

import pytest
from plumbline.records.errors import PlumblineError
from plumbline.records.registry import Registry

MODULE = """
import tools_of_test

def tool(module):
    tools_of_test.REGISTRY.add(module.rpartition(".")[2], "made", module)
    return lambda function: function

@tool(__name__)
def made():
    pass
"""


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry[str]:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools/__init__.py").touch()
    (tmp_path / "tools/helper.py").write_text("raise AssertionError('it registers nothing')\n")
    for name in ("hammer", "saw"):
        (tmp_path / f"tools/{name}.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    for name in [name for name in sys.modules if name.partition(".")[0] in ("tools", "tools_of_test")]:
        monkeypatch.delitem(sys.modules, name)
    result: Registry[str] = Registry("tool", "tools", "tool")
    (tmp_path / "tools_of_test.py").write_text("REGISTRY = None\n")
    monkeypatch.setattr(importlib.import_module("tools_of_test"), "REGISTRY", result)
    return result


def test_only_the_thing_that_is_named_is_imported(registry: Registry[str]) -> None:
    assert registry.names() == ["hammer", "saw"]
    assert registry.named("saw") == "made"
    assert "tools.saw" in sys.modules and "tools.hammer" not in sys.modules
    assert registry.module_of("hammer") == "tools.hammer"


def test_an_unknown_name_is_refused_with_the_nearest_one(registry: Registry[str]) -> None:
    with pytest.raises(PlumblineError, match=r"no tool is called 'sew'(.|\n)*saw"):
        registry.named("sew")
    with pytest.raises(PlumblineError, match=r"known: hammer, saw\. If it is your own"):
        registry.named("x")


def test_a_name_is_given_once_and_a_thing_from_elsewhere_is_known(registry: Registry[str]) -> None:
    registry.add("drill", "own", "somewhere.drills")
    assert registry.named("drill") == "own" and registry.module_of("drill") == "somewhere.drills"
    with pytest.raises(PlumblineError, match=r"a tool is already called 'drill'(.|\n)*somewhere.drills and elsewhere"):
        registry.add("drill", "other", "elsewhere")


def test_a_module_that_registers_under_another_name_is_named(registry: Registry[str], tmp_path: Path) -> None:
    (tmp_path / "tools/wrench.py").write_text(MODULE.replace("@tool(__name__)", "@tool('tools.spanner')"))
    with pytest.raises(PlumblineError, match=r"tools\.wrench registers no tool called 'wrench'"):
        registry.named("wrench")
