"""Questions to which a good answer to an instruction lets everybody say yes."""

from __future__ import annotations

from plumbline.asking.parsing.checklist import questions_of
from plumbline.data.instances import Instance
from plumbline.writing.step import Ask, step


@step("checklist", becomes="context")
async def checklist(instance: Instance, ask: Ask) -> list[str]:
    """The questions of a checklist (TICK, section 3.1), each once; what asks nothing is left out."""
    return list(questions_of(await ask.items("checklist")))
