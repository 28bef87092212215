"""A model behind HTTP on this machine, as OpenAI's and Anthropic's clients expect one."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import count
from typing import Any

from scenario import MODEL, Reply, replies

_CREATED = 1_793_534_400


def _chat_completion(number: int, reply: Reply) -> dict[str, Any]:
    calls = [
        {
            "id": call["id"],
            "type": "function",
            "function": {"name": call["name"], "arguments": json.dumps(call["args"])},
        }
        for call in reply.get("calls", [])
    ]
    message = {"role": "assistant", "content": reply.get("text"), "refusal": None}
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": _CREATED + number,
        "model": MODEL,
        "choices": [
            {
                "index": 0,
                "message": message | ({"tool_calls": calls} if calls else {}),
                "logprobs": None,
                "finish_reason": "tool_calls" if calls else "stop",
            }
        ],
        "usage": {"prompt_tokens": 50, "completion_tokens": 10, "total_tokens": 60},
    }


def _response(number: int, reply: Reply) -> dict[str, Any]:
    said = [{"type": "output_text", "text": reply.get("text"), "annotations": []}]
    message = {"type": "message", "id": f"msg_{number}", "role": "assistant"}
    calls = [
        {
            "type": "function_call",
            "id": f"fc_{call['id']}",
            "call_id": call["id"],
            "name": call["name"],
            "arguments": json.dumps(call["args"]),
            "status": "completed",
        }
        for call in reply.get("calls", [])
    ]
    is_speaking = "text" in reply
    return {
        "id": f"resp_{number}",
        "object": "response",
        "created_at": _CREATED + number,
        "status": "completed",
        "model": MODEL,
        "output": [message | {"status": "completed", "content": said}] * is_speaking + calls,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 50,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 10,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 60,
        },
    }


def _anthropic_message(number: int, reply: Reply) -> dict[str, Any]:
    said = [{"type": "text", "text": reply["text"]}] if "text" in reply else []
    calls = [
        {"type": "tool_use", "id": c["id"], "name": c["name"], "input": c["args"]}
        for c in reply.get("calls", [])
    ]
    return {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": said + calls,
        "stop_reason": "tool_use" if calls else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 50, "output_tokens": 10},
    }


_ANSWERS = {
    "/v1/chat/completions": _chat_completion,
    "/v1/responses": _response,
    "/v1/messages": _anthropic_message,
}


@contextmanager
def model_server(case: str) -> Iterator[str]:
    """Serve the replies of a case, one a request; gives the address."""
    script, numbers = replies(case), count(1)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            answer = json.dumps(_ANSWERS[self.path](next(numbers), next(script))).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_args: Any) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
