"""From messages to the run at their end."""

from typing import Any

import pytest
from hypothesis import given

from live_scoring.core.run import Message, ToolInvocation
from live_scoring.telemetry.conversation import Call, Conversation, has_error, unwritten
from tests.formats.strategies import JSON_VALUES


def invocation_of(conversation: Conversation) -> ToolInvocation:
    ((invocation,),) = (message.tool_invocations for message in conversation.output)
    return invocation


def calling(call: Call) -> Conversation:
    conversation = Conversation()
    conversation.say("", [call])
    return conversation


def test_the_run_is_what_follows_the_users_last_message() -> None:
    conversation = Conversation()
    conversation.ask("old question")
    conversation.say("old answer", [Call("c1", "look")])
    conversation.ask("question")
    conversation.answer("c1", "too late")
    conversation.say("answer")
    conversation.say("")
    assert conversation.input == "question"
    assert conversation.output == (
        Message(role="assistant", text="answer"),
        Message(role="assistant", text=""),
    )


def test_without_a_user_all_is_the_run() -> None:
    conversation = calling(Call(None, "look"))
    assert conversation.input is None
    assert len(conversation.output) == 1


@pytest.mark.parametrize(
    ("call", "state", "is_error"),
    [
        (Call("c", "look"), "call", False),
        (Call("c", "look", is_partial=True), "partial-call", False),
        (Call("c", "look", is_unparsed=True), "call", True),
    ],
)
def test_a_call_without_an_answer_has_not_ended(call: Call, state: str, is_error: bool) -> None:
    invocation = invocation_of(calling(call))
    assert (invocation.state, invocation.is_error) == (state, is_error)


def test_a_call_that_could_not_be_read_has_never_run_whatever_answers_it() -> None:
    conversation = calling(Call("c", "look", is_unparsed=True))
    conversation.answer("c", "write it again")
    invocation = invocation_of(conversation)
    assert (invocation.state, invocation.is_error) == ("call", True)
    assert invocation.result == "write it again"


@pytest.mark.parametrize("is_told_before", [False, True])
def test_an_answer_belongs_to_its_call_wherever_it_is_told(is_told_before: bool) -> None:
    conversation = Conversation()
    if is_told_before:
        conversation.answer("c", '{"sky": "clear"}')
    conversation.say("", [Call("c", "look", '{"at": "sky"}')])
    if not is_told_before:
        conversation.answer("c", '{"sky": "clear"}')
    assert invocation_of(conversation) == ToolInvocation(
        id="c", name="look", args={"at": "sky"}, state="result", result={"sky": "clear"}
    )


def test_an_early_answer_serves_one_call() -> None:
    conversation = Conversation()
    conversation.answer("c", "clear")
    conversation.say("", [Call("c", "look"), Call("c", "look")])
    states = [i.state for i in conversation.output[0].tool_invocations]
    assert states == ["result", "call"]


def test_calls_that_share_an_id_are_answered_in_their_order() -> None:
    conversation = Conversation()
    conversation.say("", [Call("c", "look"), Call("c", "listen")])
    conversation.answer("c", "clear")
    conversation.answer("c", "quiet")
    results = [i.result for i in conversation.output[0].tool_invocations]
    assert results == ["clear", "quiet"]


@pytest.mark.parametrize("answers", [[("boom", True), ("fine", False)], [("boom", True)]])
def test_an_error_stands_over_a_later_result(answers: list[tuple[str, bool]]) -> None:
    conversation = calling(Call("c", "look"))
    for result, is_error in answers:
        conversation.answer("c", result, is_error=is_error)
    invocation = invocation_of(conversation)
    assert (invocation.is_error, invocation.result) == (True, {"error": "boom"})


def test_of_several_results_the_last_stands() -> None:
    conversation = calling(Call("c", "look"))
    conversation.answer("c", "half")
    conversation.answer("c", "whole")
    assert invocation_of(conversation).result == "whole"


def test_a_call_without_an_id_is_answered_only_by_its_name() -> None:
    conversation = Conversation()
    conversation.say("", [Call(None, "look"), Call(None, "listen"), Call(None, "look")])
    conversation.answer(None, "nothing")
    conversation.answer("look", "nothing")
    conversation.answer_to("look", "clear")
    conversation.answer_to("look", "cloudy")
    results = [i.result for i in conversation.output[0].tool_invocations]
    assert results == ["clear", None, "cloudy"]


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ('{"a": 1}', {"a": 1}),
        (' {"a": 1}\n', {"a": 1}),
        ('{"a": "\ud83d"}', {"a": "\ud83d"}),
        ('{"a": 1', '{"a": 1'),
        ("[1]", "[1]"),
        ("17", "17"),
        ("", ""),
        ('{"a": NaN}', '{"a": NaN}'),
        ([1], [1]),
        (None, None),
    ],
)
def test_only_a_text_that_is_a_json_object_becomes_one(value: Any, read: Any) -> None:
    assert unwritten(value) == read


@pytest.mark.parametrize("depth", [101, 100_000])
def test_json_written_deep_as_a_text_stays_a_text(depth: int) -> None:
    text = '{"a":' * depth + "1" + "}" * depth
    assert unwritten(text) == text


@pytest.mark.parametrize("error", ["x", 1, True, {}, []])
def test_a_result_with_an_error_has_one(error: Any) -> None:
    assert has_error({"error": error})


@pytest.mark.parametrize("result", [{"error": ""}, {"error": None}, {}, "error", None, ["error"]])
def test_a_result_without_an_error_has_none(result: Any) -> None:
    assert not has_error(result)


@given(JSON_VALUES, JSON_VALUES)
def test_any_arguments_and_any_result_make_an_invocation(args: Any, result: Any) -> None:
    conversation = calling(Call("c", "look", args))
    conversation.answer("c", result, is_error=True)
    assert invocation_of(conversation).has_failed
