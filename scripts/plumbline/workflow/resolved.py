"""A composed configuration, and the settings that follow from it for single jobs."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from itertools import chain
from typing import Any

from plumbline.asking.program import KINDS, Stated
from plumbline.asking.settings import options_of, parsing_of, stating, templates_of, without_steps, worded
from plumbline.asking.wording import template_files
from plumbline.config.benchmark import DerivedBenchmark
from plumbline.config.model import Model
from plumbline.config.parts import of_answers
from plumbline.config.plain import without_defaults
from plumbline.config.prompts import Prompts
from plumbline.config.tables import Table
from plumbline.config.typed import Sections
from plumbline.config.whole import Config
from plumbline.derive.chain import Build
from plumbline.derive.derivation import needs_of
from plumbline.measuring.plans import needs, printed
from plumbline.models.kinds import noise_of
from plumbline.records.errors import PlumblineError, nearest
from plumbline.workflow import asks, composed, derivations, nodes, plugin_settings, sets, shown_sets, waiting
from plumbline.workflow.choosing import choice_notes
from plumbline.workflow.nodes import Nodes
from plumbline.workflow.own_rows import with_judges, with_wording
from plumbline.workflow.second_pass import waiting_for_reviewers

INDEX = "index"
"""The page that leads to all tables and sets of the experiment; each paper has one of its own besides."""
MILLION = 1_000_000
BOOTSTRAP = ("seed", "replicates", "level")
"""What an experiment sets for intervals."""


def described(model: Model) -> dict[str, Any]:
    """What the page of a judge says of its model: its name and, in money, a million tokens read and written."""
    return {"label": model.label, "prompt_price": model.money(MILLION, 0), "completion_price": model.money(0, MILLION)}


@dataclass(frozen=True)
class Resolved:
    """A composed configuration, and what follows from it for single jobs."""

    config: Config
    left_out: waiting.LeftOut = field(default_factory=dict)
    """What of its benchmarks cannot be built yet, and is in none of them."""

    @cached_property
    def plain(self) -> Sections:
        """The configuration as plain data, and beside it what single jobs depend on."""
        config = {one.name: partial(without_defaults, getattr(self.config, one.name)) for one in fields(self.config)}
        return Sections(config | self._for_jobs())

    def _for_jobs(self) -> dict[str, Callable[[], Any]]:
        tables, models = self.config.table.items(), self.config.model.items()
        return {
            "asked": lambda: self.asked,
            "judge": lambda: {name: self._judge(model) for name, model in models},
            "noise": lambda: {name: noise_of(model, self.config.engine[model.engine]) for name, model in models},
            "worded": lambda: self._by_judge(lambda model, names: worded(self.config, names)),
            "parsing": lambda: self._by_judge(lambda model, names: parsing_of(self.config, model, names)),
            "replayed": lambda: Sections({stated: partial(self._replayed, stated) for stated in KINDS}),
            "composed": self._composed,
            "plugins": lambda: plugin_settings.by_job(self.config, self.nodes, self.asked, self.table),
            "wording": lambda: {name: self._wording(prompts) for name, prompts in self.config.prompts.items()},
            "made": lambda: Sections({name: partial(derivations.deciding, one) for name, one in self.nodes.items()}),
            "wordings_of": lambda: Sections({name: partial(self._wordings_of, name) for name in self.nodes}),
            "sets": lambda: sets.told(self.config, self.builds),
            "declared": lambda: {
                paper: {name: without_defaults(self.shown(paper, name)) for name in of} for paper, of in tables
            },
            "measured": lambda: {
                paper: {name: of_answers(self.table(paper, name)) for name in of} for paper, of in tables
            },
            "built": lambda: {
                paper: {name: sets.built_of(self.config, table) for name, table in of.items()} for paper, of in tables
            },
            "sets_of": lambda: {
                paper: {
                    name: shown_sets.titled(self.config, shown_sets.places_of(self.config, table))
                    for name, table in of.items()
                }
                for paper, of in tables
            },
            "tables_on": self._tables_on,
            "sets_shown": self._sets_shown,
            "sets_left_out": self._sets_left_out,
            "printed": lambda: {paper: printed(of) for paper, of in tables},
            "chosen": lambda: {
                f"{paper}/{name}": without_defaults(self.shown(paper, name)) for paper, name in self.tables
            },
            "counted": lambda: self.counted,
            "home": lambda: {name: next(iter(held)).split("/")[0] for name, held in self.counted.items()},
            "bootstrap": lambda: {name: getattr(self.config.experiment, name) for name in BOOTSTRAP},
            "described": lambda: {name: described(model) for name, model in models},
        }

    @cached_property
    def nodes(self) -> Nodes:
        """All benchmarks that can be made: those that are declared, and those behind sets of pairs."""
        return nodes.nodes(self.config)

    @cached_property
    def builds(self) -> dict[str, Build]:
        """The sets that are built together, and each by itself."""
        return nodes.builds(self.config)

    @cached_property
    def before(self) -> asks.Asked:
        """What derivations need of models."""
        return asks.asked_before(self.nodes)

    @cached_property
    def finished_sets(self) -> list[str]:
        """The last benchmarks of the experiment's sets."""
        chosen = shown_sets.chosen_builds(self.config, self.builds, waiting.waiting_sets(self.config))
        states = partial(nodes.state_of, self.config)
        return [build.place(name).node(states(name)) for build in chosen for name in build.sets]

    def _wordings_of(self, name: str) -> dict[str, Any]:
        """The wording in which a derivation says instructions, as far as it decides them."""
        benchmark = self.nodes[name]
        wording = needs_of(benchmark).wording if isinstance(benchmark, DerivedBenchmark) else ""
        return {wording: templates_of(self.config, wording)} if wording else {}

    def _sets_shown(self) -> dict[str, dict[str, str]]:
        """By index the sets that it leads to, with their titles: the experiment's own, and those of its tables."""
        left_out = waiting.waiting_sets(self.config)
        chosen = shown_sets.chosen_builds(self.config, self.builds, left_out)
        own = [build.place(name) for build in chosen for name in build.sets if name not in left_out]
        of_tables = [
            place for paper, name in self.tables for place in shown_sets.places_of(self.config, self.table(paper, name))
        ]
        papers = {
            paper: shown_sets.titled(
                self.config, chain(*(shown_sets.places_of(self.config, table) for table in of.values()))
            )
            for paper, of in self.config.table.items()
        }
        return papers | {INDEX: shown_sets.titled(self.config, chain(own, of_tables))}

    def _tables_on(self) -> dict[str, dict[str, list[dict[str, Any]]]]:
        """By build and set the experiment's tables that measure on it."""
        return shown_sets.tables_on(self.config, self.builds, {at: self.table(*at) for at in self.tables})

    def _sets_left_out(self) -> dict[str, dict[str, str]]:
        """By index the sets that it cannot lead to, and what they wait for."""
        whole = waiting.of_experiment(self.config, (self.table(*at) for at in self.tables), self.left_out)
        papers = {
            paper: waiting.of_tables((self.table(paper, name) for name in of), self.left_out)
            for paper, of in self.config.table.items()
        }
        return {index: {one.name: one.reason for one in sets} for index, sets in (papers | {INDEX: whole}).items()}

    def _judge(self, model: Model) -> dict[str, Any]:
        """What decides a model's answers: not its label, nor its price, nor how fast or where it runs."""
        return {
            "model": of_answers(model),
            "engine": of_answers(self.config.engine[model.engine]),
        }

    def _by_judge(self, make: Callable[[str, Iterable[str]], Any]) -> dict[str, dict[str, Any]]:
        """By benchmark and model, from the protocols that the model is asked with there."""
        return {
            benchmark: {model: make(model, protocols) for model, protocols in models.items()}
            for benchmark, models in self.asked.items()
        }

    def _replayed(self, stated: Stated) -> dict[str, dict[str, Any]]:
        """By benchmark and model, what the model was asked that states this: as the script needs it."""
        found: dict[str, dict[str, Any]] = {}
        for benchmark, models in self.asked.items():
            for model, asked in models.items():
                if told := stating(asked, stated):
                    reading = {"worded": worded(self.config, told), "parsing": parsing_of(self.config, model, told)}
                    found.setdefault(benchmark, {})[model] = {"asked": told, **reading}
        return found

    def _composed(self) -> dict[str, dict[str, Any]]:
        """By benchmark and judge made of judges, what is put together of their verdicts."""
        return {
            benchmark: {
                model: composed.put_together(self.config, without_steps(protocols), model)
                for model, protocols in models.items()
                if composed.settings_of(self.config, model)
            }
            for benchmark, models in self.asked.items()
        }

    def _wording(self, prompts: Prompts) -> dict[str, Any]:
        """Where a prompt set's templates are, and which belong to it."""
        return {"source": prompts.source, "folder": prompts.folder, "files": template_files(prompts)}

    @cached_property
    def tables(self) -> list[tuple[str, str]]:
        """The experiment's tables as (paper, name), in order."""
        known = [f"{paper}/{name}" for paper, tables in self.config.table.items() for name in tables]
        chosen: list[tuple[str, str]] = []
        for pattern in self.config.experiment.tables:
            found = [name for name in known if fnmatch.fnmatchcase(name, pattern)]
            if not found:
                raise PlumblineError(
                    f"no table is called {pattern!r}", where="experiment.tables", do=nearest(pattern, known)
                )
            for name in found:
                paper, table = name.split("/")
                if (paper, table) not in chosen:
                    chosen.append((paper, table))
        return chosen

    def table(self, paper: str, name: str) -> Table:
        """A declared table, with rows for the experiment's own models if it takes judges and is the experiment's."""
        if (paper, name) not in self._tables:
            self._tables[paper, name] = self._completed(paper, name)
        return self._tables[paper, name]

    @cached_property
    def _tables(self) -> dict[tuple[str, str], Table]:
        return {}

    def _completed(self, paper: str, name: str) -> Table:
        tables = self.config.table.get(paper, {})
        if name not in tables:
            known = [f"{paper}/{name}" for paper, tables in self.config.table.items() for name in tables]
            raise PlumblineError(f"no table is called {paper}/{name}", do=nearest(f"{paper}/{name}", known))
        own = self.config.experiment.models if (paper, name) in self.tables else []
        table = with_wording(with_judges(tables[name], own, self.config), self.config)
        waits = waiting.waiting_cells(table, self.config, self.left_out)
        waits = composed.waiting_for_models(waits, self.config)
        return waiting_for_reviewers(waits, self.config)

    @cached_property
    def needed(self) -> dict[tuple[str, str], list[tuple[str, str, str]]]:
        """By table the (benchmark, model, protocol) triples that it stands on, of all that are declared."""
        declared = [(paper, name) for paper, named in self.config.table.items() for name in named]
        return {place: needs(self.table(*place)) for place in declared}

    def shown(self, paper: str, name: str) -> Table:
        """A table as people read it: its notes begin with how its judges answered where a prompt offers choices."""
        table = self.table(paper, name)
        return replace(table, notes=[*choice_notes(self.needed[paper, name], self.config), *table.notes])

    @cached_property
    def asked(self) -> dict[str, dict[str, dict[str, Any]]]:
        """By benchmark and model all that the model is asked, by the name it is filed under: protocols and steps.

        Protocols are what the rows of all declared tables need, sorted; steps what derived benchmarks take.

        All tables count and not the experiment's alone, so that each declared table can be built by its name and no
        ask job becomes stale when the experiment changes. The experiment's own models have rows in its tables only:
        who narrows the tables of a model that costs money pays for no others. Beside them what derivations
        need of models: texts, votes and vectors.
        """
        needed = composed.with_models(chain.from_iterable(self.needed.values()), self.config)
        asked: dict[str, dict[str, dict[str, Any]]] = {}
        for benchmark, model, protocol in sorted(needed):
            declared = options_of(self.config, protocol)
            asked.setdefault(benchmark, {}).setdefault(model, {})[protocol] = declared
        return asks.together(asked, asks.settings(self.config, self.before))

    @cached_property
    def counted(self) -> dict[str, dict[str, list[list[str]]]]:
        """By benchmark and table, the judges (model, protocol) that are held beside one another.

        The tables are the experiment's; for a benchmark that none of them measures on, all declared ones.
        """
        found: dict[str, dict[str, list[list[str]]]] = {}
        for (paper, name), needed in self.needed.items():
            for benchmark, model, protocol in needed:
                found.setdefault(benchmark, {}).setdefault(f"{paper}/{name}", []).append([model, protocol])
        chosen = {f"{paper}/{name}" for paper, name in self.tables}
        for benchmark, tables in found.items():
            if chosen & tables.keys():
                found[benchmark] = {place: judges for place, judges in tables.items() if place in chosen}
        return found

    @cached_property
    def judged(self) -> set[tuple[str, str]]:
        """The benchmarks and models of the ask jobs that the experiment's tables stand on."""
        needed = (need for place in self.tables for need in self.needed[place])
        return {(benchmark, model) for benchmark, model, _ in composed.with_models(needed, self.config)}

    def get(self, key: str) -> Any:
        """The setting at a dotted key; an unknown word is named with the nearest right one."""
        value: Any = self.plain
        walked: list[str] = []
        for word in key.split("."):
            if not isinstance(value, Mapping) or word not in value:
                if walked[:1] in (["asked"], ["replayed"]):
                    raise asks.unasked(key)
                place = ".".join(walked) or "config"
                there = value if isinstance(value, Mapping) else ()
                raise PlumblineError(f"nothing is called {word!r} in {place}", do=nearest(word, there))
            value = value[word]
            walked.append(word)
        return value
