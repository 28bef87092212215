"""Which convention reads a trace that holds several."""

from collections.abc import Sequence

import pytest

from live_scoring.core.score import Failure
from live_scoring.dialects import read_trace
from live_scoring.telemetry.span import Span
from tests.dialects.genai import spans as genai
from tests.telemetry.spans import span

ASKED, SAID = "llm.input_messages.0.message", "llm.output_messages.0.message"


def client(parent: str, at: int) -> Span:
    """A model's client, seen by OpenInference."""
    told = {
        "openinference.span.kind": "LLM",
        f"{ASKED}.role": "user",
        f"{ASKED}.content": "Why?",
        f"{SAID}.role": "assistant",
        f"{SAID}.content": "Done.",
    }
    return span(f"client-{parent}", parent, at=at, attributes=told)


def agents(spans: Sequence[Span]) -> list[str]:
    runs = read_trace(spans)
    assert not isinstance(runs, Failure), runs
    return [run.agent_id for run in runs]


@pytest.mark.parametrize("turn", [1, -1])
def test_a_framework_tells_more_than_the_client_of_its_model(turn: int) -> None:
    spans = [
        genai.agent(),
        genai.chat("1", [genai.ASKED], [genai.said(genai.text("Done."))], at=1),
        client("1", at=2),
    ]
    assert agents(spans[::turn]) == ["agent"]


def test_the_client_tells_what_nothing_else_does() -> None:
    chain = {"openinference.span.kind": "AGENT", "agent.name": "chained"}
    spans = [span("chain", attributes=chain), client("chain", at=1)]
    spoken = genai.chat("2", [genai.ASKED], [], "client-chain", at=2)
    assert agents([*spans, spoken]) == ["chained"]


def test_a_trace_that_no_convention_knows_holds_no_run() -> None:
    assert agents([span("server")]) == agents([]) == []
