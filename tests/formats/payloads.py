"""What hypothesis draws for each of `FORMATS`: payloads as they should be, and damaged ones."""

import json
from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

from tests.formats.exported import AGENTS_EXPORTS, MASTRA_EXPORTS, RESPONSES, UI_CHATS
from tests.formats.otlp import REQUESTS, as_proto
from tests.formats.strategies import (
    JSON_VALUES,
    MASTRA_PAYLOADS,
    MOMENTS,
    NATIVE_RUNS,
    RUN_IDS,
    TEXTS,
    objects,
)

Payloads = st.SearchStrategy[Any]

_CALL_IDS = st.sampled_from(["c1", "c2", "c3"])
_NAMES = st.sampled_from(["look", "listen"])
_COUNTS = st.none() | st.integers(0, 2**40)
_JSON_TEXTS = st.builds(json.dumps, JSON_VALUES)
_USAGES = st.none() | objects(input_tokens=_COUNTS, completion_tokens=_COUNTS, totalTokens=_COUNTS)
_ARGS = _JSON_TEXTS | st.dictionaries(TEXTS, JSON_VALUES, max_size=2) | TEXTS
_FRAMES = objects(
    run_id=RUN_IDS,
    agent=RUN_IDS | st.fixed_dictionaries({"name": RUN_IDS}),
    created_at=MOMENTS,
    thread_id=st.none() | RUN_IDS,
    usage=_USAGES,
    tags=JSON_VALUES,
    error=JSON_VALUES,
)


def _framed(messages: Payloads) -> Payloads:
    """A list of messages alone, or in an object that tells more."""
    lists = st.lists(messages, min_size=1, max_size=5)
    return lists | st.builds(lambda frame, told: frame | {"messages": told}, _FRAMES, lists)


def _each(fields: dict[str, Payloads], **optional: Payloads) -> Payloads:
    return st.fixed_dictionaries(fields, optional=optional)


def _typed(kind: str, **fields: Payloads) -> Payloads:
    return st.fixed_dictionaries({"type": st.just(kind)} | fields)


_TEXT = _typed("text", text=TEXTS)
_TEXT_PARTS = TEXTS | st.lists(_TEXT, max_size=3)
_FUNCTIONS = _each({"name": _NAMES, "arguments": _ARGS})
_OPENAI = st.one_of(
    _each({"role": st.sampled_from(["user", "system", "developer"]), "content": _TEXT_PARTS}),
    _each(
        {"role": st.just("assistant"), "content": st.none() | _TEXT_PARTS},
        tool_calls=st.none()
        | st.lists(_each({"id": _CALL_IDS, "function": _FUNCTIONS}), max_size=3)
        | st.lists(_each({"custom": _each({"name": _NAMES, "input": TEXTS})}), max_size=1),
        function_call=st.none() | _FUNCTIONS,
        refusal=st.none() | TEXTS,
    ),
    _each({"role": st.just("tool"), "tool_call_id": _CALL_IDS, "content": _JSON_TEXTS}),
    _each({"role": st.just("function"), "name": _NAMES, "content": _TEXT_PARTS}),
)
_CHOICES = st.lists(_each({"message": _OPENAI}), min_size=1, max_size=2)
_OPENAI_LOGS = _each({"response": _each({"choices": _CHOICES})}, request=_framed(_OPENAI))

_RESULTS = st.none() | _TEXT_PARTS | _typed("web_search_tool_result_error", error_code=TEXTS)
_BLOCKS = st.one_of(
    _TEXT,
    _typed("thinking", thinking=TEXTS),
    _typed("tool_use", id=_CALL_IDS, name=_NAMES, input=JSON_VALUES),
    _typed("server_tool_use", id=_CALL_IDS, name=_NAMES, input=JSON_VALUES),
    _typed("web_search_tool_result", tool_use_id=_CALL_IDS, content=_RESULTS),
    _typed("tool_result", tool_use_id=_CALL_IDS, content=_RESULTS, is_error=st.booleans()),
)
_ANTHROPIC = _each(
    {
        "role": st.sampled_from(["user", "assistant"]),
        "content": TEXTS | st.lists(_BLOCKS, max_size=4),
    }
)
_ANTHROPIC_LOGS = st.builds(
    lambda told, frame: {"messages": told, "stop_reason": "end_turn"} | frame,
    st.lists(_ANTHROPIC, min_size=1, max_size=5),
    _FRAMES,
)

