"""What a good answer to an instruction looks like, for judges to compare with."""

from __future__ import annotations

from plumbline.data.instances import Instance
from plumbline.writing.step import Ask, step


@step("reference", becomes="context")
async def reference(instance: Instance, ask: Ask) -> list[str]:
    """A reference answer; asked in a judge's own wording, the one that the judge would write for itself."""
    return [await ask.text("reference")]
