# /// script
# requires-python = ">=3.11"
# dependencies = ["openai==3.57.0"]
# ///
"""Record OpenAI's chat messages: `uv run --script tests/recording/record_openai.py`."""

from chat_loop import answer
from model_server import model_server
from openai import OpenAI
from scenario import CASES, keep


def record(case: str) -> None:
    messages: list[dict[str, object]] = []
    with model_server(case) as address:
        client = OpenAI(api_key="none", base_url=f"{address}/v1")
        for turn in CASES[case]:
            messages.append({"role": "user", "content": turn["user"]})
            answer(client, messages)
    keep(f"openai-chat-{case}", {"messages": messages}, "openai")


if __name__ == "__main__":
    for name in CASES:
        record(name)
