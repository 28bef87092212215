"""Traces of agents as the Collector spreads them over records, and what must become of them.

What is expected follows from how each trace is made; nothing of the worker is asked.
"""

import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import orjson

from tests.integration.lab import PARTITIONS
from tests.integration.topics import Sending

ASSEMBLY = {"grace": "2s", "idle": "5s", "max_age": "20s"}
AGENT = {
    "agent": "desk-*",
    "windows": ["1h"],
    "gates": {"looks-up": {"called_tool": "lookup"}, "no-tool-errors": "no_tool_errors"},
    "scorers": {"has-bc": {"includes": "bc"}},
}
_SPREAD_MS = 1_500
"""From the first span of a trace to its last."""
_LATE_MS = 7_000
_BATCH_MS = 100
"""How long the exporter collects what it sends as one record."""
Scored = tuple[str, str, float]
"""A run, a scorer and its score."""


@dataclass(frozen=True, slots=True)
class _Sent:
    at_ms: int
    partition: int
    agent: str
    span: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AgentTrace:
    """The nth trace, which begins at a time."""

    number: int
    at_ms: int

    @property
    def trace_id(self) -> str:
        return f"{self.number + 1:032x}"

    @property
    def looks_up(self) -> bool:
        return self.number % 3 != 0

    @property
    def fails(self) -> bool:
        return self.number % 7 == 0

    @property
    def text(self) -> str:
        return ("abcd", "wxyz")[self.number % 2]

    @property
    def has_root(self) -> bool:
        """Without one its root lies in another process, whose spans are not here."""
        return self.number % 25 != 0

    def expected(self) -> Iterator[Scored]:
        yield self.trace_id, "looks-up", 1.0 * self.looks_up
        yield self.trace_id, "no-tool-errors", 1.0 - self.fails
        yield self.trace_id, "has-bc", 1.0 * ("bc" in self.text)

    def sent(self) -> Iterator[_Sent]:
        """Some spans come twice, and some long after the trace was closed."""
        asked = _attributes(
            operation="chat", input_messages=_message("user", "Which letters?"), output_messages=""
        )
        tool = _attributes(
            operation="execute_tool",
            tool_name="lookup" if self.looks_up else "guess",
            tool_call_id="call-1",
        )
        said = _attributes(operation="chat", output_messages=_message("assistant", self.text))
        del asked["gen_ai.output.messages"]
        yield self._sent(0, "b", asked)
        yield self._sent(500, "c", tool, status={"code": 2} if self.fails else {})
        yield self._sent(1_000, "d", said)
        if self.number % 10 == 0:
            yield self._sent(1_200, "c", tool, status={"code": 2} if self.fails else {})
        if self.has_root:
            yield self._sent(_SPREAD_MS, "a", _attributes(operation="invoke_agent"), parent="")
        if self.number % 20 == 1:
            yield self._sent(_SPREAD_MS + _LATE_MS, "e", tool, status={"code": 2})

    def _sent(
        self, after_ms: int, span_id: str, attributes: Mapping[str, str], **more: Any
    ) -> _Sent:
        start_ns = (self.at_ms + after_ms) * 1_000_000
        span = {
            "traceId": self.trace_id,
            "spanId": span_id.rjust(16, "0"),
            "parentSpanId": more.pop("parent", "a".rjust(16, "0")),
            "name": attributes["gen_ai.operation.name"],
            "startTimeUnixNano": str(start_ns),
            "endTimeUnixNano": str(start_ns + 1_000_000),
            "attributes": [{"key": k, "value": {"stringValue": v}} for k, v in attributes.items()],
        }
        partition = zlib.crc32(self.trace_id.encode()) % PARTITIONS
        return _Sent(self.at_ms + after_ms, partition, f"desk-{self.number % 5}", span | more)


def make_traces(first: int, count: int, begin_ms: int, length_ms: int) -> list[AgentTrace]:
    """Traces that begin evenly over a stretch of time."""
    return [AgentTrace(first + n, begin_ms + n * length_ms // count) for n in range(count)]


def records_of(traces: Iterable[AgentTrace]) -> list[Sending]:
    """Their spans in order of time, each record with spans of many traces."""
    sent = sorted(
        (one for trace in traces for one in trace.sent()), key=lambda s: (s.partition, s.at_ms)
    )
    batches = groupby(sent, key=lambda s: (s.partition, s.at_ms // _BATCH_MS))
    records = [_record(partition, list(spans)) for (partition, _), spans in batches]
    return sorted(records, key=lambda record: record.timestamp_ms or 0)


def _record(partition: int, sent: list[_Sent]) -> Sending:
    by_agent: dict[str, list[Mapping[str, Any]]] = {}
    for one in sent:
        by_agent.setdefault(one.agent, []).append(one.span)
    resources = [
        {
            "resource": {"attributes": [{"key": "service.name", "value": {"stringValue": agent}}]},
            "scopeSpans": [{"scope": {"name": "test"}, "spans": spans}],
        }
        for agent, spans in by_agent.items()
    ]
    payload = orjson.dumps({"resourceSpans": resources})
    return Sending(payload, partition, timestamp_ms=sent[-1].at_ms)


def _attributes(**told: str) -> dict[str, str]:
    names = {
        "operation": "operation.name",
        "tool_name": "tool.name",
        "tool_call_id": "tool.call.id",
    }
    names |= {"input_messages": "input.messages", "output_messages": "output.messages"}
    return {f"gen_ai.{names[name]}": value for name, value in told.items()}


def _message(role: str, text: str) -> str:
    return orjson.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}]).decode()
