"""A parser of the user's own: what it does wrong names it, its line and the answer that it met."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from plumbline.asking.parser import parser_of, read, read_items
from plumbline.config.parsers import Names
from plumbline.models.asking import Completion
from plumbline.records import plugins
from plumbline.records.errors import PlumblineError
from plumbline.records.registry import use_plugins

OWN = """
from dataclasses import dataclass
from plumbline.config.parsers import Parser
from plumbline.data.verdicts import Outcome
from plumbline.asking.parser import parser, text_parser
from plumbline.asking.answer_text.answers import Readings


@dataclass(frozen=True)
class Own(Parser):
    deep: int = 1


@parser(options=Own, gives="preference")
def stated(completion, options, names):
    return {said}


@text_parser(options=Own)
def found(text, options):
    return {found}
"""
Write = Callable[[str, str], None]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(plugins, "HERE", plugins.Imported())

    def written(answers: str, result: str) -> None:
        Path("own.py").write_text(OWN.format(said=answers, found=result))
        use_plugins(["own.py"])

    return written


def reading(kind: str) -> object:
    answer, parser = Completion("What a " + "long " * 40 + "answer"), parser_of({"kind": kind}, "here")
    return read(answer, parser, Names()) if kind == "stated" else read_items(answer, parser)


def test_what_it_reads_and_finds_is_taken_on(write: Write) -> None:
    write('Readings(Outcome("tie"), Outcome(missing="refused"))', "(text[:4], 'b')")
    assert reading("stated").strict.missing == "refused"  # type: ignore[attr-defined]
    assert reading("found") == ("What", "b")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("None", "it gives None, and should give Readings"),
        ('Readings(Outcome("yes"), Outcome("first"))', "it gives 'yes', and reads a preference"),
        ("Readings(Outcome(number=1.0), Outcome('first'))", "it gives '1', and reads a preference"),
        ("Readings(Outcome('first'), Outcome(missing='asleep'))", "it gives 'asleep', and reads a preference"),
        ("Readings(Outcome(), Outcome('first'))", "ValueError: a verdict says exactly one"),
        ("names[0]", "TypeError"),
    ],
)
def test_a_statement_that_is_none_is_refused(write: Write, words: str, message: str) -> None:
    write(words, "()")
    with pytest.raises(PlumblineError) as error:
        reading("stated")
    shown = str(error.value)
    assert f"the parser 'stated' fails: {message}" in shown
    assert "own.py, line" in shown and "the answer 'What a long" in shown and len(shown) < 600


@pytest.mark.parametrize("expected", ["None", "text", "[1]", "1 / 0"])
def test_a_text_that_is_none_is_refused(write: Write, expected: str) -> None:
    write("None", expected)
    with pytest.raises(PlumblineError, match="the parser 'found' fails"):
        reading("found")
