"""What hypothesis draws of libraries' exported spans, of UI messages and of items of Responses."""

from typing import Any

from hypothesis import strategies as st

from tests.formats.strategies import JSON_VALUES, RUN_IDS, TEXTS, objects

Payloads = st.SearchStrategy[Any]

_CALL_IDS = st.sampled_from(["c1", "c2", "c3"])
_NAMES = st.sampled_from(["look", "listen"])
_SPAN_IDS = st.sampled_from(["s1", "s2", "s3", "s4"])
_TIMES = st.sampled_from(["2026-11-01T12:00:00.000Z", "2026-11-01T12:00:01.500Z"])
_COUNTS = st.integers(0, 2**40)
_ERRORS = st.fixed_dictionaries({"message": TEXTS})
_ASKED = TEXTS | st.lists(st.fixed_dictionaries({"role": st.just("user"), "content": TEXTS}))

_MASTRA_CALLS = st.lists(
    st.fixed_dictionaries({"toolCallId": _CALL_IDS, "toolName": _NAMES, "args": JSON_VALUES})
)
_MASTRA_FIELDS = {
    "id": _SPAN_IDS,
    "traceId": st.just("t"),
    "name": TEXTS,
    "startTime": _TIMES,
    "isEvent": st.booleans(),
}
_MASTRA_TOLD = {"parentSpanId": _SPAN_IDS, "endTime": _TIMES, "errorInfo": _ERRORS}


def _mastra_span(kinds: list[str], attributes: Payloads, output: Payloads) -> Payloads:
    told = {"entityId": _NAMES, "input": _ASKED | JSON_VALUES, "output": output}
    facts = {"type": st.sampled_from(kinds), "attributes": attributes}
    return st.fixed_dictionaries(_MASTRA_FIELDS | facts, optional=_MASTRA_TOLD | told)


_MASTRA_OUTPUTS = objects(
    text=TEXTS, object=JSON_VALUES, toolCalls=_MASTRA_CALLS, toolCallId=_CALL_IDS
)
_MASTRA_USAGES = objects(inputTokens=_COUNTS, outputTokens=_COUNTS)
_MASTRA_SPANS = st.one_of(
    _mastra_span(["agent_run"], objects(conversationId=TEXTS), _MASTRA_OUTPUTS | TEXTS),
    _mastra_span(["model_generation"], objects(usage=_MASTRA_USAGES), _MASTRA_OUTPUTS),
    _mastra_span(
        ["tool_call", "mcp_tool_call"],
        objects(toolCallId=_CALL_IDS, success=st.booleans()),
        JSON_VALUES,
    ),
    _mastra_span(["model_chunk"], st.just({"chunkType": "text"}), objects(text=TEXTS)),
    _mastra_span(
        ["model_chunk"],
        st.just({"chunkType": "tool-call-approval"}),
        st.fixed_dictionaries({"toolCallId": _CALL_IDS, "toolName": _NAMES}),
    ),
)
_MASTRA_EVENTS = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["span_started", "span_updated", "span_ended"]),
        "exportedSpan": _MASTRA_SPANS,
    }
)
MASTRA_EXPORTS = st.lists(_MASTRA_SPANS | _MASTRA_EVENTS, min_size=1, max_size=6)

_TEXT_PART = st.fixed_dictionaries({"type": st.just("text"), "text": TEXTS})
_ARGS = st.sampled_from(['{"city": "Paris"}', '{"city": "Par']) | JSON_VALUES
_CHATS = st.one_of(
    st.fixed_dictionaries({"role": st.just("user"), "content": TEXTS | st.lists(_TEXT_PART)}),
    st.fixed_dictionaries(
        {"role": st.just("assistant"), "content": st.none() | TEXTS},
        optional={
            "tool_calls": st.lists(
                st.fixed_dictionaries(
                    {
                        "id": _CALL_IDS,
                        "function": st.fixed_dictionaries({"name": _NAMES, "arguments": _ARGS}),
                    }
                )
            )
        },
    ),
    st.fixed_dictionaries({"role": st.just("tool"), "tool_call_id": _CALL_IDS, "content": TEXTS}),
)


def _item(kind: str, **fields: Payloads) -> Payloads:
    return st.fixed_dictionaries({"type": st.just(kind)} | fields)


