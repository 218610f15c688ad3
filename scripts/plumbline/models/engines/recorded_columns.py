"""The columns of a file of recorded statements: what a row says, and about what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from plumbline.data.instances import Instance
from plumbline.data.labels import BETTER
from plumbline.data.recorded import RecordedPlace, read_answer
from plumbline.data.verdicts import NOTHING, PLAIN, SWAPPED, alone
from plumbline.records.errors import PlumblineError, nearest


@dataclass(frozen=True)
class Recorded:
    """How a file of recorded verdicts or completions is read: see docs/judge_your_own/recorded_verdicts.md."""

    file: str = ""
    """The file in the source, where that holds several."""
    instances: Literal["key", "position", "id"] = "key"
    """What names an instance: its `id` in the benchmark's file, or where that has none the number of its row, from 1
    (key); its position in that file, from 0; or Plumbline's own id, as in results/instances/."""
    columns: dict[str, str] = field(default_factory=dict)
    """Our name of each column (instance, subset, question, showing or system, sample; answer, or text and finish) and
    the file's, where that is another; `subset` and `system` count only if they are named here. With `text`, the file
    holds completions to be read, else answers."""
    fixed: dict[str, str] = field(default_factory=dict)
    """What holds for all rows, by the same names, e.g. `question: rating`."""
    values: dict[str, dict[str, str]] = field(default_factory=dict)
    """What the file's own words mean, by our name of the column, e.g. `answer: {A: first, B: second}`; of answers, `""`
    is one that the file leaves empty, which is refused where this does not say what it means."""
    scores: str = ""
    """The question whose answers are its scores of outputs, whatever people were asked about them, e.g. `rating`.
    Without it, that of all rows (`fixed`), or else what it says to each question is held against people's answers."""


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """What was recorded, as the file has it, and where it stands."""

    text: str
    finish: str
    where: str


@dataclass(frozen=True)
class RecordedRow:
    """One row of the file; several questions with an answer each are several statements."""

    instance: str
    subset: str
    questions: tuple[str, ...]
    showing: str
    system: str
    """The one whose output alone was shown, where the file names that and no showing."""
    sample: int
    answers: tuple[str, ...]
    finish: str
    where: str
    values: Mapping[str, str] | None
    """What answers mean; None where they are completions, which are read later."""

    def about(self, instance: Instance) -> Iterator[tuple[RecordedPlace, RecordedAnswer]]:
        """The statements, each checked to be one that can be made about the instance."""
        for question, answer in zip(self.questions, self.answers, strict=True):
            place = RecordedPlace(question, self._showing(question, instance), self.sample)
            if self.values is not None:
                read_answer(answer, place, self.values, self.where)
            yield place, RecordedAnswer(answer, self.finish, self.where)

    def is_about(self, instance: Instance) -> bool:
        """Whether an instance of its name is in the subset and has an output of the system, where these are named."""
        systems = [output.system for output in instance.outputs]
        return self.subset in ("", instance.subset) and (not self.system or self.system in systems)

    def _showing(self, question: str, instance: Instance) -> str:
        """How the outputs were shown; where that is not said, in the stored order, or the only output alone."""
        outputs = len(instance.outputs)
        usual = PLAIN if question == BETTER else alone(0) if outputs == 1 else ""
        showing = self.showing or self._alone(instance) or usual
        both = [PLAIN, SWAPPED] if outputs == 2 else []
        one = [] if question == BETTER else [alone(output) for output in range(outputs)]
        possible = [*both, *one, NOTHING]
        if showing not in possible:
            where, expected = f"{self.where}, showing", ", ".join(possible)
            if not showing:
                what = f"a recorded statement on {question!r} does not say which outputs were shown"
            else:
                what = f"{showing!r} is no showing for {question!r} of an instance with {outputs} outputs"
            raise PlumblineError(what, where=where, expected=expected)
        return showing

    def _alone(self, instance: Instance) -> str:
        """The output of the system that the row names."""
        places = [place for place, output in enumerate(instance.outputs) if self.system == output.system]
        if self.system and len(places) > 1:
            raise PlumblineError(
                f"the system {self.system!r} wrote {len(places)} outputs of the instance {self.instance!r}",
                where=self.where,
                do="name the output by its number, in a column `showing`",
            )
        return alone(places[0]) if self.system and places else ""


