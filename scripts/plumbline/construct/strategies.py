"""How candidates come about: one short generator for each strategy (LLMBar, section 2 and appendix F)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from plumbline.config.construct import Construct, Strategy
from plumbline.config.prompts import Prompts
from plumbline.config.typed import build
from plumbline.construct.addition import Problem, is_correct, problems, rival_of, solution
from plumbline.construct.candidates import Candidate, screened
from plumbline.construct.constraints import STRUCTURES, Words, search, structure
from plumbline.construct.finals import Final, read_finals
from plumbline.construct.pairs import Gold, Pair, read_pairs
from plumbline.construct.pools import Item, read_pool
from plumbline.construct.retrieval import NEIGHBOURS
from plumbline.construct.writing import FIRST, PERTURBED, SECOND, Text, read_texts, why_useless
from plumbline.judging.prompts import PromptSet
from plumbline.judging.wording import wording_reader
from plumbline.records.files import canonical, digest_value
from plumbline.records.parquet import Row, read_rows
from plumbline.writing.surface import bare

Wording = Callable[..., str]
"""Renders a template of the set's wording with the values given."""
OTHER: dict[Gold, Gold] = {"first": "second", "second": "first", "tie": "tie"}


@dataclass(frozen=True)
class Material:
    """What the earlier stages made for one set."""

    declared: Construct
    wording: Wording
    items: Sequence[Item] = ()
    texts: Mapping[str, Mapping[str, Text]] = field(default_factory=dict)
    """What models wrote, by step and item."""
    neighbours: Mapping[str, Row] = field(default_factory=dict)
    finals: Sequence[Final] = ()
    """For normal: the counterpart's pairs."""
    pairs: Sequence[Pair] = ()
    """For manual: the benchmark's pairs."""

    @classmethod
    def of(cls, settings: Mapping[str, Any], files: Mapping[str, Sequence[Path]]) -> Material:
        """From the files a rule names; which of them there are follows from the strategy."""
        declared = build(Construct, settings["declared"] | {"title": ""}, "construct")
        prompts = build(Prompts, settings["prompts"] | {"title": "", "parsers": {}}, "prompts")
        wording = PromptSet(declared.prompts, prompts, wording_reader(declared.prompts, files["prompts"]))
        return cls(
            declared,
            lambda name, **values: wording.render(wording.template(name, "", rules=False), values)[0].content,
            [item for path in files["pool"] for item in read_pool(path)],
            {path.stem: read_texts(path) for path in files["texts"]},
            {row["item"]: row for path in files["neighbours"] for row in read_rows(path, NEIGHBOURS)},
            [final for path in files["counterpart"] for final in read_finals(path)],
            read_pairs(*files["pairs"]) if files["pairs"] else (),
        )

    @property
    def drawn(self) -> list[Item]:
        return [item for item in self.items if item.drawn]

    def first(self, item: Item) -> tuple[str, str]:
        """O1 and where it comes from: a model's answer where one was asked, else the reference output."""
        return self.asked(FIRST, item) if FIRST in self.texts else (item.output, f"reference {item.id}")

    def asked(self, step: str, item: Item) -> tuple[str, str]:
        written = self.texts[step].get(item.id)
        return written.text if written else "", f"asked {step}"


def candidates(material: Material) -> list[Candidate]:
    """All candidates of a set, those of no use with their reason."""
    found = STRATEGIES[material.declared.strategy](material)
    written = material.declared.strategy in ("neighbor", "gptinst", "gptout", "negation")
    return screened(found, material.declared.alike if written else None)


def neighbor(material: Material) -> Iterator[Candidate]:
    """O2 answers the most similar other instruction below the ceiling (section 2.2)."""
    by_name = {item.id: item for item in material.items}
    for item in material.drawn:
        near = material.neighbours[item.id]
        other = by_name.get(near["neighbour"])
        second = (other.output, f"reference {other.id}") if other else ("", "")
        yield _candidate(
            item,
            first=material.first(item),
            second=second,
            related=other.instruction if other else "",
            similarity=near["similarity"],
            dropped="" if other else "no neighbour below the ceiling",
        )


def gptinst(material: Material) -> Iterator[Candidate]:
    """O2 answers an instruction that a strong model made of I (appendix A.3)."""
    for item in material.drawn:
        changed = material.texts[PERTURBED][item.id]
        yield _candidate(
            item,
            first=material.first(item),
            second=material.asked(SECOND, item),
            related=bare(changed.text),
            dropped=why_useless(changed, item.instruction),
        )


def gptout(material: Material) -> Iterator[Candidate]:
    """O2 is written to look right and be of no use (appendix A.4)."""
    for item in material.drawn:
        yield _candidate(item, first=material.first(item), second=material.asked(SECOND, item))


