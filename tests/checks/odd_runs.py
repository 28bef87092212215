"""Strategies for runs with odd text: lone surrogates, emoji, JavaScript's white space."""

from hypothesis import strategies as st

from live_scoring.core.run import AgentRun, Message, ToolInvocation
from tests.builders import run_of

_ODD = "aAbBiI .|(\n\t\0\x1c\x85\u00a0\u2028\ufeffßİ\u0131\u017fKΣ\u03c3ς😀𐐀\u0307\ud83d\ude00"
TEXTS = st.text(st.sampled_from(_ODD), max_size=12) | st.text(
    st.characters(exclude_categories=()), max_size=12
)
TOOLS = st.sampled_from(("search", "Search", "pay", "", "a" * 200, "\ud83d")) | TEXTS

INVOCATIONS = st.builds(
    ToolInvocation,
    id=st.none() | TEXTS,
    name=TOOLS,
    state=st.sampled_from(("result", "call", "partial-call")),
    is_error=st.booleans(),
)
MESSAGES = st.builds(
    Message,
    role=st.sampled_from(("assistant", "assistant", "user", "tool", "")),
    text=TEXTS,
    tool_invocations=st.lists(INVOCATIONS, max_size=3).map(tuple),
)
RUNS: st.SearchStrategy[AgentRun] = st.lists(MESSAGES, max_size=4).map(lambda m: run_of(*m))
