"""Strategies for runs with odd text: lone surrogates, emoji, JavaScript's white space."""

import json
from typing import Any

from hypothesis import strategies as st

from live_scoring.core.run import AgentRun, Message, ToolInvocation
from tests.builders import run_of

_ODD = "aAbBiI .|(\n\t\0\x1c\x85\u00a0\u2028\ufeffßİ\u0131\u017fKΣ\u03c3ς😀𐐀\u0307\ud83d\ude00"
TEXTS = st.text(st.sampled_from(_ODD), max_size=12) | st.text(
    st.characters(exclude_categories=()), max_size=12
)
TOOLS = st.sampled_from(("search", "Search", "pay", "", "a" * 200, "\ud83d")) | TEXTS

JSON_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from((0.5, 1e300, 10**400)) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
ARGUMENTS = JSON_VALUES | JSON_VALUES.map(json.dumps)
INVOCATIONS = st.builds(
    ToolInvocation,
    id=st.none() | TEXTS,
    name=TOOLS,
    args=ARGUMENTS,
    state=st.sampled_from(("result", "call", "partial-call")),
    is_error=st.booleans(),
)
MESSAGES = st.builds(
    Message,
    role=st.sampled_from(("assistant", "assistant", "user", "tool", "")),
    text=TEXTS,
    tool_invocations=st.lists(INVOCATIONS, max_size=3).map(tuple),
)
REPORTED = st.none() | st.integers(0, 5)
RUNS: st.SearchStrategy[AgentRun] = st.builds(
    lambda messages, **reported: run_of(*messages, **reported),
    st.lists(MESSAGES, max_size=4),
    duration_ms=REPORTED,
    total_tokens=REPORTED,
    input_tokens=REPORTED,
    output_tokens=REPORTED,
    cost_usd=REPORTED,
)
