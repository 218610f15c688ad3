"""Which pages a report has, and what each of them is made of."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from plumbline.derive.chain import Place
from plumbline.measuring.identity import has_identities
from plumbline.measuring.plans import needs
from plumbline.records.errors import PlumblineError, nearest
from plumbline.records.manifest import Setting
from plumbline.report.calls import part_names
from plumbline.workflow.flow import Flow
from plumbline.workflow.resolved import INDEX
from plumbline.workflow.set_files import HOME

LIBRARY = "scripts/plumbline/report"
PAGES = "results/report"
Wildcards = Any


class ReportFlow:
    """The report of one run's experiment, or of all tables of one paper."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow

    # what to build

    def index(self) -> list[str]:
        """The whole report."""
        papers = dict.fromkeys(paper for paper, _ in self.flow.resolved.tables)
        pages = [f"{PAGES}/{scope}.html" for scope in (INDEX, *papers)]
        return pages + self._below(self.flow.resolved.tables) + self._sets(INDEX)

    def of_paper(self, paper: str) -> list[str]:
        """The report on one paper, if any of its tables is declared here."""
        if paper not in self.flow.config.table:
            return []
        return [f"{PAGES}/{paper}.html", *self._below(self._tables(paper)), *self._sets(paper)]

    def _tables(self, scope: str) -> list[tuple[str, str]]:
        if scope == INDEX:
            return self.flow.resolved.tables
        if scope not in self.flow.config.table:
            raise PlumblineError(f"no paper is called {scope!r}", do=nearest(scope, self.flow.config.table))
        return [(scope, name) for name in self.flow.config.table[scope]]

    def _below(self, tables: Iterable[tuple[str, str]]) -> list[str]:
        """The pages that an index leads to, and what they show."""
        places = list(tables)
        judged = self._judged(places)
        benchmarks = dict.fromkeys(benchmark for benchmark, _ in judged)
        return [
            *(f"{PAGES}/assets/{path.name}" for path in self._shared()),
            *(f"{PAGES}/tables/{paper}/{name}.html" for paper, name in places),
            *(f"{PAGES}/judges/{benchmark}.html" for benchmark in benchmarks),
            *(f"{PAGES}/judges/{benchmark}/{model}.html" for benchmark, model in judged),
        ]

    def _sets(self, scope: str) -> list[str]:
        """The pages of the sets that an index leads to."""
        return [f"{PAGES}/sets/{place}.html" for place in self.flow.resolved.get(f"sets_shown.{scope}")]

    def _judged(self, tables: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
        """The benchmarks and models that some tables stand on."""
        found = (need[:2] for paper, name in tables for need in needs(self.flow.resolved.table(paper, name)))
        return sorted(dict.fromkeys(found))

    # what it is made of

    @staticmethod
    def templates(*names: str) -> list[str]:
        return [f"{LIBRARY}/templates/{name}" for name in ("base.html", "macros.html", *names)]

    def assets(self) -> list[str]:
        """Style and scripts, as they lie in the library."""
        return [path.as_posix() for path in self._shared()]

    def shared(self) -> list[str]:
        """The same as they lie beside the pages."""
        return [f"{PAGES}/assets/{path.name}" for path in self._shared()]

    @staticmethod
    def _shared() -> list[Path]:
        here = Path(__file__).resolve().parents[1] / "report" / "assets"
        return sorted(Path(LIBRARY) / "assets" / path.name for path in here.iterdir() if path.suffix in (".js", ".css"))

    def cells_of(self, wildcards: Wildcards) -> list[str]:
        return [f"results/cells/{paper}/{name}.parquet" for paper, name in self._tables(wildcards.scope)]

    def identities_of(self, wildcards: Wildcards) -> list[str]:
        """What the printed numbers of the papers say of one another."""
        papers = dict.fromkeys(paper for paper, _ in self._tables(wildcards.scope))
        return [f"results/identities/{paper}.parquet" for paper in papers if has_identities(paper)]

    def funnels_of(self, wildcards: Wildcards) -> list[str]:
        """The funnels of the sets that an index leads to."""
        return [f"{HOME}/{place}/funnel.csv" for place in self.flow.resolved.get(f"sets_shown.{wildcards.scope}")]

    def tables_on(self, wildcards: Wildcards) -> Setting:
        """The experiment's tables that measure on a set."""
        place = Place.parse(wildcards.construct)
        key = f"tables_on.{place.build}.{place.name}"
        return Setting(key, self.flow.resolved.get(key))

    def tables_of(self, wildcards: Wildcards) -> list[str]:
        """The table's files, to which its page links."""
        home = f"{wildcards.paper}/{wildcards.table}"
        drawn = self.flow.figures_of(wildcards.paper, wildcards.table)
        return [f"results/tables/{home}.{kind}" for kind in ("csv", "md", "tex")] + drawn

    def declared(self, wildcards: Wildcards) -> Setting:
        """The declarations of an index's tables."""
        key = "chosen" if wildcards.scope == INDEX else f"declared.{wildcards.scope}"
        return Setting(key, self.flow.resolved.get(key))

    def verdicts_of(self, wildcards: Wildcards) -> list[str]:
        """Of the judges that the experiment's tables put beside one another on a benchmark."""
        return [f"results/verdicts/{wildcards.benchmark}/{model}.parquet" for model in self._models(wildcards)]

    def transcripts_of(self, wildcards: Wildcards) -> list[str]:
        """What those judges were asked, where they were themselves."""
        models = [model for model in self._models(wildcards) if model not in self.flow.composed]
        return [path for model in models for path in self.flow.shards(wildcards, model)]

    def _models(self, wildcards: Wildcards) -> list[str]:
        tables = self.flow.resolved.get(f"counted.{wildcards.benchmark}")
        return sorted({model for judges in tables.values() for model, _ in judges})

    @staticmethod
    def call_parts() -> list[str]:
        return [f"{PAGES}/data/calls/{{benchmark}}/{{model}}/{part}.js" for part in part_names()]
