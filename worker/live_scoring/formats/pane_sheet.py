"""Sheets of panes, the records of the panes topic: a line of JSON, then the runs as bytes.

Keys of runs are hashes, which no compression makes smaller: as text they would take twice the
room, and to read millions of them would take as long as reading the scores again.
"""

import sys
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from pydantic import TypeAdapter
from typing_extensions import TypedDict  # pydantic refuses typing's own before Python 3.12

from live_scoring.core.decoding import read_record, refuse
from live_scoring.core.ledger import Packed
from live_scoring.core.pane import AgentPanes, Pane, Sheet, Stretch
from live_scoring.core.score import Failure
from live_scoring.core.window import NANO, Tally, first_pane
from live_scoring.core.wire import Count, Timestamp, to_json, to_rfc3339

SCHEMA = "live-scoring/panes/v1"
_RUN_BYTES = 16

_TallyRecord = tuple[Count, Count, Count, int, Count]
"""Place of the scorer, scores, scores of 1, what the sum is beyond those, errors."""


class _PaneRecord(TypedDict):
    pane: int
    last_run: Timestamp
    runs: Count
    counts: list[list[tuple[int, list[_TallyRecord]]]]


class _AgentRecord(TypedDict):
    agent_id: str
    group: str
    windows_ms: list[Count]
    scorers: list[tuple[str, str]]
    panes: list[_PaneRecord]


class _SheetRecord(TypedDict):
    schema: Literal["live-scoring/panes/v1"]
    first_offset: Count
    next_offset: Count
    begins_at: Timestamp
    ends_at: Timestamp
    writer: str
    ignored: list[tuple[str, str, str]]
    sheet: Count
    is_last: bool
    agents: list[_AgentRecord]


_SHEET_RECORD = TypeAdapter(_SheetRecord)


def encode_sheet(sheet: Sheet) -> bytes:
    """Write a sheet."""
    stretch = sheet.stretch
    head = {
        "schema": SCHEMA,
        "first_offset": stretch.first_offset,
        "next_offset": stretch.next_offset,
        "begins_at": to_rfc3339(stretch.begins_ms),
        "ends_at": to_rfc3339(stretch.ends_ms),
        "writer": stretch.writer,
        "ignored": stretch.ignored,
        "sheet": sheet.number,
        "is_last": sheet.is_last,
        "agents": [_encode_agent(agent) for agent in sheet.agents],
    }
    runs = (pane.runs for agent in sheet.agents for pane in agent.panes)
    return b"\n".join((to_json(head), b"".join(_to_bytes(a) for pair in runs for a in pair)))


def _encode_agent(agent: AgentPanes) -> dict[str, Any]:
    places = {name: place for place, (name, _) in enumerate(agent.scorers)}
    return {
        "agent_id": agent.agent_id,
        "group": agent.group,
        "windows_ms": agent.windows,
        "scorers": agent.scorers,
        "panes": [
            {
                "pane": pane.at,
                "last_run": to_rfc3339(pane.last_ms),
                "runs": len(pane.runs[0]),
                "counts": [_encode_counts(panes, places) for panes in pane.counts],
            }
            for pane in agent.panes
        ],
    }


def _encode_counts(
    panes: Mapping[int, Mapping[str, Tally]], places: Mapping[str, int]
) -> list[tuple[int, list[_TallyRecord]]]:
    return [
        (
            number,
            [
                (places[name], t.scored, t.full, t.total - t.full * NANO, t.errors)
                for name, t in tallies.items()
            ],
        )
        for number, tallies in panes.items()
    ]


def decode_sheet(payload: bytes | None, now_ms: int = 0) -> Sheet | Failure:
    """Read a sheet back, or tell why it is none; never raises.

    Args:
        payload: The record's value.
        now_ms: Counts that have left their windows by then, since the epoch, may be left out.
    """
    line, _, runs = (payload or b"").partition(b"\n")
    record = read_record(_SHEET_RECORD, line)
    if isinstance(record, Failure):
        return record
    if record["next_offset"] <= record["first_offset"]:
        return refuse("bad_field", "next_offset: must lie after first_offset")
    panes = [pane for agent in record["agents"] for pane in agent["panes"]]
    if len(runs) != _RUN_BYTES * sum(pane["runs"] for pane in panes):
        return refuse("bad_field", "runs: must be as many as there are bytes for")
    if any(not _fits(agent) for agent in record["agents"]):
        return refuse("bad_field", "counts: must be of the agent's windows and scorers")
    rest = memoryview(runs)
    agents = tuple(_decode_agent(*both, now_ms) for both in _split(record["agents"], rest))
    stretch = Stretch(
        record["first_offset"],
        record["next_offset"],
        record["begins_at"],
        record["ends_at"],
        record["writer"],
        tuple(record["ignored"]),
    )
    return Sheet(stretch, record["sheet"], record["is_last"], agents)


def _fits(agent: _AgentRecord) -> bool:
    return all(
        len(pane["counts"]) == len(agent["windows_ms"])
        and all(
            place < len(agent["scorers"])
            for panes in pane["counts"]
            for _, tallies in panes
            for place, *_ in tallies
        )
        for pane in agent["panes"]
    )


def _split(
    agents: Sequence[_AgentRecord], runs: memoryview
) -> Iterator[tuple[_AgentRecord, memoryview]]:
    start = 0
    for agent in agents:
        end = start + _RUN_BYTES * sum(pane["runs"] for pane in agent["panes"])
        yield agent, runs[start:end]
        start = end


def _decode_agent(record: _AgentRecord, runs: memoryview, now_ms: int) -> AgentPanes:
    names = [name for name, _ in record["scorers"]]
    firsts = [first_pane(length_ms, now_ms) for length_ms in record["windows_ms"]]
    panes = []
    for pane in record["panes"]:
        size = _RUN_BYTES * pane["runs"]
        of_pane, runs = runs[:size], runs[size:]
        both = zip(pane["counts"], firsts, strict=True)
        counts = tuple(_decode_counts(of_window, names, first) for of_window, first in both)
        panes.append(Pane(pane["pane"], pane["last_run"], _runs(of_pane), counts))
    windows, scorers = tuple(record["windows_ms"]), tuple(record["scorers"])
    return AgentPanes(record["agent_id"], record["group"], windows, scorers, tuple(panes))


def _decode_counts(
    record: Sequence[tuple[int, list[_TallyRecord]]], names: Sequence[str], first: int
) -> dict[int, dict[str, Tally]]:
    return {
        number: {
            names[place]: Tally(scored, full, rest + full * NANO, errors)
            for place, scored, full, rest, errors in tallies
        }
        for number, tallies in record
        if number >= first
    }


def _runs(both: memoryview) -> Packed:
    half = len(both) // 2
    return _to_array(both[:half]), _to_array(both[half:])


def _to_array(numbers: memoryview) -> "array[int]":
    found = array("Q")
    found.frombytes(numbers)
    if sys.byteorder == "big":
        found.byteswap()
    return found


def _to_bytes(numbers: "array[int]") -> bytes:
    if sys.byteorder == "big":
        numbers = array("Q", numbers)
        numbers.byteswap()
    return numbers.tobytes()
