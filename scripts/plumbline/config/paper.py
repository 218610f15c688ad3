"""Papers: which tables `snakemake NAME` builds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Paper:
    """A paper whose tables are built by its name."""

    title: str
    """Its name and what it is about, as the head of the report on its tables."""
    tables: list[str]
    """Its tables as FOLDER/NAME or FOLDER/*: those that it prints, and the same analyses on other data. The
    report on a folder shows all tables in it."""