@dataclass(frozen=True)
class Columns:
    """Where a file says what."""

    declared: Recorded

    @property
    def of_text(self) -> bool:
        return holds_text(self.declared)

    def read(self, row: Mapping[str, Any], where: str) -> RecordedRow:
        questions, answers = self._questions(row, where), self._answers(row, where)
        if len(questions) != len(answers):
            raise PlumblineError(
                "a row has not one answer to each question",
                where=where,
                expected=f"{len(questions)} answers",
                found=str(len(answers)),
            )
        sample = self._text(row, "sample", where) or "0"
        if not sample.isdecimal():
            raise PlumblineError("a sample is not a number from 0", where=f"{where}, sample", found=repr(sample))
        return RecordedRow(
            instance=self._instance(row, where),
            subset=self._text(row, "subset", where) if self._names("subset") else "",
            questions=questions,
            showing=self._text(row, "showing", where),
            system=self._text(row, "system", where) if self._names("system") else "",
            sample=int(sample),
            answers=answers,
            finish=(self._text(row, "finish", where) if self.of_text else "") or "stop",
            where=where,
            values=None if self.of_text else self.declared.values.get("answer", {}),
        )

    def _instance(self, row: Mapping[str, Any], where: str) -> str:
        name = self._text(row, "instance", where)
        if not name:
            raise PlumblineError(
                "a recorded statement names no instance",
                where=f"{where}, column {self._column('instance')}",
                do="" if self._column("instance") in row else nearest(self._column("instance"), row),
            )
        return name

    def _questions(self, row: Mapping[str, Any], where: str) -> tuple[str, ...]:
        asked = self._value(row, "question", where)
        several = asked if isinstance(asked, list) else [asked]
        return tuple(self._meant("question", as_text(each, where)) or BETTER for each in several)

    def _answers(self, row: Mapping[str, Any], where: str) -> tuple[str, ...]:
        name = "text" if self.of_text else "answer"
        answer = self._value(row, name, where)
        several = answer if isinstance(answer, list) else [answer]
        texts = tuple("" if is_nothing(each) else as_text(each, where) for each in several)
        left_out = any(
            is_nothing(each) or (text == "" and not self.of_text) for each, text in zip(several, texts, strict=True)
        )
        if left_out and (self.of_text or "" not in self.declared.values.get("answer", {})):
            raise self._empty(name, row, where)
        return texts

    def _empty(self, name: str, row: Mapping[str, Any], where: str) -> PlumblineError:
        column = self._column(name)
        do = "remove the row, or say why there is none: unparsed, truncated, refused or failed"
        return PlumblineError(
            f"a row holds no {name}",
            where=f"{where}, column {column}",
            do=do if column in row else nearest(column, row),
        )

    def _text(self, row: Mapping[str, Any], name: str, where: str) -> str:
        return self._meant(name, as_text(self._value(row, name, where), where))

    def _meant(self, name: str, text: str) -> str:
        return self.declared.values.get(name, {}).get(text, text)

    def _value(self, row: Mapping[str, Any], name: str, where: str) -> Any:
        """What a row holds under our name of a column; a column that is named in the configuration must exist."""
        if name in self.declared.fixed:
            return self.declared.fixed[name]
        if name in self.declared.columns and self._column(name) not in row:
            column = self._column(name)
            raise PlumblineError(f"there is no column {column!r}", where=where, do=nearest(column, row))
        return row.get(self._column(name))

    def _names(self, name: str) -> bool:
        """Whether the configuration says where to find something: a file may well have subsets of its own."""
        return name in self.declared.columns or name in self.declared.fixed

    def _column(self, name: str) -> str:
        return self.declared.columns.get(name, name)


def holds_text(declared: Recorded) -> bool:
    """Whether a file holds completions, which must be read first."""
    return "text" in declared.columns


def is_nothing(value: Any) -> bool:
    """Empty, or what stands for it where a table of numbers has a hole."""
    return value is None or value != value


def as_text(value: Any, where: str) -> str:
    """A word, a number or yes/no as text; a whole number without a point, as other formats write it."""
    if is_nothing(value):
        return ""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()  # as transcripts keep it
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(int(value)) if float(value).is_integer() else repr(value)
    raise PlumblineError("a value is no text, number or yes/no", where=where, found=repr(value)[:120])
