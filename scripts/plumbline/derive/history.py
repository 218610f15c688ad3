"""What the ledgers of a set tell, read one after the other: what became of every row and every pair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from plumbline.data.ledger import KEPT, Entry, Vote, read_ledger
from plumbline.records.errors import PlumblineError

POOL, DRAWN = "pool", "drawn"
NEAR, PAIRS, SCREENED = "near", "pairs", "screened"
EVALUATE, FILTERED, UNREVIEWED, REVIEWED = "evaluate", "filtered", "unreviewed", "reviewed"
"""The ledgers of a set, in the order in which its derivations follow one another; a set may lack some.

The one of the pools is of all the pools that it draws from, the one of the evaluators of all sets built with it.
"""
CANDIDATES, FILTER, REVIEW = "candidates", "filter", "review"
STAGES = {
    POOL: (POOL, DRAWN),
    CANDIDATES: (NEAR, PAIRS, SCREENED),
    FILTER: (EVALUATE, FILTERED, UNREVIEWED),
    REVIEW: (REVIEWED,),
}
"""By stage of a funnel the ledgers that tell of it."""
DROP_NOTHING = (EVALUATE, UNREVIEWED)
"""These only say what an instance is called from there on."""
STAGE_OF = {ledger: stage for stage, ledgers in STAGES.items() for ledger in ledgers}

OTHER_INSTRUCTION = "the other instruction"
"""What a ledger calls the text that an output was written for instead, or that something was added to."""

Ledgers = Mapping[str, Sequence[Entry]]
"""The ledgers of one set, by derivation and in order."""


@dataclass(frozen=True)
class History:
    """What became of one row or pair, from where it came to its end, and all that its ledgers say of it."""

    stage: str
    """The stage of the funnel that dropped it; the last one, if it was kept."""
    outcome: str
    """Why it was dropped, or that it was kept."""
    dropped_by: str = ""
    """The derivation that dropped it."""
    id: str = ""
    """Of the instance that it is in the finished set."""
    key: str = ""
    """What it was made of, as its source calls it."""
    origin: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    facts: Mapping[str, str] = field(default_factory=dict)
    votes: Sequence[Vote] = ()

    @property
    def left_by_filter(self) -> bool:
        """Whether it became a pair that is no worse than unreviewed."""
        return self.stage == REVIEW or self.outcome == KEPT

    @property
    def similarity(self) -> float | None:
        """Of its two instructions, where it was measured."""
        similarity = self.facts.get("similarity")
        return float(similarity) if similarity else None


def read_ledgers(name: str, paths: Iterable[Path]) -> Ledgers:
    """The ledgers of the set `name`, from files in the order of their derivations."""
    ledgers: dict[str, list[Entry]] = {}
    for path in paths:
        ledger = POOL if path.parent.name == POOL else path.stem
        entries = read_ledger(path)
        if ledger == EVALUATE:
            entries = [entry for entry in entries if entry.subset == name]
        ledgers.setdefault(ledger, []).extend(entries)
    if FILTERED not in ledgers:
        ledgers.pop(EVALUATE, None)  # that of other sets
    return {ledger: ledgers[ledger] for ledger in STAGE_OF if ledger in ledgers}


def ledgers_in(folder: Path, last: str) -> Ledgers:
    """The ledgers of a set up to the derivation `last`, from its folder; those of its pools lie elsewhere.

    In a folder of no set there are none.
    """
    names = [ledger for ledger, stage in STAGE_OF.items() if stage != POOL]
    until = names[: names.index(last) + 1] if last in names else []
    homes = {EVALUATE: folder if (folder / f"{EVALUATE}.parquet").is_file() else folder.parent}
    paths = [homes.get(ledger, folder) / f"{ledger}.parquet" for ledger in until]
    return read_ledgers(folder.name, [path for path in paths if path.is_file()])


def outcomes(ledgers: Ledgers) -> dict[str, list[str]]:
    """By stage of the funnel how each row ended there; what one derivation kept ended in a later one of the stage.

    Where nobody evaluated, the filter kept all.
    """
    by_stage: dict[str, list[str]] = {}
    for stage, names in STAGES.items():
        there = [ledgers[name] for name in names if name in ledgers and name not in DROP_NOTHING]
        if there:
            ended = [entry.outcome for entries in there[:-1] for entry in entries if entry.fate != KEPT]
            by_stage[stage] = ended + [entry.outcome for entry in there[-1]]
        elif stage == FILTER and CANDIDATES in by_stage:
            by_stage[stage] = [outcome for outcome in by_stage[CANDIDATES] if outcome == KEPT]
    return by_stage


def histories(ledgers: Ledgers) -> Iterator[History]:
    """What became of each row that a pool dropped, and of each pair that was made or tried.

    What was never drawn has no history, and a row of which several pairs were made has one in each.
    """
    for entry in ledgers.get(POOL, ()):
        if entry.fate != KEPT:
            yield _history([(POOL, entry)], ledgers)
    for chain in _chains({name: ledgers[name] for name in ledgers if STAGE_OF[name] != POOL}):
        yield _history(chain, ledgers)


def finished(ledgers: Ledgers) -> dict[str, History]:
    """The histories of what is in the finished set, by instance."""
    return {history.id: history for history in histories(ledgers) if history.id}


Chain = list[tuple[str, Entry]]


def _chains(ledgers: Ledgers) -> Iterator[Chain]:
    """From each entry of the first ledger on, through those that took what it became, to the end."""
    names = list(ledgers)
    taken = [_by_input(ledgers[name]) for name in names]

    def onward(chain: Chain, depth: int) -> Iterator[Chain]:
        became = chain[-1][1].became
        if depth == len(names) or not became:
            yield chain
            return
        for instance in became:
            for entry in _found(instance, taken[depth], names[depth]):
                yield from onward([*chain, (names[depth], entry)], depth + 1)

    for entry in ledgers[names[0]] if names else ():
        yield from onward([(names[0], entry)], 1)


def _by_input(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    by_input: dict[str, list[Entry]] = {}
    for entry in entries:
        by_input.setdefault(entry.input, []).append(entry)
    return by_input


def _found(instance: str, taken: Mapping[str, list[Entry]], name: str) -> list[Entry]:
    if instance not in taken:
        raise PlumblineError(
            f"the ledger {name!r} does not say what became of {instance}, which came to it",
            where=name,
            do="build the set again: these ledgers are not of one run",
        )
    return taken[instance]


def _history(chain: Chain, ledgers: Ledgers) -> History:
    name, last = chain[-1]
    kept = last.fate == KEPT
    entries = [entry for _, entry in chain]
    return History(
        stage=(REVIEW if REVIEWED in ledgers else FILTER) if kept else STAGE_OF[name],
        outcome=last.outcome,
        dropped_by="" if kept else name,
        id=last.became[0] if kept else "",
        key=next((entry.key for entry in entries if entry.key), ""),
        origin=next((entry.origin for entry in entries if entry.origin), ""),
        texts={what: text for entry in entries for what, text in entry.texts.items()},
        facts={what: fact for entry in entries for what, fact in entry.facts.items()},
        votes=tuple(vote for entry in entries for vote in entry.votes),
    )
