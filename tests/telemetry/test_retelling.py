"""A run told by its steps, of which each model's repeats all that was said before."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from live_scoring.core.run import Message
from live_scoring.telemetry.conversation import Call
from live_scoring.telemetry.retelling import Answer, ModelStep, ToolStep, Turn, retell

ASKED = Turn("user", "Why?")
TEXTS = st.sampled_from(["", "Wait.", "Done."])
SPOKEN = st.lists(st.tuples(TEXTS, st.integers(0, 2)), min_size=1, max_size=4)
"""What the model said, step for step: a text, and how many tools it called."""


def steps_of(spoken: Sequence[tuple[str, int]], history: Sequence[Turn] = ()) -> list[ModelStep]:
    """Steps in which all calls are answered, each model's given all that came before."""
    given: list[Turn] = [*history, ASKED]
    steps: list[ModelStep] = []
    for number, (text, count) in enumerate(spoken):
        ids = [f"{number}-{at}" for at in range(count)]
        said = Turn("assistant", text, tuple(Call(call_id, "look") for call_id in ids))
        steps.append(ModelStep(tuple(given), (said,)))
        given += [said, *(Turn("other", "", (), (Answer(i, "", f"of {i}"),)) for i in ids)]
    return steps


def told(steps: Sequence[ModelStep | ToolStep]) -> tuple[Any, tuple[Message, ...]]:
    conversation = retell(steps)
    return conversation.input, conversation.output


@given(SPOKEN, st.data())
def test_steps_that_are_lost_before_the_last_change_nothing(
    spoken: list[tuple[str, int]], data: st.DataObject
) -> None:
    whole = steps_of(spoken)
    kept = [step for step in whole[:-1] if data.draw(st.booleans())]
    assert told([*kept, whole[-1]]) == told(whole)


@given(SPOKEN, SPOKEN)
def test_history_changes_nothing(
    spoken: list[tuple[str, int]], earlier: list[tuple[str, int]]
) -> None:
    last = steps_of(earlier)[-1]
    history = [*last.given, *last.said]
    assert told(steps_of(spoken, history)) == told(steps_of(spoken))


@given(SPOKEN, SPOKEN)
def test_turns_that_are_equal_are_told_as_the_same_turns(
    spoken: list[tuple[str, int]], others: list[tuple[str, int]]
) -> None:
    whole = [*steps_of(spoken), *steps_of(others), *steps_of(spoken)]
    assert told(deepcopy(whole)) == told([deepcopy(step) for step in whole]) == told(whole)


@given(SPOKEN)
def test_each_model_is_heard_once(spoken: list[tuple[str, int]]) -> None:
    _, output = told(steps_of(spoken))
    assert [message.text for message in output if message.text] == [t for t, _ in spoken if t]
    assert sum(len(message.tool_invocations) for message in output) == sum(n for _, n in spoken)


@given(SPOKEN)
def test_tools_that_ran_are_joined_and_add_none(spoken: list[tuple[str, int]]) -> None:
    steps: list[ModelStep | ToolStep] = []
    for step in steps_of(spoken):
        calls = step.said[0].calls
        steps += [step, *(ToolStep(call, f"of {call.id}", is_error=False) for call in calls)]
    _, output = told(steps)
    invocations = [i for message in output for i in message.tool_invocations]
    assert len(invocations) == sum(n for _, n in spoken)
    assert all((i.state, i.result) == ("result", f"of {i.id}") for i in invocations)
