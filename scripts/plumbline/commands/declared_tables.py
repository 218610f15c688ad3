"""The tables that the configuration beside the results declares."""

from __future__ import annotations

from plumbline.records.files import read_json
from plumbline.records.manifest import CONFIG, RESULTS


def declared_tables() -> list[str]:
    """As PAPER/NAME, in order; none where no run has left its configuration."""
    config = RESULTS / CONFIG
    tables = read_json(config).get("table", {}) if config.is_file() else {}
    return [f"{paper}/{name}" for paper in tables for name in tables[paper]]
