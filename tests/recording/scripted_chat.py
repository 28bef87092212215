"""LangChain's agent over a chat model that replies by the scenario."""

from collections.abc import Iterator
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import StructuredTool, ToolException
from langgraph.checkpoint.memory import InMemorySaver
from scenario import AGENT, MODEL, TOOLS, Reply


class ScriptedChat(BaseChatModel):
    """Replies one by one; binding tools changes nothing."""

    script: Iterator[Reply]
    model_name: str = MODEL

    @property
    def _llm_type(self) -> str:
        return MODEL

    def bind_tools(self, _tools: Any, **_kwargs: Any) -> "ScriptedChat":
        return self

    def _generate(self, _messages: list[BaseMessage], *_args: Any, **_kwargs: Any) -> ChatResult:
        reply = next(self.script)
        calls = [{**call, "type": "tool_call"} for call in reply.get("calls", [])]
        message = AIMessage(
            content=reply.get("text", ""),
            tool_calls=calls,
            usage_metadata={"input_tokens": 50, "output_tokens": 10, "total_tokens": 60},
            response_metadata={"model_name": MODEL},
        )
        return ChatResult(generations=[ChatGeneration(message=message)])


def _tool(name: str) -> StructuredTool:
    def call(**args: Any) -> Any:
        try:
            return TOOLS[name](**args)
        except ValueError as error:
            raise ToolException(str(error)) from error

    tool = StructuredTool.from_function(TOOLS[name], handle_tool_error=True)
    tool.func = call
    return tool


def agent_of(script: Iterator[Reply]) -> Any:
    """An agent that a person must let send alerts."""
    return create_agent(
        ScriptedChat(script=script),
        [_tool(name) for name in TOOLS],
        name=AGENT,
        middleware=[HumanInTheLoopMiddleware(interrupt_on={"send_alert": True})],
        checkpointer=InMemorySaver(),
    )
