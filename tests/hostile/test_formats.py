"""No format takes longer than a record is large, whatever part it is full of, nor raises."""

import json
from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from live_scoring.core.score import Failure
from live_scoring.dialects import read_trace
from live_scoring.formats import FORMATS, Pieces, decode
from live_scoring.telemetry.envelope import Envelope
from live_scoring.telemetry.span import Span
from tests.hostile.growth import BOUND, TIMES, above, growth

GOLDEN = Path(__file__).parents[1] / "golden"
CASES = sorted(path.name for path in GOLDEN.iterdir() if not path.name.startswith("recorded-"))
LARGE = 2**19
SMALL = LARGE // TIMES
"""Bytes of the records that are compared."""
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


def filled(payload: bytes, path: Way, room: int) -> bytes:
    """The payload with one of its lists repeated until so many bytes are full, with new ids."""
    whole = json.loads(payload)
    found = whole
    for key in path:
        found = found[key]
    text = json.dumps(found)
    items = (item for _ in range(room // len(text) + 1) for item in json.loads(text))
    found[:] = [_renamed(item, number) for number, item in enumerate(items)]
    return json.dumps(whole, separators=(",", ":")).encode()


def _renamed(item: Any, number: int) -> Any:
    if isinstance(item, dict):
        item |= {key: f"{number:016x}" for key in IDS if isinstance(item.get(key), str)}
    return item


def payloads_of(case: str, room: int) -> Iterator[tuple[str, bytes]]:
    """For each kind of list in a golden case the record that is full of it."""
    name, payload = golden(case)
    if FORMATS[name].is_binary:
        yield "whole", payload * (room // len(payload))  # messages one after the other are one
        return
    value = json.loads(payload)
    kinds = {".".join(str(k) for k in p if isinstance(k, str)): p for p in lists_in(value)}
    for kind, path in kinds.items():
        yield kind, filled(payload, path, room)
    yield "deep", payload.replace(b"{", b'{"deep":' + b"[" * 90 + b"]" * 90 + b",", 1)
    yield "text", payload.replace(b'"', b'"' + b"\\ud83d" * (room // 6), 1)


def read(payload: bytes, name: str) -> None:
    """Read a record and, where it holds a whole trace, that trace."""
    answer = decode(payload, name, envelope=Envelope(agent_id="a"))
    if isinstance(answer, Pieces):
        once: dict[str, Span] = {span.span_id: span for span in answer.spans}
        assert isinstance(read_trace(tuple(once.values())), Sequence | Failure)


def excess(name: str, large: bytes, small: bytes) -> float:
    """How much longer a record takes than it is larger than a small one."""
    return growth(partial(read, large, name), partial(read, small, name))


def test_every_format_is_filled() -> None:
    assert {golden(case)[0] for case in CASES} == set(FORMATS)


@pytest.mark.parametrize("case", CASES)
def test_no_record_takes_longer_than_it_is_large(case: str) -> None:
    name, _ = golden(case)
    small = dict(payloads_of(case, SMALL))
    large = payloads_of(case, LARGE)
    assert above(BOUND, {kind: partial(excess, name, p, small[kind]) for kind, p in large}) == {}
