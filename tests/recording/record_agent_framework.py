# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "agent-framework-core==1.23.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-common==1.45.2",
# ]
# ///
"""Record Microsoft Agent Framework's spans.

`uv run --script tests/recording/record_agent_framework.py`; a scripted chat client replies.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

import otlp
from agent_framework import (
    Agent,
    BaseChatClient,
    ChatResponse,
    Content,
    FunctionInvocationLayer,
    Message,
    UsageDetails,
    tool,
)
from agent_framework.observability import ChatTelemetryLayer, enable_instrumentation
from opentelemetry import trace
from scenario import AGENT, CASES, MODEL, TOOLS, keep, replies

LIBRARY = "agent-framework-core"


class ScriptedClient(FunctionInvocationLayer, ChatTelemetryLayer, BaseChatClient):
    OTEL_PROVIDER_NAME = MODEL
    model = MODEL

    def __init__(self, case: str) -> None:
        super().__init__()
        self.script = replies(case)

    async def _inner_get_response(self, **_kwargs: Any) -> ChatResponse:
        said = next(self.script)
        contents = [Content.from_text(said["text"])] if "text" in said else []
        contents += [
            Content.from_function_call(call["id"], call["name"], arguments=call["args"])
            for call in said.get("calls", [])
        ]
        usage = UsageDetails(input_token_count=50, output_token_count=10, total_token_count=60)
        message = Message("assistant", contents)
        reason = "tool_calls" if said.get("calls") else "stop"
        return ChatResponse(
            messages=[message], model=MODEL, usage_details=usage, finish_reason=reason
        )


def tools() -> Sequence[Any]:
    modes = {"send_alert": "always_require"}
    return [
        tool(function, approval_mode=modes.get(name, "never_require"))
        for name, function in TOOLS.items()
    ]


async def record(case: str) -> None:
    agent = Agent(ScriptedClient(case), name=AGENT, id=AGENT, tools=tools())
    session = agent.create_session()
    for turn in CASES[case]:
        exporter.clear()
        await agent.run(turn["user"], session=session)
    keep(f"agent-framework-spans-{case}", otlp.as_json(exporter.get_finished_spans()), LIBRARY)


if __name__ == "__main__":
    provider, exporter = otlp.tracing(0x71)
    trace.set_tracer_provider(provider)
    enable_instrumentation(enable_sensitive_data=True)
    for name in CASES:
        asyncio.run(record(name))
