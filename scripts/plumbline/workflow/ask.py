"""What `rules/ask.smk` asks: what a model is asked about a benchmark, with which code, and what its jobs need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from plumbline.asking import parser
from plumbline.asking.protocols import is_step, wordings_of
from plumbline.asking.settings import PARSING, kinds_of_parsers, parsing_of, program_modules, rests_on_reading, worded
from plumbline.config.parts import Cost, Speed, of_answers, of_parts
from plumbline.models.kinds import module_of, named
from plumbline.records.closure import Code, code_of, own_files
from plumbline.records.manifest import Setting
from plumbline.workflow.composing.resolved import Resolved
from plumbline.workflow.constraints import none_of, one_of
from plumbline.workflow.context import Context, ForWildcards, Groups, RuleModule, Wildcards
from plumbline.workflow.wording import Wording


class Ask(RuleModule):
    def __init__(self, run: Context) -> None:
        super().__init__(run)
        self._code = cache(self._code_of)
        self._rests_on_reading = cache(self._found_to_rest_on_reading)

    @property
    def submitted(self) -> str:
        """A wildcard's constraint: the models whose jobs a cluster gets."""
        return none_of(self.run.local_models)

    @property
    def local(self) -> str:
        """A wildcard's constraint: the models whose jobs take seconds, and stay where the user typed."""
        return one_of(name for name in self.run.local_models if name not in self.run.unasked_models)

    def wordings(self, wildcards: Wildcards) -> list[str]:
        """The wordings that a model is asked in about a benchmark."""
        self.run.model(wildcards.model)
        return [Wording(self.run).file(name) for name in wordings_of(self._asked(wildcards.benchmark, wildcards.model))]

    def recorded(self, wildcards: Wildcards) -> list[str]:
        """The sources of a model whose answers were recorded."""
        return [f"results/source/{source}.zip" for source in self.run.model(wildcards.model).sources]

    def code(self, wildcards: Wildcards) -> Code:
        """The same for all shards."""
        return self._code(wildcards.benchmark, wildcards.model)

    def _code_of(self, benchmark: str, model: str) -> Code:
        """The ask script's closure with the engine of this model and the programs that it is asked with.

        Parsing belongs to it only where what is asked depends on what was read, as in Swap, or may, as in a step.
        Elsewhere a changed parser asks for no GPU: the replay reads the transcripts anew.
        """
        asked, engine = self._asked(benchmark, model), self.run.engine(model).kind
        reading = [name for name in asked if self._rests_on_reading(benchmark, model) or is_step(name)]
        parsers = kinds_of_parsers(self.run.config, model, reading)
        modules = dict.fromkeys([module_of(engine), *program_modules(asked), *map(parser.module_of, parsers)])
        own = self.run.model(model).own_code
        return code_of("ask", list(modules), without=() if parsers else PARSING, files=own)

    def refuse_unreadable(self) -> None:
        """A user's file that is not there or not Python is told before Snakemake asks for it, and adds a traceback."""
        for name in {name for models in self.run.resolved.asked.values() for name in models}:
            for file in self.run.model(name).own_code:
                own_files(file)

    def parsing(self, wildcards: Wildcards) -> Any:
        """How answers are read: a setting where what is asked depends on it, else something that changes nothing."""
        setting: Setting = self.run.keyed(f"parsing.{wildcards.benchmark}.{wildcards.model}")
        return setting if self._rests_on_reading(wildcards.benchmark, wildcards.model) else setting.value

    def runtime_settings(self, wildcards: Wildcards) -> dict[str, Any]:
        """What makes an ask job fast or slow, cheap or dear, but not its answers."""
        model = self.run.model(wildcards.model)
        return {"engine": of_parts(self.run.engine(wildcards.model), Speed, Cost), "model": of_parts(model, Cost)}

    def environment(self, wildcards: Wildcards) -> str:
        """The pinned environment that holds a model's engine."""
        return f"../envs/{named(self.run.engine(wildcards.model).kind).environment}.yaml"

    def resource(self, name: str) -> ForWildcards:
        """What the model's file says its jobs need; unset where it says nothing."""
        return lambda wildcards: getattr(self.run.model(wildcards.model).resources, name) or None

    def growing(self, name: str) -> Callable[[Wildcards, int], int]:
        """The same, and as much again with each retry: a job that ran out of it gets more."""
        return lambda wildcards, attempt: int(getattr(self.run.model(wildcards.model).resources, name)) * attempt

    def _asked(self, benchmark: str, model: str) -> Mapping[str, Any]:
        asked: Mapping[str, Any] = self.run.get(f"asked.{benchmark}.{model}")
        return asked

    def _found_to_rest_on_reading(self, benchmark: str, model: str) -> bool:
        """Of protocols; a step's own parsers stand beside its prompts."""
        protocols = {name: entry for name, entry in self._asked(benchmark, model).items() if not is_step(name)}
        return rests_on_reading(self.run.config, protocols)


def judge(resolved: Resolved) -> dict[str, Any]:
    """By model what decides its answers: not its label, nor its price, nor how fast or where it runs."""
    engines = resolved.config.engine
    return {
        name: {"model": of_answers(model), "engine": of_answers(engines[model.engine])}
        for name, model in resolved.config.model.items()
    }


def by_judge(resolved: Resolved, make: Callable[[str, Iterable[str]], Any]) -> dict[str, dict[str, Any]]:
    """By benchmark and model, from the protocols that the model is asked with there."""
    return {
        benchmark: {model: make(model, protocols) for model, protocols in models.items()}
        for benchmark, models in resolved.asked.items()
    }


SETTINGS: Groups = {
    "judge": judge,
    "asked": lambda resolved: resolved.asked,
    "worded": lambda resolved: by_judge(resolved, lambda model, names: worded(resolved.config, names)),
    "parsing": lambda resolved: by_judge(resolved, lambda model, names: parsing_of(resolved.config, model, names)),
}
