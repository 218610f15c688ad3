"""What `rules/replay.smk` asks: the transcripts of a model, and how its answers are read."""

from __future__ import annotations

from functools import partial
from typing import Any

from plumbline.asking import parser
from plumbline.asking.program import KINDS, Stated
from plumbline.asking.protocols import wordings_of
from plumbline.asking.settings import kinds_of_parsers, parsing_of, program_modules, stating, worded
from plumbline.config.typed import Sections
from plumbline.models.kinds import module_of, noise_of
from plumbline.records.closure import Code, code_of
from plumbline.records.plugins import PACKAGE
from plumbline.workflow.composing.resolved import Resolved
from plumbline.workflow.constraints import none_of, one_of
from plumbline.workflow.context import Groups, RuleModule, Wildcards
from plumbline.workflow.wording import Wording


class Replay(RuleModule):
    @property
    def models(self) -> str:
        """A wildcard's constraint: the models that are asked themselves."""
        return none_of([*self.run.composed_models, *self.run.unasked_models])

    @property
    def unasked(self) -> str:
        """A wildcard's constraint: rules, and judges whose verdicts stand in a file."""
        return one_of(self.run.unasked_models)

    def wordings(self, wildcards: Wildcards) -> list[str]:
        """The wordings in which a model states what is read here."""
        self.run.model(wildcards.model)
        return [Wording(self.run).file(name) for name in wordings_of(self._asked(wildcards))]

    def transcripts(self, wildcards: Wildcards) -> list[str]:
        """What a model was asked about a benchmark."""
        return self.run.transcripts(wildcards.benchmark, wildcards.model)

    def recorded(self, wildcards: Wildcards) -> list[str]:
        """The sources of a model whose verdicts stand in a file."""
        return [f"results/source/{source}.zip" for source in self.run.model(wildcards.model).sources]

    def code(self, wildcards: Wildcards) -> Code:
        """The closure of the script that replays a model's transcripts, with the programs that state what is read here,
        the parsers of their answers, and what a file of such a model says; of one that is not asked also its engine."""
        asked = self._asked(wildcards)
        parsers = map(parser.module_of, kinds_of_parsers(self.run.config, wildcards.model, asked))
        plugins = self.run.get(f"plugins.judge.{wildcards.benchmark}.{wildcards.model}")
        model = type(self.run.model(wildcards.model)).__module__
        declared = [model] if model.startswith(f"{PACKAGE}.") else []  # a plugin's class is among its own
        unasked = wildcards.model in self.run.unasked_models
        engine = [module_of(self.run.engine(wildcards.model).kind)] if unasked else []
        modules = [*program_modules(asked), *parsers, *declared, *engine, *plugins]
        return code_of("replay", list(dict.fromkeys(modules)))

    def _asked(self, wildcards: Wildcards) -> Any:
        return self.run.get(f"replayed.{wildcards.stated}.{wildcards.benchmark}.{wildcards.model}")["asked"]


def replayed(resolved: Resolved, stated: Stated) -> dict[str, dict[str, Any]]:
    """By benchmark and model, what the model was asked that states this, and how it is read."""
    by_benchmark: dict[str, dict[str, Any]] = {}
    for benchmark, models in resolved.asked.items():
        for model, asked in models.items():
            if names := stating(asked, stated):
                parsing = parsing_of(resolved.config, model, names)
                how = {"worded": worded(resolved.config, names), "parsing": parsing}
                by_benchmark.setdefault(benchmark, {})[model] = {"asked": names, **how}
    return by_benchmark


def noise(resolved: Resolved) -> dict[str, float | None]:
    """By model how far two computations of the same log-probability may lie apart."""
    engines = resolved.config.engine
    return {name: noise_of(model, engines[model.engine]) for name, model in resolved.config.model.items()}


SETTINGS: Groups = {
    "replayed": lambda resolved: Sections({stated: partial(replayed, resolved, stated) for stated in KINDS}),
    "noise": noise,
}
