"""In whose words the judges of a table are asked, as its notes say."""

from __future__ import annotations

from plumbline.asking.protocols import ProtocolName
from plumbline.config.tables import Table
from plumbline.config.whole import Config
from plumbline.measuring.plans import plans


def wording_notes(table: Table, config: Config) -> list[str]:
    """The note of each wording that a table's judges are asked in; of another than the table's, with its rows."""
    rows: dict[str, dict[str, None]] = {}
    for plan in plans(table):
        for judge in plan.judges:
            if judge.protocol and (wording := ProtocolName.parse(judge.protocol).wording):
                rows.setdefault(wording, {})[plan.row] = None
    noted = {wording: config.prompts[wording].note for wording in rows if config.prompts[wording].note}
    return [
        note if wording == table.wording else f"{', '.join(rows[wording])}: {note}" for wording, note in noted.items()
    ]
