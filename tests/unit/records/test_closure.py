"""The code behind a result: all it imports, however it is imported, and nothing else."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import plumbline.records.closure
import plumbline.records.frame
import pytest
from plumbline.asking.settings import PARSING
from plumbline.records.closure import (
    Code,
    code_of,
    imported,
    keep_imports,
    module_files,
    parsed_imports,
    recall_imports,
)
from plumbline.records.frame import is_frame, package_of
from rebuilt import CONFIG

SCRIPTS = CONFIG.parent / "scripts"
LOADED = """
import runpy, sys
from pathlib import Path
try:
    runpy.run_path(sys.argv[1], {"snakemake": None}, run_name="__main__")
except (AttributeError, SystemExit):
    pass
files = (getattr(module, "__file__", None) for name, module in sys.modules.items() if name.split(".")[0] == "plumbline")
print("\\n".join(filter(None, files)))
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Scripts of which one imports in every way there is."""
    files = {
        "job.py": "from plumbline.direct import x\nimport numpy\n",
        "plumbline/__init__.py": "",
        "plumbline/direct.py": "from plumbline import beside\nfrom plumbline.deep import inner\nimport os.path\n",
        "plumbline/beside.py": "def late():\n    from plumbline.hidden import y\n",
        "plumbline/hidden.py": "import plumbline.circle\n",
        "plumbline/circle.py": "import plumbline.direct\n",
        "plumbline/deep/__init__.py": "import plumbline.of_package\n",
        "plumbline/deep/inner.py": "",
        "plumbline/of_package.py": "",
        "plumbline/stranger.py": "",
        "plumbline/engine.py": "import plumbline.wheel\n",
        "plumbline/wheel.py": "",
    }
    for name, text in files.items():
        (tmp_path / "scripts" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "scripts" / name).write_text(text)
    monkeypatch.setattr(plumbline.records.closure, "SCRIPTS", tmp_path / "scripts")
    return tmp_path


def names(code: Code) -> set[str]:
    return {name.removeprefix("scripts/").removeprefix("plumbline/").removesuffix(".py") for name, _ in code.files}


ALL = {"job", "__init__", "direct", "beside", "hidden", "circle", "deep/__init__", "deep/inner", "of_package"}


def test_every_way_of_importing_is_followed_and_strangers_are_left_out(home: Path) -> None:
    assert names(code_of("job")) == ALL


def test_a_module_imported_by_name_only_at_run_time_can_be_added(home: Path) -> None:
    assert names(code_of("job", ["plumbline.engine"])) == ALL | {"engine", "wheel"}


def test_a_module_left_out_takes_what_only_it_imports_with_it(home: Path) -> None:
    assert names(code_of("job", without=["plumbline.hidden"])) == ALL - {"hidden", "circle"}


@pytest.mark.parametrize(("edited", "changes"), [("plumbline/circle.py", True), ("plumbline/stranger.py", False)])
def test_an_edit_changes_the_digest_exactly_where_it_is_imported(home: Path, edited: str, changes: bool) -> None:
    before = code_of("job")
    with (home / "scripts" / edited).open("a") as file:
        file.write("# edited\n")
    plumbline.records.closure.digest_once.cache_clear()
    assert (code_of("job").sha256 != before.sha256) is changes


def test_what_sources_import_is_kept_by_their_content(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of the file serves; a source that was edited, and a file that is damaged, are read anew."""
    before, kept = code_of("job"), home / "imports.json"
    keep_imports(kept)
    contents = len({digest for _, digest in before.files})
    for text, parses in ((kept.read_text(), 0), ("[]", contents), ("{", contents)):
        kept.write_text(text)
        parsed = forgetting(monkeypatch)
        recall_imports(kept)
        assert code_of("job") == before
        assert len(parsed) == parses
    keep_imports(kept)
    (home / "scripts/plumbline/circle.py").write_text("import plumbline.stranger\n")
    parsed = forgetting(monkeypatch)
    recall_imports(kept)
    assert "stranger" in names(code_of("job"))
    assert len(parsed) == 1


def forgetting(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """A new process: nothing is known. The list fills with the sources that are parsed."""
    parsed: list[Path] = []
    monkeypatch.setattr(plumbline.records.closure, "KNOWN", {})
    for remembered in (plumbline.records.closure.reached, imported, plumbline.records.closure.digest_once):
        remembered.cache_clear()

    def parse(path: Path) -> Iterator[str]:
        parsed.append(path)
        return parsed_imports(path)

    monkeypatch.setattr(plumbline.records.closure, "parsed_imports", parse)
    return parsed


def test_files_are_named_from_the_repository_so_that_copies_agree(home: Path) -> None:
    assert all(name.startswith("scripts/") for name, _ in code_of("job").files)


def test_other_packages_have_no_project_files() -> None:
    assert module_files("numpy.linalg") == ()


@pytest.mark.parametrize("script", ["cells", "replay", "ask", "source"])
def test_what_a_script_really_loads_lies_within_its_closure(script: str) -> None:
    """Python's own record of loaded modules, against what reading the imports finds."""
    command = [sys.executable, "-c", LOADED, str(SCRIPTS / f"{script}.py")]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=60, env={"PYTHONPATH": str(SCRIPTS), "PATH": ""}, check=True
    )
    loaded = {Path(line).relative_to(SCRIPTS / "plumbline").as_posix() for line in done.stdout.splitlines()}
    framed, code = set(filter(is_frame, loaded)), code_of(script)
    assert len(framed) > 5
    assert set(map(package_of, framed)) <= dict(code.frame).keys()
    assert loaded - framed <= {name.removeprefix("scripts/plumbline/") for name, _ in code.files}


def test_a_judge_job_does_not_rest_on_how_answers_are_read() -> None:
    without, whole = names(code_of("ask", without=PARSING)), names(code_of("ask"))
    assert {"asking/prompts", "asking/fitting"} <= without
    readers = {"asking/answer_text/answers", "asking/conclusion", "asking/refusal", "asking/texts"}
    assert whole - without == readers


def test_of_the_frame_a_version_counts_and_no_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plumbline.records.frame, "FRAME", {"deep": ("inner",)})
    is_frame.cache_clear()
    monkeypatch.setattr(plumbline.records.closure, "versions_of_frame", lambda: {"deep": 3})
    code = code_of("job")
    assert names(code) == ALL - {"deep/__init__", "deep/inner"}, "what the frame imports counts as before"
    assert code.frame == (("deep", 3),)
    monkeypatch.setattr(plumbline.records.closure, "versions_of_frame", lambda: {"deep": 4})
    assert code_of("job").sha256 != code.sha256


def test_cells_do_not_rest_on_engines_nor_on_how_answers_are_read() -> None:
    assert not {name for name in names(code_of("cells")) if name.startswith(("models/", "asking/"))}
