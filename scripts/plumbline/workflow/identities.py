"""What `rules/identities.smk` asks: the printed numbers of a paper, and what is known to follow from them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from plumbline.measuring import identity
from plumbline.measuring.plans import printed
from plumbline.records.closure import Code, code_of
from plumbline.records.errors import PlumblineError
from plumbline.workflow.composing.resolved import Resolved
from plumbline.workflow.context import Groups, RuleModule, Wildcards


class Identities(RuleModule):
    def tables(self, paper: str, forms: Iterable[str]) -> list[str]:
        """The tables of a paper's identities, if it has any."""
        if not identity.has_identities(paper):
            return []
        return [f"results/tables/{paper}/{identity.IDENTITIES}.{form}" for form in forms]

    def declarations(self, wildcards: Wildcards) -> list[str]:
        """The declarations of the tables whose printed numbers a paper's identities may read."""
        self.run.known(self.run.config.table, wildcards.paper, "paper")
        if not identity.has_identities(wildcards.paper):
            raise PlumblineError(
                f"nobody has written identities of {wildcards.paper!r}",
                do=f"write scripts/plumbline/measuring/identities/{wildcards.paper}.py",
            )
        return [f"config/table/{wildcards.paper}/{name}.yaml" for name in self.run.get(f"printed.{wildcards.paper}")]

    def code(self, wildcards: Wildcards) -> Code:
        """The closure of the script that checks identities, with those of this paper."""
        return code_of("identities", [identity.module_of(wildcards.paper)])


def printed_numbers(resolved: Resolved) -> dict[str, Any]:
    """By paper its printed numbers."""
    return {paper: printed(tables) for paper, tables in resolved.config.table.items()}


SETTINGS: Groups = {"printed": printed_numbers}
