"""What `rules/export.smk` asks: what the card of a set that is published states."""

from __future__ import annotations

from typing import Any

from plumbline.config.whole import Config
from plumbline.records.manifest import Setting
from plumbline.workflow.composing.waiting import sources_of_set
from plumbline.workflow.context import Groups, RuleModule, Wildcards
from plumbline.workflow.sets import Sets


class Export(RuleModule):
    def card(self, wildcards: Wildcards) -> Setting:
        return Sets(self.run).setting("card")(wildcards)


def card(config: Config, name: str) -> dict[str, Any]:
    """Title, licences and citations of what a set is made of; what is only computed is this project's own."""
    sources = [config.source[source] for source in sources_of_set(name, config) if source]
    return {
        "title": config.construct[name].title,
        "licences": list(dict.fromkeys(source.licence for source in sources)) or ["Apache-2.0"],
        "citations": list(dict.fromkeys(source.citation for source in sources)),
    }


SETTINGS: Groups = {"card": lambda resolved: {name: card(resolved.config, name) for name in resolved.config.construct}}