def negation(material: Material) -> Iterator[Candidate]:
    """GPTOUT's outputs, for an instruction that asks to be of no use: O2 is the better one (F.2)."""
    for item in material.drawn:
        yield _candidate(
            item,
            instruction=material.wording("negation", instruction=item.instruction),
            first=material.first(item),
            second=material.asked(SECOND, item),
            gold="second",
            related=item.instruction,
        )


def normal(material: Material) -> Iterator[Candidate]:
    """The negation set's pairs under their plain instruction, with the label turned (F.2)."""
    for final in material.finals:
        if not final.dropped:
            yield Candidate(
                id="",
                instruction=final.related,
                first=final.first,
                second=final.second,
                gold=OTHER[final.gold],
                item=final.item,
                related=final.instruction,
                similarity=None,
                first_from=f"pair {final.id}",
                second_from=f"pair {final.id}",
                detail="",
                origin=final.origin,
            )


def constraint(material: Material) -> Iterator[Candidate]:
    """A weaker O1 that meets an added constraint, a better-looking O2 that does not (F.1)."""
    names = material.declared.structures or list(STRUCTURES)
    for item in material.drawn:
        first, second = _compared(material, item)
        counted = Words(first[0]), Words(second[0])
        for name in names:
            random = Random(digest_value([material.declared.seed, item.id, name]))
            values = search(name, *counted, random) if all(text.words for text in counted) else None
            told = structure(name).told(values) if values else ""
            yield _candidate(
                item,
                instruction=material.wording("constraint", instruction=item.instruction, constraint=told),
                first=first,
                second=second,
                related=item.instruction,
                detail={"structure": name, "values": list(values or ())},
                dropped="" if values else f"no values for {name}",
            )


def _compared(material: Material, item: Item) -> tuple[tuple[str, str], tuple[str, str]]:
    """O1 by the weaker model and the reference output as O2; of two compared outputs the worse as O1."""
    if not item.other:
        return material.first(item), (item.output, f"reference {item.id}")
    worse, better = (item.other, item.output) if item.gold == "first" else (item.output, item.other)
    return (worse, f"reference {item.id}"), (better, f"reference {item.id}")


def addition(material: Material) -> Iterator[Candidate]:
    """O1 solves the sum in the base asked for, O2 in another while claiming the same base (F.3)."""
    base = material.declared.base
    for problem in problems(base, material.declared.digits, material.declared.size, material.declared.seed):
        first, second = solution(problem, base, base), solution(problem, rival_of(base), base)
        if not is_correct(first, problem, base) or is_correct(second, problem, base):
            raise AssertionError(f"the arithmetic broke its promise: {problem} in base {base}")
        name = f"{problem.left}+{problem.right}"
        yield Candidate(
            id="",
            instruction=_task(material, problem, base),
            first=first,
            second=second,
            gold="first",
            item=name,
            related="",
            similarity=None,
            first_from="computed",
            second_from="computed",
            detail=canonical({"left": problem.left, "right": problem.right, "base": base, "rival": rival_of(base)}),
            origin=name,
        )


def _task(material: Material, problem: Problem, base: int) -> str:
    digits = "0123456789"[:base]
    return material.wording("addition", left=problem.left, right=problem.right, base=base, digits=digits)


def natural(material: Material) -> Iterator[Candidate]:
    """Pairs that people compared (section 2.1); a tie has no better output."""
    for item in material.drawn:
        yield _candidate(
            item,
            first=(item.output, f"reference {item.id}"),
            second=(item.other, f"reference {item.id}"),
            gold="second" if item.gold == "second" else "first",
            dropped="people found no difference" if item.gold == "tie" else "",
        )


def manual(material: Material) -> Iterator[Candidate]:
    """Pairs that people wrote (A.5), or any benchmark to be filtered anew."""
    for pair in material.pairs:
        yield Candidate(
            id=pair.id,
            instruction=pair.instruction,
            first=pair.first,
            second=pair.second,
            gold=pair.gold,
            item=pair.id,
            related="",
            similarity=None,
            first_from="given",
            second_from="given",
            detail=canonical({"subset": pair.subset}),
            origin=pair.origin,
        )


def _candidate(
    item: Item,
    first: tuple[str, str],
    second: tuple[str, str],
    gold: Gold = "first",
    instruction: str = "",
    related: str = "",
    similarity: float | None = None,
    detail: Mapping[str, Any] | None = None,
    dropped: str = "",
) -> Candidate:
    return Candidate(
        id="",
        instruction=instruction or item.instruction,
        first=first[0],
        second=second[0],
        gold=gold,
        item=item.id,
        related=related,
        similarity=similarity,
        first_from=first[1],
        second_from=second[1],
        detail=canonical(detail) if detail else "",
        origin=item.origin,
        dropped=dropped,
    )


STRATEGIES: dict[Strategy, Callable[[Material], Iterator[Candidate]]] = {
    "natural": natural,
    "neighbor": neighbor,
    "gptinst": gptinst,
    "gptout": gptout,
    "manual": manual,
    "constraint": constraint,
    "negation": negation,
    "normal": normal,
    "addition": addition,
}
