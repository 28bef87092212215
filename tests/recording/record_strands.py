# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "strands-agents==1.62.0",
#   "opentelemetry-sdk==1.45.1",
#   "opentelemetry-exporter-otlp-proto-common==1.45.1",
# ]
# ///
"""Record Strands Agents' spans: `uv run --script tests/recording/record_strands.py`.

Twice: with messages in span events, as by default, and by the later GenAI conventions. A scripted
model streams the replies.
"""

import json
import os
from collections.abc import AsyncIterator
from typing import Any

import otlp
from opentelemetry import trace
from scenario import AGENT, CASES, MODEL, TOOLS, Reply, keep, replies
from strands import Agent, tool
from strands.hooks import BeforeToolCallEvent
from strands.models import Model
from strands.telemetry.tracer import get_tracer

LIBRARY = "strands-agents"
OPT_IN = "OTEL_SEMCONV_STABILITY_OPT_IN"


class Scripted(Model):
    def __init__(self, case: str) -> None:
        self.script = replies(case)

    def update_config(self, **_config: Any) -> None:
        """Has nothing to set."""

    def get_config(self) -> dict[str, Any]:
        return {"model_id": MODEL}

    def structured_output(self, *_args: Any, **_kwargs: Any) -> Any:
        raise NotImplementedError

    async def stream(self, *_args: Any, **_kwargs: Any) -> AsyncIterator[Any]:
        for event in events_of(next(self.script)):
            yield event


def events_of(reply: Reply) -> list[Any]:
    calls = reply.get("calls", [])
    events: list[Any] = [{"messageStart": {"role": "assistant"}}]
    if "text" in reply:
        events += [{"contentBlockStart": {"start": {}}}]
        events += [{"contentBlockDelta": {"delta": {"text": reply["text"]}}}]
        events += [{"contentBlockStop": {}}]
    for call in calls:
        use = {"toolUseId": call["id"], "name": call["name"]}
        delta = {"toolUse": {"input": json.dumps(call["args"])}}
        events += [{"contentBlockStart": {"start": {"toolUse": use}}}]
        events += [{"contentBlockDelta": {"delta": delta}}, {"contentBlockStop": {}}]
    usage = {"inputTokens": 50, "outputTokens": 10, "totalTokens": 60}
    stop = {"stopReason": "tool_use" if calls else "end_turn"}
    return [*events, {"messageStop": stop}, {"metadata": {"usage": usage, "metrics": {}}}]


def ask_a_person(event: BeforeToolCallEvent) -> None:
    if event.tool_use["name"] == "send_alert":
        event.interrupt("approval", reason="a person must approve it")


def record(case: str, name: str) -> None:
    exporter.clear()
    tools: list[Any] = [tool(each) for each in TOOLS.values()]
    agent = Agent(model=Scripted(case), tools=tools, name=AGENT, callback_handler=None)
    agent.hooks.add_callback(BeforeToolCallEvent, ask_a_person)
    for turn in CASES[case]:
        exporter.clear()
        agent(turn["user"])
    keep(f"{name}-{case}", otlp.as_json(exporter.get_finished_spans()), LIBRARY)


if __name__ == "__main__":
    provider, exporter = otlp.tracing(0x61)
    trace.set_tracer_provider(provider)
    for case in CASES:
        record(case, "strands-events")
    os.environ[OPT_IN] = "gen_ai_latest_experimental"
    get_tracer.__globals__["_tracer_instance"] = None  # it reads its environment once
    for case in CASES:
        record(case, "strands-spans")
