"""Cells on the agreement of reviewers, which wait until somebody has chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from plumbline.config.tables import Pick, Table
from plumbline.config.whole import Config
from plumbline.workflow.composing.set_places import root_of

AGREEMENT = "same_choice"


def waiting_for_reviewers(table: Table, config: Config) -> Table:
    """The table, whose agreement of reviewers waits where no file of their choices is named."""
    everywhere = AGREEMENT in (*table.metrics, table.picks.metric)

    def waiting(pick: Pick, benchmark: str) -> Pick:
        root = root_of(config, benchmark) if benchmark else ""
        declared = config.benchmark.get(root)
        if declared is None or declared.second_pass:
            return pick
        data = (
            f"what two reviewers choose blind: `plumbline review results/instances/{root}.parquet --blind`, "
            f"then name their files in `second_pass` of config/benchmark/{root}.yaml"
        )
        return replace(pick, waits=replace(pick.waits, data="; ".join(filter(None, (pick.waits.data, data)))))

    below = table.picks.benchmark or table.benchmark

    def each(group: Mapping[str, Pick]) -> dict[str, Pick]:
        return {
            name: waiting(pick, pick.benchmark or below) if pick.metric == AGREEMENT else pick
            for name, pick in group.items()
        }

    picks = waiting(table.picks, below) if everywhere else table.picks
    return replace(table, rows=each(table.rows), columns=each(table.columns), picks=picks)
