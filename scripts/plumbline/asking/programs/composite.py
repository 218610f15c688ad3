"""A preference that follows from what other judges said, and nothing is asked."""

from __future__ import annotations

from collections.abc import Sequence

from plumbline.asking.ask import Ask
from plumbline.asking.program import program
from plumbline.config.protocol import Protocol
from plumbline.data.instances import Instance
from plumbline.data.verdicts import Verdict


@program(options=Protocol, asks="judges", shows="as recorded")
async def composite(instance: Instance, ask: Ask, options: Protocol) -> Sequence[Verdict]:
    """Take the method that a judge of the kind `by_category` names for the category (HREF, section 3.2).

    The verdicts are derived from those of the methods, so that no job runs this.
    """
    return []
