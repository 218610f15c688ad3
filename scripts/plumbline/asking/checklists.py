"""What programs that use a checklist have in common: which it is, and who writes it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from plumbline.asking.answer_text.checklist import questions_of
from plumbline.asking.ask import Ask, Call
from plumbline.asking.program import ProgramStep
from plumbline.config.protocol import Protocol
from plumbline.data.instances import CHECKLIST, Instance
from plumbline.data.verdicts import OWN, Outcome, Verdict, alone
from plumbline.records.errors import PlumblineError


@dataclass(frozen=True, kw_only=True)
class Checking(Protocol):
    """Which checklist a judge uses, and whether it explains itself."""

    checklist: str = ""
    """The name of the context that holds the checklist; empty: the model writes one itself first."""
    reasoning: bool = False
    """Explain first, answer after."""

    def __post_init__(self) -> None:
        if self.checklist == OWN:
            raise PlumblineError(
                f"a checklist is called {OWN!r}, which stands for the one that a judge writes itself",
                where=f"protocol {self.title!r}: checklist",
                do="call the text otherwise in the benchmark's `context`, or leave `checklist` empty",
            )

    @property
    def answered(self) -> str:
        """What verdicts call the checklist."""
        return self.checklist or OWN

    @property
    def variant(self) -> str:
        return "cot" if self.reasoning else ""

    @property
    def written(self) -> list[ProgramStep]:
        return [] if self.checklist else [ProgramStep("checklist")]


async def checklist(instance: Instance, ask: Ask, options: Checking) -> tuple[str, ...]:
    """The different questions to be answered; one ask writes them, however many outputs and draws there are."""
    if options.checklist:
        return questions_in(instance, options.checklist)
    return questions_of((await ask.text(Call("checklist"))).text.splitlines())


def questions_in(instance: Instance, name: str) -> tuple[str, ...]:
    """The different questions under a name of an instance's context; none where a model wrote nothing of use."""
    if name in instance.flawed and name not in instance.context:
        return ()
    if name not in instance.context:
        raise PlumblineError(
            f"an instance has no checklist called {name!r}",
            where=f"instance {instance.id} ({instance.origin})",
            do="give the benchmark a `context` of this name, or leave `checklist` empty: then the model writes one",
        )
    return tuple(dict.fromkeys(instance.context[name]))


def none_written(ask: Ask, output: int, name: str) -> Verdict:
    """In place of answers about an output where the checklist of this name has no question."""
    return replace(ask.verdict(CHECKLIST, alone(output), Outcome(missing="unparsed")), checklist=name)
