"""Questions to which a good answer to an instruction lets everybody say yes."""

from __future__ import annotations

from plumbline.data.instances import Instance
from plumbline.writing.step import Ask, step
from plumbline.writing.surface import normalised


@step("checklist", becomes="context")
async def checklist(instance: Instance, ask: Ask) -> list[str]:
    """The questions of a checklist (TICK, section 3.1), each once."""
    found: dict[str, str] = {}
    for question in await ask.items("checklist"):
        found.setdefault(normalised(question), question)
    return list(found.values())
