"""What a run lets the checks see."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from live_scoring.core.run import (
    ID_LIMIT,
    AgentRun,
    Message,
    ToolInvocation,
    join_texts,
    lower,
    to_utf8,
)
from tests.builders import call, run_calling, run_of, run_saying, saying

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
UNITS = st.text(st.characters(exclude_categories=()), max_size=8)


def test_only_the_assistant_speaks() -> None:
    run = run_of(saying("Sunny"), saying("ignored", role="tool"), saying("today"))
    assert (run.spaced_text, run.joined_text) == ("Sunny today", "Sunnytoday")


def test_halves_of_a_pair_that_meet_become_one_character() -> None:
    halves = run_saying("\ud83d", "\ude00")
    assert (halves.joined_text, halves.spaced_text) == ("😀", "\ud83d \ude00")


@given(st.lists(UNITS), st.sampled_from(["", " "]))
def test_joining_keeps_every_code_unit(texts: list[str], separator: str) -> None:
    joined = join_texts(texts, separator)
    assert joined.encode("utf-16-le", "surrogatepass") == separator.join(texts).encode(
        "utf-16-le", "surrogatepass"
    )


ODD = "ΣσςİIıKkÅß°“😀\ud83d"  # noqa: RUF001 -- letters that are like others are meant


@given(st.text(st.characters(exclude_categories=()) | st.sampled_from(ODD)))
def test_lower_case_is_pythons_own(text: str) -> None:
    assert lower(text) == text.lower()


@pytest.mark.parametrize("text", ["ΟΔΥΣΣΕΥΣ", "odysseuΣ", "ΑΣ a", "İSTANBUL", "72 °F", "“Fine” 😀"])
def test_lower_case_of_letters_that_look_around(text: str) -> None:
    assert lower(text) == text.lower()


@pytest.mark.parametrize(
    ("text", "encoded"), [("é", "é"), ("a\ud83d", "a\ufffd"), ("\ud83d\ude00", "😀")]
)
def test_a_lone_surrogate_is_encoded_as_a_replacement(text: str, encoded: str) -> None:
    assert to_utf8(text) == encoded.encode()


def test_tools_of_every_role_are_called_in_order_with_repeats() -> None:
    run = run_of(
        Message(role="assistant", text="", tool_invocations=(call("a"), call("b"))),
        Message(role="tool", text="", tool_invocations=(call("a"),)),
    )
    assert run.called_tools == ("a", "b", "a")


@pytest.mark.parametrize(
    ("fields", "is_call", "has_failed"),
    [
        ({"state": "result"}, True, False),
        ({"state": "result", "is_error": True}, True, True),
        ({"state": "call"}, True, True),
        ({"state": "partial-call"}, False, False),
        ({"state": "partial-call", "is_error": True}, False, True),
        ({"name": "", "state": "call"}, False, True),
    ],
)
def test_a_call_is_named_and_whole_and_fails_when_it_errs_or_never_ends(
    fields: dict[str, Any], is_call: bool, has_failed: bool
) -> None:
    invocation = ToolInvocation(**({"name": "t"} | fields))
    assert (invocation.is_call, invocation.has_failed) == (is_call, has_failed)


def test_a_run_has_failed_by_its_own_error_or_by_a_tool() -> None:
    assert run_saying("x", error="").has_failed
    assert run_calling(call("t", is_error=True)).has_failed
    assert not run_calling("t").has_failed


@pytest.mark.parametrize(
    "timestamp",
    [
        "2026-11-01T12:00:01.110Z",
        "2026-11-01T13:00:01.110+01:00",
        "2026-11-01T12:00:01.110",
        1_793_534_401_110,
        1_793_534_401.110,
    ],
)
def test_the_end_of_a_run_may_be_text_or_seconds_or_milliseconds(timestamp: object) -> None:
    assert run_saying(timestamp=timestamp).end_ms == 1_793_534_401_110


@given(st.datetimes(timezones=st.timezones() | st.just(UTC)))
def test_the_end_of_a_run_is_its_whole_millisecond(moment: datetime) -> None:
    end_ms = run_saying(timestamp=moment).end_ms
    assert end_ms is not None
    assert (
        timedelta(0) <= moment - EPOCH - timedelta(milliseconds=end_ms) < timedelta(milliseconds=1)
    )


@pytest.mark.parametrize(
    ("value", "tag"), [("prod", "prod"), (42, "42"), (1.5, "1.5"), (True, "true"), (False, "false")]
)
def test_a_tag_is_text(value: object, tag: str) -> None:
    assert run_saying(tags={"t": value}).tags == {"t": tag}


@pytest.mark.parametrize("value", [None, [], {}])
def test_a_tag_that_is_no_scalar_is_refused(value: object) -> None:
    with pytest.raises(ValidationError):
        run_saying(tags={"t": value})


def test_keys_may_be_camel_case() -> None:
    value = {"runId": "r", "agentId": "a", "output": [], "totalTokens": 3}
    assert AgentRun.model_validate(value) == run_of(run_id="r", agent_id="a", total_tokens=3)


def test_a_run_id_may_hold_a_lone_surrogate_but_not_be_empty_or_endless() -> None:
    assert run_saying("x", run_id="run-\ud83d").run_id == "run-\ud83d"
    for bad in ("", "x" * (ID_LIMIT + 1)):
        with pytest.raises(ValidationError, match="give 1 to 1024"):
            run_saying("x", agent_id=bad)


@pytest.mark.parametrize(
    ("agent", "name"),
    [("a\0b", "a\ufffdb"), ("a\ud83d", "a\ufffd"), ("\ud83d\ude00", "😀"), ("é\n", "é\n")],
)
def test_an_agent_is_known_by_a_name_that_every_label_and_key_can_hold(
    agent: str, name: str
) -> None:
    assert run_saying("x", agent_id=agent).agent_id == name


@pytest.mark.parametrize("field", ["trace_id", "conversation_id"])
def test_ids_that_every_score_repeats_may_be_empty_and_not_long(field: str) -> None:
    assert getattr(run_saying("x", **{field: ""}), field) == ""
    with pytest.raises(ValidationError, match="give 1 to 1024"):
        run_saying("x", **{field: "x" * (ID_LIMIT + 1)})


def test_why_a_run_failed_may_stand_under_run_error() -> None:
    for name in ("error", "run_error", "runError"):
        run = AgentRun.model_validate({"run_id": "r", "agent_id": "a", "output": [], name: "why"})
        assert run.error == "why"
