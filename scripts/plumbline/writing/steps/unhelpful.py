"""An answer that looks right and is of no use."""

from __future__ import annotations

from plumbline.data.instances import Instance
from plumbline.writing.step import Ask, step


@step("unhelpful", becomes="output")
async def unhelpful(instance: Instance, ask: Ask) -> list[str]:
    """An answer written to look good and to be of no use (LLMBar, appendix A.4)."""
    return [await ask.text("unhelpful")]
