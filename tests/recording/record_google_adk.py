# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "google-adk==2.13.0",
#   "opentelemetry-sdk==1.44.0",
#   "opentelemetry-exporter-otlp-proto-common==1.44.0",
# ]
# ///
"""Record Google ADK's spans: `uv run --script tests/recording/record_google_adk.py`.

A scripted model replies.
"""

import asyncio
import os
from collections.abc import AsyncGenerator, Iterator
from typing import Any

os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "SPAN_AND_EVENT"

import otlp
from google.adk.agents import LlmAgent
from google.adk.models import BaseLlm, LlmRequest, LlmResponse
from google.adk.runners import InMemoryRunner
from google.adk.tools import FunctionTool
from google.genai import types
from opentelemetry import trace
from scenario import AGENT, CASES, MODEL, TOOLS, Reply, keep, replies

LIBRARY = "google-adk"


class Scripted(BaseLlm):
    script: Iterator[Reply]

    async def generate_content_async(
        self,
        _request: LlmRequest,
        stream: bool = False,  # noqa: ARG002 -- the base names it
    ) -> AsyncGenerator[LlmResponse, None]:
        said = next(self.script)
        parts = [types.Part(text=said["text"])] if "text" in said else []
        for call in said.get("calls", []):
            asked = types.FunctionCall(id=call["id"], name=call["name"], args=call["args"])
            parts.append(types.Part(function_call=asked))
        usage = types.GenerateContentResponseUsageMetadata(
            prompt_token_count=50, candidates_token_count=10, total_token_count=60
        )
        yield LlmResponse(
            content=types.Content(role="model", parts=parts),
            usage_metadata=usage,
            finish_reason=types.FinishReason.STOP,
        )


def tools() -> list[Any]:
    return [
        FunctionTool(tool, require_confirmation=name == "send_alert")
        for name, tool in TOOLS.items()
    ]


def tell_error(error: Exception, **_kwargs: Any) -> dict[str, str]:
    """Let the model know; else a tool that raises ends the run."""
    return {"error": str(error)}


async def record(case: str) -> None:
    model = Scripted(model=MODEL, script=replies(case))
    name = AGENT.replace("-", "_")  # it must be an identifier
    agent = LlmAgent(name=name, model=model, tools=tools(), on_tool_error_callback=tell_error)
    runner = InMemoryRunner(agent, app_name="weather")
    session = await runner.session_service.create_session(
        app_name="weather", user_id="user-1", session_id="thread-1"
    )
    for turn in CASES[case]:
        exporter.clear()
        content = types.Content(role="user", parts=[types.Part(text=turn["user"])])
        async for _ in runner.run_async(
            user_id="user-1", session_id=session.id, new_message=content
        ):
            pass
    keep(f"google-adk-spans-{case}", otlp.as_json(exporter.get_finished_spans()), LIBRARY)


if __name__ == "__main__":
    provider, exporter = otlp.tracing(0x81)
    trace.set_tracer_provider(provider)
    for name in CASES:
        asyncio.run(record(name))