_CALLS = st.lists(_each({"name": _NAMES, "args": _ARGS, "id": st.none() | _CALL_IDS}), max_size=3)
_INVALID = st.lists(_each({"name": st.none() | _NAMES, "args": TEXTS, "id": _CALL_IDS}), max_size=2)
_BLOCK_CONTENT = TEXTS | st.lists(_BLOCKS | TEXTS, max_size=3)
_LANGCHAIN_PLAIN = st.one_of(
    _typed("human", content=_TEXT_PARTS),
    _typed("ai", content=_BLOCK_CONTENT, tool_calls=_CALLS, usage_metadata=_USAGES),
    _typed("ai", content=_BLOCK_CONTENT, invalid_tool_calls=_INVALID),
    _typed("AIMessageChunk", content=TEXTS, tool_calls=_CALLS, tool_call_chunks=_INVALID),
    _typed("ai", content=TEXTS, additional_kwargs=objects(function_call=_FUNCTIONS)),
    _typed("tool", content=_TEXT_PARTS, tool_call_id=_CALL_IDS, status=TEXTS),
    _typed("chat", content=TEXTS, role=st.sampled_from(["user", "assistant"])),
)
_LANGCHAIN = st.one_of(
    _LANGCHAIN_PLAIN,
    _LANGCHAIN_PLAIN.map(lambda told: {"type": told["type"], "data": told}),
    _LANGCHAIN_PLAIN.map(lambda told: {"lc": 1, "id": ["m", "HumanMessage"], "kwargs": told}),
)

_OUTPUTS = _each({"type": st.sampled_from(["text", "json", "error-text"]), "value": JSON_VALUES})
_VERCEL_PARTS = st.one_of(
    _TEXT,
    _typed("tool-call", toolCallId=_CALL_IDS, toolName=_NAMES, input=_ARGS),
    _typed("tool-result", toolCallId=_CALL_IDS, output=_OUTPUTS | JSON_VALUES),
    _typed("tool-result", toolCallId=_CALL_IDS, result=JSON_VALUES, isError=st.booleans()),
)
_VERCEL = _each(
    {
        "role": st.sampled_from(["user", "assistant", "tool"]),
        "content": TEXTS | st.lists(_VERCEL_PARTS, max_size=4),
    }
)

_PROMPTS = TEXTS | st.lists(TEXTS | _each({"kind": st.just("text-content"), "content": TEXTS}))


def _part(kind: str, **fields: Payloads) -> Payloads:
    return st.fixed_dictionaries({"part_kind": st.just(kind)} | fields)


_ASKED = st.one_of(
    _part("user-prompt", content=_PROMPTS),
    _part("system-prompt", content=TEXTS),
    _part("tool-return", tool_call_id=_CALL_IDS, content=JSON_VALUES, outcome=TEXTS),
    _part("retry-prompt", tool_call_id=_CALL_IDS, tool_name=st.none() | _NAMES, content=TEXTS),
)
_ANSWERED = st.one_of(
    _part("text", content=TEXTS),
    _part("tool-call", tool_name=_NAMES, tool_call_id=_CALL_IDS, args=st.none() | _ARGS),
    _part("builtin-tool-call", tool_name=_NAMES, tool_call_id=_CALL_IDS, args=_ARGS),
    _part("builtin-tool-return", tool_name=_NAMES, tool_call_id=_CALL_IDS, content=JSON_VALUES),
    _part("speech", transcript=st.none() | TEXTS),
)
_PYDANTIC_AI = st.one_of(
    _each({"kind": st.just("request"), "parts": st.lists(_ASKED, max_size=3)}),
    _each(
        {"kind": st.just("response"), "parts": st.lists(_ANSWERED, max_size=3)},
        usage=_USAGES,
        timestamp=MOMENTS,
        run_id=RUN_IDS,
        state=st.sampled_from(["complete", "incomplete"]),
    ),
)

PAYLOADS: dict[str, Payloads] = {
    "otlp_json": REQUESTS,
    "otlp_proto": REQUESTS.map(as_proto),
    "mastra_spans": MASTRA_EXPORTS,
    "openai_agents": AGENTS_EXPORTS,
    "openai_responses": RESPONSES,
    "vercel_ui": UI_CHATS,
    "native": NATIVE_RUNS,
    "mastra": MASTRA_PAYLOADS,
    "openai_chat": _framed(_OPENAI) | _OPENAI_LOGS,
    "anthropic": _ANTHROPIC_LOGS,
    "langchain": _framed(_LANGCHAIN),
    "pydantic_ai": _framed(_PYDANTIC_AI),
    "vercel_messages": _framed(_VERCEL),
}
"""By the format's name; most are as the format wants them, so that what they hold is reached."""


@st.composite
def damaged(draw: st.DrawFn, payloads: Payloads) -> Any:
    """A payload in which one value, wherever it lies, is any other."""
    # What `st.just` gives is the same object each time.
    top: list[Any] = [deepcopy(draw(payloads))]
    holder: Any = top
    place: Any = 0
    for is_deeper in draw(st.lists(st.booleans(), max_size=12)):
        inside = _places(holder[place])
        if is_deeper and inside:
            holder, place = holder[place], draw(st.sampled_from(inside))
    holder[place] = draw(JSON_VALUES)
    return top[0]


def _places(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value)
    return list(range(len(value))) if isinstance(value, list) else []
