"""Runs as a hostile producer makes them: as much of one thing as a record may hold."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from live_scoring.core.run import AgentRun
from live_scoring.formats import DEFAULT_LIMITS, Decoded, Limits, decode

ROOM = DEFAULT_LIMITS.max_bytes * 9 // 10
"""Bytes for what fills a record: nearly the largest that is read."""

BACKTRACKING = "a" * 27 + "b"
"""On which `^(a+)+$` takes 2**27 steps, twenty times what it is given."""


def payload_of(*messages: Mapping[str, Any], **fields: Any) -> bytes:
    """A record of messages of the assistant."""
    output = [{"role": "assistant", "text": "", **message} for message in messages]
    run = {"run_id": "r", "agent_id": "a", "output": output, **fields}
    return json.dumps(run, separators=(",", ":")).encode()


def saying(unit: str) -> bytes:
    """A record full of one text."""
    return payload_of({"text": unit * (ROOM // (len(json.dumps(unit)) - 2))})


def calling(invocation: Mapping[str, Any], most: int = ROOM) -> bytes:
    """A record full of one call of a tool."""
    size = len(json.dumps(invocation, separators=(",", ":"))) + 1
    return payload_of({"tool_invocations": [invocation] * min(most, ROOM // size)})


def asking(**args: Any) -> dict[str, Any]:
    """A call of `search`."""
    return {"name": "search", "args": args}


PAYLOADS: Mapping[str, Callable[[], bytes]] = {
    "one letter": lambda: saying("a"),
    "words of one letter": lambda: saying("a "),
    "letters that grow when they are lowered": lambda: saying("İ"),
    "emoji": lambda: saying("😀"),
    "lone halves of pairs": lambda: saying("\ud83d"),
    "sigmas": lambda: saying("aΣ"),
    "quotes": lambda: saying('"'),
    "zero bytes": lambda: saying("\0"),
    "right-to-left marks": lambda: saying("\u202e"),
    "white space to Python alone": lambda: saying("a\x1c"),
    "brackets": lambda: saying("["),
    "messages": lambda: payload_of(*[{"text": "\ude00\ud83d"}] * (ROOM // 64)),
    "calls": lambda: calling({"name": "t"}),
    "failed calls": lambda: calling({"name": "search", "state": "call"}),
    "a name": lambda: payload_of({"tool_invocations": [{"name": "s" * ROOM}]}),
    "names that are alike": lambda: calling({"name": "searchers" * 9}),
    "a text as an argument": lambda: payload_of({"tool_invocations": [asking(query="a" * ROOM)]}),
    "a text that has to backtrack": lambda: calling(asking(query="a" * 20 + "b")),
    "a said text that has to backtrack": lambda: payload_of({"text": BACKTRACKING}),
    "a JSON text that has to backtrack": lambda: payload_of({"text": json.dumps(BACKTRACKING)}),
    "arguments": lambda: calling(asking(**{f"k{n}": n for n in range(ROOM // 15)}), most=1),
    "lists as a text": lambda: calling(
        {"name": "search", "args": "[" + "[]," * (ROOM // 4) + "[]]"}
    ),
    "halves of pairs as a text": lambda: calling(
        {"name": "search", "args": "\ud83d" * (ROOM // 7)}
    ),
    "giant numbers": lambda: calling(asking(query=10**4_000)),
    "giant numbers as a text": lambda: calling({"name": "search", "args": "9" * 4_200}),
    "arguments as deep as may be": lambda: calling(asking(query=_nested(90))),
}


def _nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


def run_of(payload: bytes, limits: Limits = DEFAULT_LIMITS) -> AgentRun:
    """The run that a record holds."""
    read = decode(payload, limits=limits)
    assert isinstance(read, Decoded), read
    return read.run
