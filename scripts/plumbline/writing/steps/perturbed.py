"""Another instruction, close to the one at hand and different in what it asks for."""

from __future__ import annotations

from plumbline.data.instances import Instance
from plumbline.writing.step import Ask, step
from plumbline.data.surface import bare


@step("perturb", becomes="instruction")
async def perturbed(instance: Instance, ask: Ask) -> list[str]:
    """A changed instruction (LLMBar, appendix A.3), without the label or quotation marks put around it."""
    return [bare(await ask.text("perturb"))]
