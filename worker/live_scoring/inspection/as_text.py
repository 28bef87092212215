"""What was looked at for people: a block for each record or trace, coloured on a terminal."""

from collections.abc import Iterator
from typing import Any

from click import style

from live_scoring.core.quote import printable
from live_scoring.core.run import AgentRun, ToolInvocation
from live_scoring.core.wire import to_json, to_rfc3339
from live_scoring.inspection.inspector import Inspected

_TEXT, _VALUE = 200, 80
"""Characters shown of a message, and of a tool's arguments or result."""
_HOW = {True: " (named)", False: " (by its look)", None: ""}
"""How the format was found."""


def to_text(inspected: Inspected) -> Iterator[str]:
    """The lines of one block, an empty one at its end; a terminal shows nothing but text."""
    how = _HOW[inspected.is_named] if inspected.format_name else ""
    seen = f"{inspected.format_name or 'no format'}{how}"
    yield style(f"{printable(inspected.place)}  {seen}", bold=True)
    if inspected.run is None:
        yield style("  no run", fg="red")
    else:
        yield from _run(inspected.run, has_agent=inspected.has_agent)
    for doubt in inspected.not_understood:
        yield style(f"  ?         {doubt}", fg="yellow")
    yield ""


def _run(run: AgentRun, *, has_agent: bool) -> Iterator[str]:
    when = "" if run.end_ms is None else f", ended {to_rfc3339(run.end_ms)}"
    agent = f"agent {_cut(run.agent_id, _VALUE)}" if has_agent else "no agent"
    yield f"  run       {_cut(run.run_id, _VALUE)} of {agent}{when}"
    if run.input is not None:
        yield f"  input     {_cut(_written(run.input), _TEXT)}"
    for message in run.output:
        if message.text:
            yield f"  {_cut(message.role, 9):9} {_cut(message.text, _TEXT)}"
        for call in message.tool_invocations:
            yield _call(call)
    if run.error is not None:
        yield style(f"  error     {_cut(run.error, _TEXT)}", fg="red")


def _call(call: ToolInvocation) -> str:
    args = "" if call.args in (None, {}) else _cut(_written(call.args), _VALUE)
    asked = f"  tool      {_cut(call.name, _VALUE)}({args})"
    if call.is_error:
        return style(f"{asked} failed: {_cut(_written(call.result), _VALUE)}", fg="red")
    if call.state == "result":
        return f"{asked} → {_cut(_written(call.result), _VALUE)}"
    return style(f"{asked} never finished", fg="red")


def _written(value: Any) -> str:
    return value if isinstance(value, str) else to_json(value).decode()


def _cut(text: str, limit: int) -> str:
    return printable(text if len(text) <= limit else text[: limit - 1] + "…")
