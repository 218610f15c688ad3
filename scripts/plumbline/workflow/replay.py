"""What `rules/replay.smk` asks: the transcripts of a model, and how its answers are read."""

from __future__ import annotations

from functools import partial
from typing import Any

from plumbline.asking import parser
from plumbline.asking.program import KINDS, Stated
from plumbline.asking.protocols import wordings_of
from plumbline.asking.settings import kinds_of_parsers, parsing_of, program_modules, stating, worded
from plumbline.config.typed import Sections
from plumbline.models.kinds import noise_of
from plumbline.records.closure import Code, code_of
from plumbline.records.plugins import PACKAGE
from plumbline.workflow.composing.resolved import Resolved
from plumbline.workflow.constraints import none_of
from plumbline.workflow.context import Groups, RuleModule, Wildcards
from plumbline.workflow.wording import Wording


class Replay(RuleModule):
    @property
    def models(self) -> str:
        """A wildcard's constraint: the models that are asked themselves."""
        return none_of(self.run.composed_models)

    def wordings(self, wildcards: Wildcards) -> list[str]:
        """The wordings in which a model states what is read here."""
        self.run.model(wildcards.model)
        return [Wording(self.run).file(name) for name in wordings_of(self._asked(wildcards))]

    def transcripts(self, wildcards: Wildcards) -> list[str]:
        """What a model was asked about a benchmark; nothing of a judge that is made of judges."""
        composed = wildcards.model in self.run.composed_models
        return [] if composed else self.run.transcripts(wildcards.benchmark, wildcards.model)

    def code(self, wildcards: Wildcards) -> Code:
        """The closure of the script that replays a model's transcripts, with the programs that state what is read here,
        the parsers of their answers, and what a file of such a model says."""
        asked = self._asked(wildcards)
        parsers = map(parser.module_of, kinds_of_parsers(self.run.config, wildcards.model, asked))
        plugins = self.run.get(f"plugins.judge.{wildcards.benchmark}.{wildcards.model}")
        model = type(self.run.model(wildcards.model)).__module__
        declared = [model] if model.startswith(f"{PACKAGE}.") else []  # a plugin's class is among its own
        return code_of("replay", list(dict.fromkeys([*program_modules(asked), *parsers, *declared, *plugins])))

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
