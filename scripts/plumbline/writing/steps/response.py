"""What a system answers to an instruction."""

from __future__ import annotations

from plumbline.data.instances import Instance
from plumbline.writing.step import Ask, step


@step("response", becomes="output")
async def response(instance: Instance, ask: Ask) -> list[str]:
    """An answer of the model as a system."""
    return [await ask.text("response")]
