"""The one place that renders prompts: a template and values in, chat messages out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import jinja2

from plumbline.config import schema
from plumbline.models.asking import Message
from plumbline.records.errors import PlumblineError, nearest

TURN = re.compile(r"<\|im_start\|>(system|user|assistant)\n(.*?)\n?<\|im_end\|>", re.DOTALL)
SLOT = re.compile(r"\{([a-z_]+[0-9]?)\}")

Values = Mapping[str, Any]
Turn = tuple[str, Callable[[Values], str]]


@dataclass(frozen=True)
class PromptSet:
    """A wording: its templates, its parsers and a way to read its files."""

    name: str
    declared: schema.Prompts
    read: Callable[[str], str]
    parsed: dict[str, list[Turn]] = field(default_factory=dict)

    def template(self, step: str, variant: str, rules: bool) -> schema.Template:
        return template_for(self.name, self.declared, step, variant, rules)

    def turns(self, template: schema.Template) -> list[Turn]:
        if template.file not in self.parsed:
            self.parsed[template.file] = turns(self.read(template.file), template.file)
        return self.parsed[template.file]

    def render(self, template: schema.Template, values: Values) -> tuple[Message, ...]:
        """Fill a template; it may call what it is given by our names or by its own."""
        slots = self.declared.slots | template.slots
        known = {**values, **{theirs: values[ours] for theirs, ours in slots.items() if ours in values}}
        return tuple(Message(role, fill(known)) for role, fill in self.turns(template))


def template_for(name: str, declared: schema.Prompts, step: str, variant: str, rules: bool) -> schema.Template:
    """A prompt set's template for a step in a protocol's variant, e.g. `compare/cot+rules`."""
    key = step + (f"/{variant}" if variant else "")
    wanted = key + ("+rules" if rules else "")
    templates = declared.templates
    if wanted in templates:
        return templates[wanted]
    if key in templates and templates[key].file.endswith(".jinja"):
        return templates[key]  # a Jinja template is told about rules and decides itself
    raise PlumblineError(
        f"the prompt set {name!r} has no template for {wanted!r}",
        where=f"config/prompts/{name}.yaml",
        do=nearest(wanted, templates),
    )


def turns(text: str, name: str) -> list[Turn]:
    """Split a template into its turns before anything is filled in: values cannot make turns of their own."""
    ready = _jinja if name.endswith(".jinja") else _braces
    found = [(role, ready(body, name)) for role, body in TURN.findall(text)]
    if not found:
        raise PlumblineError(
            "a prompt template has no turns",
            where=name,
            expected="<|im_start|>system|user|assistant … <|im_end|>",
            found=repr(text[:80]),
        )
    return found


def _braces(body: str, name: str) -> Callable[[Values], str]:
    """Fill {name} in one pass: braces inside a value are text, not slots."""
    parts = SLOT.split(body)

    def fill(values: Values) -> str:
        filled = list(parts)
        for index in range(1, len(parts), 2):
            if parts[index] not in values:
                raise PlumblineError(f"a prompt needs {{{parts[index]}}}, which the protocol does not give", where=name)
            filled[index] = str(values[parts[index]])
        return "".join(filled)

    return fill


def _jinja(body: str, name: str) -> Callable[[Values], str]:
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    try:
        template = environment.from_string(body)
    except jinja2.TemplateSyntaxError as error:
        raise PlumblineError(
            f"a prompt template cannot be read: {error.message}",
            where=f"{name}, line {error.lineno} of a turn",
            found=body.splitlines()[error.lineno - 1][:120],
        ) from error

    def fill(values: Values) -> str:
        try:
            return template.render(values)
        except jinja2.UndefinedError as error:
            raise PlumblineError(
                f"a prompt asks for something the protocol does not give: {error}", where=name
            ) from error
        except (jinja2.TemplateError, TypeError, ValueError, ArithmeticError, LookupError) as error:
            raise PlumblineError(f"a prompt template cannot be filled: {error}", where=name) from error

    return fill


def chatml(messages: tuple[Message, ...]) -> str:
    """Messages as the LLMBar authors wrote them down."""
    return "\n".join(f"<|im_start|>{message.role}\n{message.content}\n<|im_end|>" for message in messages)
