"""Conversations in files: turns with a role and a content, as an instruction and what followed it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from plumbline.records.errors import PlumblineError

ROLES = {"user": "User", "human": "User", "assistant": "Assistant", "gpt": "Assistant", "system": "System"}


class Conversation(NamedTuple):
    """A conversation as an instance holds it."""

    instruction: str
    """The first turn of the user."""
    reply: str
    """The reply, or where the conversation went on, all that follows the first turn, with who said it."""


def conversation(turns: Sequence[Mapping[str, Any]], where: str) -> Conversation:
    """Turns by user and assistant, the first by the user, perhaps after the system's."""
    said = [(str(turn.get("role", turn.get("from"))), _content(turn)) for turn in turns]
    rest = [turn for turn in said if turn[0] != "system"]
    if len(rest) < 2 or ROLES.get(rest[0][0]) != "User" or any(role not in ROLES for role, _ in rest):
        raise PlumblineError(
            "a conversation is not a user's turn and what follows it",
            where=where,
            expected="turns by user and assistant, the first by user",
            found=", ".join(role for role, _ in said) or "no turns",
        )
    (_, instruction), *replies = rest
    alone = len(replies) == 1
    reply = replies[0][1] if alone else "\n\n".join(f"{ROLES[role]}: {text}" for role, text in replies)
    return Conversation(instruction, reply)


def is_conversation(value: Any) -> bool:
    """Whether a value is a list of turns."""
    turns = isinstance(value, list | tuple) and len(value) > 0
    return turns and all(isinstance(turn, Mapping) and ("role" in turn or "from" in turn) for turn in value)


def _content(turn: Mapping[str, Any]) -> str:
    content = turn.get("content", turn.get("value")) or ""
    if isinstance(content, str):
        return content
    parts: Iterable[Mapping[str, Any]] = content
    return "\n\n".join(str(part["text"]) for part in parts if part.get("text"))
