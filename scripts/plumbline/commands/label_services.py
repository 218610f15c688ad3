"""`plumbline label BENCHMARK --to` and `--from`: items for other services, and what people said there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from plumbline.config.typed import known
from plumbline.people.flat import from_rows, to_jsonl
from plumbline.people.imported import Imported, new_lines
from plumbline.people.journal import LABELS, Journal
from plumbline.people.label_studio.annotations import from_label_studio
from plumbline.people.label_studio.project import Project
from plumbline.people.label_studio.written import to_label_studio
from plumbline.people.rater_desks import guidelines_of
from plumbline.people.suggestions import suggestions_of
from plumbline.people.tasks import LabellingTask
from plumbline.records.errors import PlumblineError

LABEL_STUDIO, JSONL = SERVICES = ("label-studio", "jsonl")
OTHERS = "label-studio (into a folder), or for any other service jsonl (into a file)"


def send(task: LabellingTask, service: str, place: Path, results: Path) -> None:
    """Write what a service reads."""
    known(service, dict.fromkeys(SERVICES), "--to")
    if service == JSONL:
        asked = {name: question for questions in task.ways.values() for name, question in questions.items()}
        to_jsonl(place, task.instances.values(), asked, task.labelling.shows)
        print(f"{len(task.instances):,} items in {place}")
        return
    suggestions, judge = suggestions_of(task, results), task.labelling.suggestions
    for arm, project in projects(task).items():
        folder = place / arm if arm else place
        answers = {name: [one.answer for one in told] for name, told in suggestions.items()}
        for file in to_label_studio(folder, project, guidelines_of(task), answers, judge):
            print(file)


def receive(task: LabellingTask, service: str, files: Sequence[Path], arm: str) -> None:
    """Add what people said elsewhere to their journals; what is read twice changes nothing."""
    known(service, dict.fromkeys(SERVICES), "--from")
    if not files:
        raise PlumblineError("no file is named", where="--from", expected="the service, and one or several files")
    if arm not in task.ways:
        raise PlumblineError(
            "several arms are labelled, and the file does not say which it is of" if not arm else f"no arm {arm!r}",
            expected=", ".join(task.ways),
            do="--arm NAME",
        )
    if service == JSONL:
        imported = from_rows(files, list(task.instances.values()), task.ways[arm], arm)
    else:
        imported = from_label_studio(files, projects(task)[arm])
    print(f"{imported.counts}\n{added(task, imported):,} lines are new")


def added(task: LabellingTask, imported: Imported) -> int:
    """Lines that no journal ended with yet, written."""
    count, by_rater = 0, imported.by_rater()
    assignment = task.known_as(list(by_rater))
    for rater, lines in by_rater.items():
        with Journal(task.labelling.journal(task.name, assignment.number_of(rater)), rater, LABELS) as journal:
            for line in new_lines(journal.lines, lines):
                journal.append(line)
                count += 1
    return count


def projects(task: LabellingTask) -> dict[str, Project]:
    """One an arm: people answer the questions of their own arm."""
    instances, labelling = list(task.instances.values()), task.labelling
    return {
        arm: Project(task.name, arm, questions, instances, labelling.shows, labelling.seed)
        for arm, questions in task.ways.items()
    }
