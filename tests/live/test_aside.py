"""What takes long holds up nobody on the event loop, and comes to the same."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from live_scoring.gathering import Find, Found, GatheredRun, Gatherer, LongTrace, LookBack
from live_scoring.live.aside import gather_aside, read_aside
from live_scoring.telemetry.traces import Bounds
from tests.fake_spans import envelope_at
from tests.formats import otlp

T = TypeVar("T")

SPANS = 4_000
BOUNDS = Bounds(grace_ms=10)
ASKED = json.dumps([{"role": "user", "parts": [{"type": "text", "content": "Why?"}]}])
DONE = json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": "Done."}]}])


def record_of(spans: int) -> bytes:
    """One trace of an agent that asks a model again and again."""
    agent = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "desk"}
    chat: dict[str, Any] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.input.messages": ASKED,
        "gen_ai.output.messages": DONE,
    }
    root = otlp.span(1, agent)
    models = [otlp.span(n + 2, chat, parentSpanId=root["spanId"]) for n in range(spans)]
    return json.dumps(otlp.spans_request(root, *models)).encode()


RECORD, LAST = record_of(SPANS), record_of(1).replace(otlp.TRACE_ID.encode(), b"0" * 31 + b"1")


async def ticks_during(work: Callable[[], Awaitable[T]]) -> tuple[T, int]:
    """What becomes of work, and how often others had their turn meanwhile."""
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.001)
            ticks += 1

    ticking = asyncio.create_task(tick())
    await asyncio.sleep(0)
    done = await work()
    ticking.cancel()
    return done, ticks


def not_back(find: Find) -> Found | LongTrace:
    """A find of a gatherer that does not look back."""
    assert not isinstance(find, LookBack)
    return find


def runs_of(finds: Sequence[Find]) -> list[GatheredRun]:
    """The runs that are found, of which there must be one."""
    runs = [find for find in finds if isinstance(find, GatheredRun)]
    assert len(runs) == 1
    assert len(runs[0].run.output) == SPANS
    return runs


def test_a_large_record_and_a_long_trace_let_others_have_their_turn_and_come_to_the_same() -> None:
    gatherer = Gatherer(bounds=BOUNDS, reads_aside=True)

    async def decode() -> Sequence[Find]:
        return list(
            await gather_aside(partial(gatherer.take, RECORD, envelope_at(0, 0)), len(RECORD))
        )

    async def read() -> Sequence[Find]:
        finds = await gather_aside(partial(gatherer.take, LAST, envelope_at(1, 10)), len(LAST))
        return [found for find in finds for found in await read_aside(not_back(find))]

    async def work() -> tuple[Sequence[Find], int, int]:
        nothing, decoding = await ticks_during(decode)
        assert not nothing
        return *(await ticks_during(read)), decoding

    finds, reading, decoding = asyncio.run(work())
    assert min(reading, decoding) >= 3, (reading, decoding)
    at_once = Gatherer(bounds=BOUNDS)
    assert not list(at_once.take(RECORD, envelope_at(0, 0)))
    assert runs_of(finds) == runs_of(list(at_once.take(LAST, envelope_at(1, 10))))
    assert gatherer.counts() == at_once.counts()


def test_what_is_short_is_read_at_once() -> None:
    gatherer = Gatherer(bounds=BOUNDS, reads_aside=True)
    short = record_of(2)

    async def take(payload: bytes, offset: int) -> Sequence[Find]:
        take = partial(gatherer.take, payload, envelope_at(offset, 10 * offset))
        finds = await gather_aside(take, len(payload))
        return [found for find in finds for found in await read_aside(not_back(find))]

    async def work() -> tuple[Sequence[Find], int]:
        await take(short, 0)
        return await ticks_during(lambda: take(LAST, 1))

    finds, ticks = asyncio.run(work())
    assert isinstance(finds[0], GatheredRun)
    assert ticks == 0
