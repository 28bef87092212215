# /// script
# requires-python = ">=3.11"
# dependencies = ["langchain==1.5.2", "langchain-core==1.8.3", "langgraph==1.2.24"]
# ///
"""Record LangChain's messages: `uv run --script tests/recording/record_langchain.py`.

In the three shapes that people dump them: `messages_to_dict`, `dumpd` and each message's own.
"""

from langchain_core.load import dumpd
from langchain_core.messages import messages_to_dict
from scenario import CASES, keep, replies
from scripted_chat import agent_of


def record(case: str) -> None:
    agent = agent_of(replies(case))
    thread = {"configurable": {"thread_id": "thread-1"}}
    for turn in CASES[case]:
        state = agent.invoke({"messages": [("user", turn["user"])]}, thread)
    messages = state["messages"]
    keep(f"langchain-dict-{case}", messages_to_dict(messages), "langchain-core")
    plain = {"messages": [message.model_dump(mode="json") for message in messages]}
    keep(f"langgraph-state-{case}", plain, "langgraph")
    if case != "several-turns":
        keep(f"langchain-dumpd-{case}", dumpd(messages), "langchain-core")


if __name__ == "__main__":
    for name in CASES:
        record(name)
