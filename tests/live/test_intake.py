"""What becomes of records, and which agents the metrics name."""

import re
from dataclasses import replace

from live_scoring.core.disclosure import Disclosure
from live_scoring.core.ecmascript import Pattern
from live_scoring.formats.dead_letter import original_headers
from live_scoring.live.intake import Harvest
from tests.live.boards import agent_plan
from tests.live.fakes import NOW_MS, FakeClock
from tests.live.intakes import intake_of, record_of, run_of, services_of, take

HOUR_MS = 3_600_000


def test_beyond_the_cap_an_agent_is_scored_and_counted_but_not_named() -> None:
    services = services_of(max_agents=1)
    intake, harvest = intake_of(services, agent_plan("agent-*")), Harvest()
    for agent in ("agent-1", "agent-2"):
        take(intake, run_of(agent), harvest)
    assert {score.agent_id for score in harvest.scores} == {"agent-1", "agent-2"}
    assert [intake.is_shown(agent) for agent in ("agent-1", "agent-2")] == [True, False]
    page = services.metrics.render()[0].decode()
    assert "live_scoring_agents_overflow_total 1" in page
    assert 'agent="agent-2"' not in page


def test_an_agent_that_was_long_silent_makes_room_however_the_clock_is_set() -> None:
    clock, now_ms = FakeClock(), NOW_MS + 9 * HOUR_MS
    services = services_of(
        replace(clock.as_clock(), now_ms=lambda: now_ms), max_agents=1, forget_after="1h"
    )
    intake = intake_of(services, agent_plan("agent-*"))
    take(intake, run_of("agent-1"), Harvest())
    clock.monotonic_seconds += 3_600
    now_ms = NOW_MS
    take(intake, run_of("agent-2"), Harvest())
    assert not intake.is_shown("agent-2")
    clock.monotonic_seconds += 3_600
    take(intake, run_of("agent-2"), Harvest())
    assert [intake.is_shown(agent) for agent in ("agent-1", "agent-2")] == [False, True]
    assert 'agent="agent-1"' not in services.metrics.render()[0].decode()


def test_a_run_whose_record_is_dated_ahead_was_seen_now_at_the_latest() -> None:
    services = services_of()
    intake = intake_of(services, agent_plan("agent-1"))
    take(intake, replace(run_of("agent-1"), timestamp=NOW_MS + 999 * HOUR_MS), Harvest())
    page = services.metrics.render()[0].decode()
    (seen,) = re.findall(r'last_run_timestamp_seconds{agent="agent-1"} (\S+)', page)
    assert float(seen) == NOW_MS / 1000 + 60


def test_a_dead_letter_carries_the_headers_of_its_record() -> None:
    intake, harvest = intake_of(services_of()), Harvest()
    headers = (("content-type", b"mastra"), ("trace", None), ("hop", b"1"), ("hop", b"2"))
    record = replace(record_of(b"{"), headers=headers)
    take(intake, record, harvest)
    assert original_headers(harvest.dead_letters[0].headers) == list(headers)


def test_what_is_to_be_redacted_is_not_in_the_detail_of_a_dead_letter() -> None:
    intake, harvest = intake_of(services_of()), Harvest()
    intake.plan = replace(intake.plan, disclosure=Disclosure(redactions=(Pattern(r"\d{16}"),)))
    take(
        intake,
        record_of(
            b'{"run_id": "r", "agent_id": "a", "output": [], "tags": {"4111111111111111": []}}'
        ),
        harvest,
    )
    (letter,) = harvest.dead_letters
    assert dict(letter.headers)["detail"] == b"tags.[redacted]: Input should be a valid string"


def test_a_header_without_a_value_names_no_format_and_stops_nothing() -> None:
    intake, harvest = intake_of(services_of(), agent_plan("agent-1")), Harvest()
    take(intake, replace(run_of("agent-1"), headers=(("format", None),)), harvest)
    assert (intake.runs, intake.bad) == (1, 0)
