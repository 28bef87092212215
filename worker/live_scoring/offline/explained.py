"""An explanation as lines for people, and as JSON; both bounded, whatever the run holds."""

import json
from collections.abc import Iterator
from typing import Any

from pydantic_core import to_jsonable_python

from live_scoring.core.quote import printable, quoted
from live_scoring.core.run import ToolInvocation
from live_scoring.core.sampling import ALWAYS
from live_scoring.core.wire import to_json
from live_scoring.offline.explanation import Explanation, ScorerExplanation

TEXT_LIMIT = 2_000
"""Characters of a text, of arguments and of findings that are shown."""
_TOOLS = 100
_VALUE = 200


def explanation_to_text(explanation: Explanation) -> Iterator[str]:
    """The run as the checks see it, then each scorer."""
    run = explanation.run
    asked_by = "" if explanation.pattern == run.agent_id else f", asked by {explanation.pattern}"
    yield f"run     {printable(run.run_id)} ({explanation.format_name})"
    yield f"agent   {printable(run.agent_id)}{asked_by}"
    if explanation.group:
        yield f"group   {printable(explanation.group)}"
    yield f"placed  {_place(explanation.placed)}"
    yield f"text    {_text(run.spaced_text)}"
    if run.joined_text != run.spaced_text:
        yield f"joined  {_text(run.joined_text)}, for equals and matches"
    yield from _tools(run.invocations)
    if run.error is not None:
        yield f"error   {quoted(run.error, _VALUE)}"
    for scorer in explanation.scorers:
        yield ""
        yield from _scorer(scorer)


def explanation_to_json(explanation: Explanation) -> str:
    """The same for programs."""
    return to_json(_record(explanation)).decode()


def _record(explanation: Explanation) -> dict[str, Any]:
    run = explanation.run
    return {
        "run_id": run.run_id,
        "agent_id": run.agent_id,
        "format": explanation.format_name,
        "asked_by": explanation.pattern,
        "group": explanation.group,
        "placed": explanation.placed,
        "spaced_text": run.spaced_text[:TEXT_LIMIT],
        "joined_text": run.joined_text[:TEXT_LIMIT],
        "tools": [_tool_record(tool) for tool in run.invocations[:_TOOLS]],
        "called_tools": run.called_tools[:_TOOLS],
        "has_failed": run.has_failed,
        "scorers": [_scorer_record(scorer) for scorer in explanation.scorers],
    }


def _place(end: str | None) -> str:
    return f"{end}, its own end" if end else "by the time of its record, without an end of its own"


def _text(text: str) -> str:
    return f"{quoted(text, TEXT_LIMIT)} ({len(text):,} characters)"


def _tools(invocations: tuple[ToolInvocation, ...]) -> Iterator[str]:
    if not invocations:
        yield "tools   none"
    for place, tool in enumerate(invocations[:_TOOLS], start=1):
        heading = "tools " if place == 1 else "      "
        yield f"{heading}  {place}. {printable(tool.name) or '(no name)'} {_tool_line(tool)}"
    if len(invocations) > _TOOLS:
        yield f"        … {len(invocations):,} in all"


def _tool_line(tool: ToolInvocation) -> str:
    how = {"result": "ended", "call": "never finished", "partial-call": "was never asked for"}
    told = "failed" if tool.is_error else how[tool.state]
    result = "" if tool.result is None else f": {_value(tool.result)}"
    return f"{_value(tool.args)} {told}{result}"


def _tool_record(tool: ToolInvocation) -> dict[str, Any]:
    return {
        "id": tool.id,
        "name": tool.name,
        "state": tool.state,
        "is_call": tool.is_call,
        "has_failed": tool.has_failed,
        "args": _value(tool.args),
        "result": _value(tool.result),
    }


def _scorer(scorer: ScorerExplanation) -> Iterator[str]:
    parameters = f" {_value(scorer.parameters)}" if scorer.parameters else ""
    yield f"{scorer.kind} {scorer.name}: {scorer.check}{parameters}"
    if not scorer.is_wanted:
        yield "  filter    does not ask for this run"
    if scorer.draw.rate < ALWAYS.rate:
        yield f"  sampling  {_draw_line(scorer)}"
    score = "" if scorer.score is None else f" {scorer.score:.9g}"
    told = f"{'' if scorer.is_asked else 'would be '}{scorer.outcome}{score}"
    yield f"  outcome   {told}: {printable(scorer.reason)}"
    if scorer.findings:
        yield f"  findings  {_value(scorer.findings)}"


def _draw_line(scorer: ScorerExplanation) -> str:
    draw = scorer.draw
    is_below = draw.u < draw.rate
    sign = "<" if is_below else ">="
    how = "drawn" if is_below else "drawn as a failed run" if draw.is_drawn else "not drawn"
    return f"{how}: u {draw.u:.6f} {sign} rate {draw.rate:.9g}, of key {quoted(draw.key)}"


def _scorer_record(scorer: ScorerExplanation) -> dict[str, Any]:
    return {
        "name": scorer.name,
        "kind": scorer.kind,
        "check": scorer.check,
        "parameters": _plain(scorer.parameters),
        "is_wanted": scorer.is_wanted,
        "sampling": {
            "key": scorer.draw.key,
            "u": scorer.draw.u,
            "rate": scorer.draw.rate,
            "is_drawn": scorer.draw.is_drawn,
        },
        "is_asked": scorer.is_asked,
        "outcome": scorer.outcome,
        "score": scorer.score,
        "reason": scorer.reason,
        "findings": _plain(scorer.findings),
    }


def _plain(value: Any) -> Any:
    """What JSON can say of a value; those of scorers of one's own may be anything."""
    try:
        return to_jsonable_python(value, serialize_unknown=True)
    except UnicodeEncodeError:  # it refuses a lone surrogate, which JSON may hold
        return json.loads(json.dumps(value, default=repr, skipkeys=True))


def _value(value: Any) -> str:
    """A value as JSON in one line, cut."""
    written = printable(json.dumps(_plain(value), ensure_ascii=False))
    return written if len(written) <= _VALUE else written[: _VALUE - 1] + "…"
