"""What was looked at as JSON: the format, the run and what was not understood."""

from typing import Any

from live_scoring.core.run import AgentRun, Message, ToolInvocation
from live_scoring.core.wire import to_json, to_rfc3339
from live_scoring.inspection.inspector import Inspected

_OPTIONAL = (
    "conversation_id",
    "trace_id",
    "tags",
    "model",
    "input_tokens",
    "output_tokens",
    "total_tokens",
    "duration_ms",
    "cost_usd",
)
"""Fields that are there only where the run tells them."""


def to_json_line(inspected: Inspected) -> str:
    """One object in one line."""
    run = inspected.run
    told = {
        "format": inspected.format_name,
        "run": None if run is None else run_to_record(run, has_agent=inspected.has_agent),
        "not_understood": inspected.not_understood,
    }
    return to_json(told).decode()


def run_to_record(run: AgentRun, *, has_agent: bool = True) -> dict[str, Any]:
    """The normalised run, as JSON values; `agent_id` is null where nothing names the agent."""
    told = {name: value for name in _OPTIONAL if (value := getattr(run, name)) not in (None, {})}
    return {
        "run_id": run.run_id,
        "agent_id": run.agent_id if has_agent else None,
        "timestamp": None if run.end_ms is None else to_rfc3339(run.end_ms),
        "input": run.input,
        "output": [_message(message) for message in run.output],
        **told,
        **({} if run.error is None else {"run_error": run.error}),
    }


def _message(message: Message) -> dict[str, Any]:
    calls = [_call(call) for call in message.tool_invocations]
    return {"role": message.role, "text": message.text, "tool_invocations": calls}


def _call(call: ToolInvocation) -> dict[str, Any]:
    told = {
        "id": call.id,
        "name": call.name,
        "args": call.args,
        "state": call.state,
        "is_error": call.is_error,
    }
    has_result = call.state == "result" or call.result is not None
    return told | {"result": call.result} if has_result else told