_STATUSES = st.sampled_from(["completed", "in_progress", "incomplete", "failed"])
_ITEM_PARTS = st.lists(_item("output_text", text=TEXTS) | _item("refusal", refusal=TEXTS))
_MESSAGE = _item(
    "message", role=st.sampled_from(["user", "assistant"]), content=TEXTS | _ITEM_PARTS
)
_FUNCTION_CALL = _item(
    "function_call", call_id=_CALL_IDS, name=_NAMES, arguments=_ARGS, status=_STATUSES
)
_ITEMS = st.one_of(
    _MESSAGE,
    _FUNCTION_CALL,
    _item("function_call_output", call_id=_CALL_IDS, output=JSON_VALUES | _ITEM_PARTS),
    _item("mcp_call", id=_CALL_IDS, name=_NAMES, arguments=TEXTS, error=JSON_VALUES),
    _item("mcp_approval_request", id=_CALL_IDS, name=_NAMES, arguments=TEXTS),
    _item("mcp_approval_response", approval_request_id=_CALL_IDS, approve=st.booleans()),
    _item("web_search_call", id=_CALL_IDS, status=_STATUSES, action=JSON_VALUES),
    _item("reasoning", id=TEXTS),
)
_ITEM_LISTS = st.builds(lambda items, call: [*items, call], st.lists(_ITEMS), _FUNCTION_CALL)
_RESPONSES = st.fixed_dictionaries(
    {"object": st.just("response"), "output": _ITEM_LISTS},
    optional={
        "id": RUN_IDS,
        "input": TEXTS | _ITEM_LISTS,
        "model": TEXTS,
        "status": _STATUSES,
        "incomplete_details": st.none() | objects(reason=TEXTS),
        "error": st.none() | _ERRORS,
    },
)
RESPONSES = _ITEM_LISTS | _RESPONSES

_SPAN_DATA = st.one_of(
    _item("agent", name=_NAMES),
    _item("custom", name=TEXTS, data=st.just({"sdk_span_type": "task"})),
    _item("function", name=_NAMES, input=_ARGS, output=st.none() | TEXTS),
    _item("handoff", from_agent=_NAMES, to_agent=_NAMES),
    _item("response", response=_RESPONSES, input=TEXTS | _ITEM_LISTS),
    _item(
        "generation",
        input=st.none() | st.lists(_CHATS),
        output=st.none() | st.lists(_CHATS | _RESPONSES),
        model=TEXTS,
        usage=st.none() | objects(input_tokens=_COUNTS),
    ),
)
_AGENTS_TRACE = st.fixed_dictionaries(
    {"object": st.just("trace"), "id": st.just("t"), "workflow_name": TEXTS},
    optional={"group_id": st.none() | TEXTS, "metadata": JSON_VALUES},
)
_AGENTS_SPAN = st.fixed_dictionaries(
    {
        "object": st.just("trace.span"),
        "id": _SPAN_IDS,
        "trace_id": st.just("t"),
        "parent_id": st.none() | _SPAN_IDS,
        "started_at": _TIMES,
        "ended_at": st.none() | _TIMES,
        "span_data": _SPAN_DATA,
        "error": st.none() | _ERRORS,
    }
)
_AGENTS_ITEMS = st.lists(_AGENTS_SPAN | _AGENTS_TRACE, min_size=1, max_size=6)
AGENTS_EXPORTS = _AGENTS_ITEMS | st.fixed_dictionaries({"data": _AGENTS_ITEMS})

_UI_STATES = [
    "input-streaming",
    "input-available",
    "approval-requested",
    "output-available",
    "output-error",
    "output-denied",
]
_UI_TOOL = {
    "toolCallId": _CALL_IDS,
    "state": st.sampled_from(_UI_STATES),
    "input": JSON_VALUES,
    "output": JSON_VALUES,
}
_UI_OLD = {
    "toolCallId": _CALL_IDS,
    "toolName": _NAMES,
    "state": st.sampled_from(["partial-call", "call", "result"]),
    "args": JSON_VALUES,
}
_UI_PARTS = st.one_of(
    _TEXT_PART,
    _item("step-start"),
    _item("tool-look", **_UI_TOOL),
    _item("dynamic-tool", toolName=_NAMES, errorText=TEXTS, **_UI_TOOL),
    _item("tool-invocation", toolInvocation=st.fixed_dictionaries(_UI_OLD)),
    _item("file", url=TEXTS),
)
_UI_MESSAGES = st.fixed_dictionaries(
    {"id": TEXTS, "role": st.sampled_from(["user", "assistant"]), "parts": st.lists(_UI_PARTS)}
)
_UI_LISTS = st.lists(_UI_MESSAGES, min_size=1, max_size=4)
UI_CHATS = _UI_LISTS | st.fixed_dictionaries({"id": RUN_IDS, "messages": _UI_LISTS})
