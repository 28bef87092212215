"""What the summary line and the pages tell of the loops."""

import json
from collections.abc import Iterator

from live_scoring.adapters.kafka import ConsumerRecord, Publisher
from live_scoring.adapters.metrics import Build, Known, Metrics
from live_scoring.config import WorkerConfig
from live_scoring.core.pipeline import Plan
from live_scoring.live.assembly import halves_of
from live_scoring.live.intake import Harvest, Intake
from live_scoring.live.loops import Loops
from live_scoring.live.scoring import ScoringLoop
from live_scoring.live.services import Services
from tests.live.boards import agent_plan
from tests.live.fakes import FakeClock

CLOCK = FakeClock().as_clock()
KNOWN = Known(("agent-runs",), (), ("native",), ())


def scoring_half() -> Loops:
    """A scoring half that was never started."""
    config = WorkerConfig()
    publisher = Publisher(config.kafka, lambda _: None)
    services = Services(config, publisher, Metrics(KNOWN, Build("0", "0")), CLOCK)
    intake = Intake(services, Plan((agent_plan(),)), score_partitions=1, dead=1)
    return Loops(publisher, ScoringLoop(services, intake, "earliest"), None)


def records(*values: bytes) -> Iterator[ConsumerRecord]:
    for offset, value in enumerate(values):
        yield ConsumerRecord(
            "agent-runs", 0, offset, CLOCK.now_ms(), 0, None, value, None, 0, 0, ()
        )


def run_of(agent_id: str) -> bytes:
    return json.dumps({"run_id": "r", "agent_id": agent_id, "output": []}).encode()


def test_the_summary_counts_runs_and_dead_letters_and_names_unknown_agents() -> None:
    loops = scoring_half()
    assert loops.scoring is not None
    strangers = [run_of("often"), run_of("seldom"), run_of("often")]
    for record in records(run_of("agent-1"), *strangers, b"{no json"):
        loops.scoring.intake.take(record, Harvest())
    halves = halves_of(loops)
    assert halves.summary() == {
        "runs": 4,
        "scores": 0,
        "dead_letters": 1,
        "lag": 0,
        "waiting": 0,
        "unknown_agents": ["often", "seldom"],
    }
    assert halves.unknown_agents == {"often": 2, "seldom": 1}
