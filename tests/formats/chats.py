"""What the tests of message formats share: reading a payload, and short forms of what it became."""

from typing import Any

from live_scoring.core.run import AgentRun
from live_scoring.core.score import Failure
from live_scoring.core.wire import to_json
from live_scoring.formats import Decoded, decode
from live_scoring.telemetry.envelope import Envelope

ENVELOPE = Envelope(agent_id="a", headers=(("run-id", b"r"),))


def run_from(value: Any, format_name: str) -> AgentRun:
    """The run of a payload that is seen by looking to be in this format."""
    answer = decode(to_json(value), envelope=ENVELOPE)
    assert isinstance(answer, Decoded), answer
    assert answer.format_name == format_name
    return answer.run


def refusal_of(value: Any, format_name: str) -> tuple[str, str]:
    """Reason and detail with which a payload that is said to be in this format is refused."""
    answer = decode(to_json(value), format_name, envelope=ENVELOPE)
    assert isinstance(answer, Failure), answer
    return answer.reason, answer.detail


def calls_of(run: AgentRun) -> list[tuple[str, Any, str, bool, Any]]:
    """Name, arguments, state, whether it failed, and result of each invocation."""
    return [(i.name, i.args, i.state, i.is_error, i.result) for i in run.invocations]


def is_seen(value: Any, format_name: str) -> bool:
    """Whether a payload that names no format is read, or refused, as one in this format."""
    answer = decode(to_json(value), envelope=ENVELOPE)
    return isinstance(answer, Decoded) and answer.format_name == format_name
