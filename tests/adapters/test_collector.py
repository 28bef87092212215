"""The collector of cycles looks at little, and has little to find."""

import asyncio
import gc
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from live_scoring.adapters.collector import tamed_collector
from live_scoring.adapters.kafka import ConsumerRecord
from live_scoring.gathering import Find, GatheredRun, LongTrace, LookBack, Unreadable
from live_scoring.live.app import LiveApp
from live_scoring.live.intake import Harvest, Intake
from tests.live.boards import agent_plan
from tests.live.fakes import NOW_MS, FakeLoop, no_fleet, worker_of
from tests.live.intakes import intake_of, services_of

GOLDEN = Path(__file__).parents[1] / "golden"
CASES = sorted(path.name for path in GOLDEN.iterdir())
DAMAGES = ((b"", b""), (b"role", b"r"), (b'"', b"'"), (b"name", b"n"), (b"spanId", b"x"))
LATER_MS = 1_000_000
"""From one record to the next: whatever is open is closed."""


@pytest.fixture
def nothing_is_collected() -> Iterator[None]:
    gc.freeze()  # to look at what is there already would take most of the time
    gc.disable()
    yield
    gc.enable()
    gc.unfreeze()


def records_of(case: str) -> Iterator[ConsumerRecord]:
    """The record of a golden case, whole and damaged."""
    (path,) = (GOLDEN / case).glob("input.*")
    name = json.loads((GOLDEN / case / "expected.json").read_text())["format"]
    payload, headers = path.read_bytes(), (("format", name.encode()),)
    hurt = [payload.replace(*damage) for damage in DAMAGES] + [payload[: len(payload) // 2]]
    for offset, value in enumerate([*hurt, b"{}", b"{}"]):
        at_ms = NOW_MS + offset * LATER_MS
        yield ConsumerRecord("agent-runs", 0, offset, at_ms, 0, b"k", value, None, 1, 1, headers)


def take(intake: Intake, record: ConsumerRecord) -> None:
    """All that becomes of a record, but for publishing it."""
    harvest = Harvest()
    for find in intake.gather(record):
        for found in find.read() if isinstance(find, LongTrace) else (find,):
            take_found(intake, found, harvest)


def take_found(intake: Intake, found: Find, harvest: Harvest) -> None:
    match found:
        case GatheredRun():
            batch = intake.ask([found])
            for _ in batch.steps():
                pass
            for outcome in batch.outcomes():
                intake.take(found, outcome, harvest)
        case Unreadable():
            intake.bury(found, harvest)
        case LookBack() | LongTrace():
            pass


@pytest.mark.usefixtures("nothing_is_collected")
@pytest.mark.parametrize("case", CASES)
def test_no_record_leaves_anything_that_only_a_collector_finds(case: str) -> None:
    intake = intake_of(services_of(), agent_plan("*"))
    for record in records_of(case):
        take(intake, record)  # for the first time: whatever is made once is made
    gc.collect()
    gc.freeze()
    for record in records_of(case):
        take(intake, record)
        assert gc.collect() == 0, record.value
    assert intake.runs + intake.bad > 0


def test_only_new_objects_are_looked_at_while_a_worker_lives() -> None:
    before = gc.get_threshold()

    async def live() -> tuple[tuple[int, int, int], int]:
        app = LiveApp(worker_of(FakeLoop()), no_fleet)
        await app.start()
        try:
            return gc.get_threshold(), gc.get_freeze_count()
        finally:
            await app.stop()

    (young, middle, old), frozen = asyncio.run(live())
    assert (young, min(middle, old) > 1_000_000) == (10_000, True)
    assert frozen > 10_000
    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, 0)


def test_a_cycle_among_new_objects_is_found() -> None:
    with tamed_collector():
        gc.collect()
        found = gc.get_stats()[0]["collected"]
        for _ in range(20_000):
            cycle: list[object] = []
            cycle.append(cycle)
        assert gc.get_stats()[0]["collected"] > found
