"""No format takes long over a record that is full of one of its parts, nor raises."""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from live_scoring.core.score import Failure
from live_scoring.dialects import read_trace
from live_scoring.formats import FORMATS, Pieces, decode
from live_scoring.telemetry.envelope import Envelope
from live_scoring.telemetry.span import Span

GOLDEN = Path(__file__).parents[1] / "golden"
CASES = sorted(path.name for path in GOLDEN.iterdir() if not path.name.startswith("recorded-"))
ROOM = 2**19
"""Bytes: an eighth of the largest record, as the tests are to be quick."""
SECONDS = 0.5
"""Of processor time at most, five times of what any takes; less than what grows with the square."""
IDS = ("spanId", "id", "toolCallId", "tool_call_id", "call_id")
"""Keys by which items of a list are told from one another."""

Way = tuple[str | int, ...]


@cache
def golden(case: str) -> tuple[str, bytes]:
    """The format of a golden case and its payload."""
    (payload,) = (GOLDEN / case).glob("input.*")
    expected = json.loads((GOLDEN / case / "expected.json").read_text())
    return expected["format"], payload.read_bytes()


def lists_in(value: Any, path: Way = ()) -> Iterator[Way]:
    """Where lists lie that are not empty."""
    if isinstance(value, list) and value:
        yield path
    if isinstance(value, dict | list):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
        for key, each in inner:
            yield from lists_in(each, (*path, key))


def filled(payload: bytes, path: Way) -> bytes:
    """The payload with one of its lists repeated until the record is full, with new ids."""
    whole = json.loads(payload)
    found = whole
    for key in path:
        found = found[key]
    text = json.dumps(found)
    items = (item for _ in range(ROOM // len(text) + 1) for item in json.loads(text))
    found[:] = [_renamed(item, number) for number, item in enumerate(items)]
    return json.dumps(whole, separators=(",", ":")).encode()


def _renamed(item: Any, number: int) -> Any:
    if isinstance(item, dict):
        item |= {key: f"{number:016x}" for key in IDS if isinstance(item.get(key), str)}
    return item


def payloads_of(case: str) -> Iterator[tuple[str, bytes]]:
    """For each kind of list in a golden case the record that is full of it."""
    name, payload = golden(case)
    if FORMATS[name].is_binary:
        yield "whole", payload * (ROOM // len(payload))  # messages one after the other are one
        return
    value = json.loads(payload)
    kinds = {".".join(str(k) for k in p if isinstance(k, str)): p for p in lists_in(value)}
    for kind, path in kinds.items():
        yield kind, filled(payload, path)
    yield "deep", payload.replace(b"{", b'{"deep":' + b"[" * 90 + b"]" * 90 + b",", 1)
    yield "text", payload.replace(b'"', b'"' + b"\\ud83d" * (ROOM // 6), 1)


def test_every_format_is_filled() -> None:
    assert {golden(case)[0] for case in CASES} == set(FORMATS)


@pytest.mark.parametrize("case", CASES)
def test_no_record_takes_long(case: str) -> None:
    name, _ = golden(case)
    slow: dict[str, float] = {}
    for kind, payload in payloads_of(case):
        began = process_time()
        answer = decode(payload, name, envelope=Envelope(agent_id="a"))
        if isinstance(answer, Pieces):
            once: dict[str, Span] = {span.span_id: span for span in answer.spans}
            assert isinstance(read_trace(tuple(once.values())), Sequence | Failure)
        seconds = process_time() - began
        if seconds > SECONDS:
            slow[kind] = seconds
    assert slow == {}
