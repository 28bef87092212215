"""What the summary line and the pages tell of the loops."""

from live_scoring.live.assembly import halves_of
from live_scoring.live.intake import Harvest
from live_scoring.live.loops import Loops
from live_scoring.live.scoring import ScoringLoop
from tests.live.intakes import intake_of, record_of, run_of, services_of, take


def test_the_summary_counts_runs_and_dead_letters_and_names_unknown_agents() -> None:
    services = services_of()
    intake = intake_of(services)
    loops = Loops(services.publisher, ScoringLoop(services, intake, "earliest"), None)
    for record in (*map(run_of, ("agent-1", "often", "seldom", "often")), record_of(b"{no json")):
        take(intake, record, Harvest())
    halves = halves_of(loops)
    assert halves.summary() == {
        "runs": 4,
        "scores": 0,
        "dead_letters": 1,
        "lag": 0,
        "waiting": 0,
        "open_runs": 0,
        "unknown_agents": ["often", "seldom"],
    }
    assert halves.unknown_agents == {"often": 2, "seldom": 1}
