"""What `rules/wording.smk` asks: where the templates of a prompt set are read from."""

from __future__ import annotations

from typing import Any

from plumbline.asking.wording import template_files, template_paths
from plumbline.workflow.composing.resolved import Resolved
from plumbline.workflow.context import Groups, RuleModule, Wildcards


class Wording(RuleModule):
    def templates(self, wildcards: Wildcards) -> list[str]:
        """The source of a prompt set, or its files in the configuration."""
        prompts = self.run.known(self.run.config.prompts, wildcards.prompts, "prompt set")
        return [f"results/source/{prompts.source}.zip"] if prompts.source else template_paths(prompts)

    def file(self, prompts: str) -> str:
        """The file that keeps a prompt set's templates with the results."""
        self.run.known(self.run.config.prompts, prompts, "prompt set")
        return f"results/wording/{prompts}.zip"


def wording(resolved: Resolved) -> dict[str, Any]:
    """By prompt set where its templates are, and which belong to it."""
    return {
        name: {"source": prompts.source, "folder": prompts.folder, "files": template_files(prompts)}
        for name, prompts in resolved.config.prompts.items()
    }


SETTINGS: Groups = {"wording": wording}
