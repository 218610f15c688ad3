"""`plumbline label BENCHMARK --status`: who did what, how far people agree, and what is disputed."""

from __future__ import annotations

from plumbline.people.progress import progress
from plumbline.people.tasks import LabellingTask
from plumbline.report.terminal import plain

SHOWN = 10
"""So many disputed items are listed."""


def show_status(task: LabellingTask) -> None:
    assignment = task.assignment()
    rows = progress(task, assignment)
    if not rows:
        print(f"Nobody has begun: plumbline label {task.name} --rater NAME")
        return
    print(f"{len(task.instances):,} instances, {task.labelling.raters} raters each\n")
    print(f"{'rater':<8}{'name':<20}{'done':>14}{'skipped':>9}{'same again':>14}{'known right':>14}{'looked':>8}")
    for row in rows:
        name = plain(row.name)[:18]
        counts = f"{row.items!s:>14}{row.skipped:>9}{row.again!s:>14}{row.right!s:>14}{row.looked:>8}"
        print(f"{row.number:<8}{name:<20}{counts}")
