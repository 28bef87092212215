"""Logs: lines for machines and for eyes, and libraries that do not repeat themselves."""

import io
import json
import logging
import logging.config
from collections.abc import Iterator

import pytest
from aiohttp.http_exceptions import BadStatusLine

from live_scoring.core.errors import LiveScoringError
from live_scoring.live.logs import logging_config


@pytest.fixture(autouse=True)
def _logging_as_before() -> Iterator[None]:
    root, vendors = logging.getLogger(), ("aiokafka", "faust", "mode", "aiohttp", "asyncio")
    handlers, level = root.handlers[:], root.level
    levels = {name: logging.getLogger(name).level for name in vendors}
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, before in levels.items():
        logging.getLogger(name).setLevel(before)


def _set_up(*, is_terminal: bool) -> io.StringIO:
    stream, config = io.StringIO(), logging_config(is_terminal=is_terminal)
    config["handlers"]["stderr"]["stream"] = stream
    logging.config.dictConfig(config)
    return stream


def test_without_a_terminal_a_line_is_json_with_its_facts() -> None:
    stream = _set_up(is_terminal=False)
    logging.getLogger("live_scoring.x").warning(
        "dead letter", extra={"stage": "decode", "offset": 4}
    )
    line = json.loads(stream.getvalue())
    assert line.pop("timestamp")
    assert line == {
        "level": "WARNING",
        "logger": "live_scoring.x",
        "message": "dead letter",
        "stage": "decode",
        "offset": 4,
    }


def test_on_a_terminal_a_line_is_time_level_message_and_facts() -> None:
    stream = _set_up(is_terminal=True)
    facts = {"stage": "decode", "topics": ["a", "b"], "error": "no such topic"}
    logging.getLogger("live_scoring.x").info("dead letter", extra=facts)
    time, rest = stream.getvalue().split(" ", 1)
    assert len(time.split(":")) == 3
    assert rest == 'INFO dead letter stage=decode topics=["a", "b"] error="no such topic"\n'


def test_a_line_break_in_a_fact_breaks_no_line() -> None:
    stream = _set_up(is_terminal=True)
    logging.getLogger("live_scoring.x").info("refused", extra={"error": "one\ntwo"})
    assert stream.getvalue().count("\n") == 1


@pytest.mark.parametrize("is_terminal", [True, False])
def test_nothing_that_is_told_acts_on_a_terminal_or_begins_a_line(*, is_terminal: bool) -> None:
    stream, hostile = _set_up(is_terminal=is_terminal), 'x"\n\r\x1b[31m\x9b1m\u202e\u2028\ud800y'
    facts = {"agents": [hostile], "agent": hostile}
    error = ValueError(hostile)
    logging.getLogger("live_scoring.x").error("agent broken", extra=facts, exc_info=error)
    lines = stream.getvalue().split("\n")
    assert all(line.isprintable() for line in lines)
    assert len([line for line in lines if "ERROR" in line]) == 1
    assert is_terminal or json.loads(lines[0])["agent"] == hostile


def test_a_library_says_the_same_thing_once_in_ten_seconds() -> None:
    stream = _set_up(is_terminal=True)
    for _ in range(5):
        logging.getLogger("aiokafka.consumer").error("no broker at %s", "host")
    logging.getLogger("aiokafka.consumer").error("something else")
    logging.getLogger("aiokafka").info("nothing of interest")
    assert stream.getvalue().count("\n") == 2


def test_an_error_of_ours_is_not_told_again_by_the_libraries_it_ends() -> None:
    stream = _set_up(is_terminal=True)
    logging.getLogger("faust").error("Crashed", exc_info=LiveScoringError("no such topic"))
    assert stream.getvalue() == ""


def test_a_request_that_is_no_http_is_not_told() -> None:
    stream = _set_up(is_terminal=True)
    error = BadStatusLine("\x16\x03")
    logging.getLogger("aiohttp.server").error("Error handling request", exc_info=error)
    assert stream.getvalue() == ""
