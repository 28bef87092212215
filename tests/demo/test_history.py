import pytest

from live_scoring.core.verdict import VerdictState
from live_scoring.demo.history import History
from live_scoring.demo.traffic import AGENTS


def history_of(*verdicts: VerdictState) -> History:
    (refunds,) = (agent for agent in AGENTS if agent.agent_id == "refund-agent")
    history = History([refunds])
    for verdict in verdicts:
        history.note(refunds.agent_id, verdict)
    return history


def test_a_verdict_that_stays_is_no_change() -> None:
    assert history_of("passed").note("refund-agent", "passed") is None


def test_a_change_gives_the_verdict_before() -> None:
    assert history_of("passed").note("refund-agent", "failed") == "passed"


def test_the_expected_way_is_no_surprise() -> None:
    assert history_of("no_data", "passed", "passed", "failed", "passed").surprises() == []


@pytest.mark.parametrize("verdicts", [(), ("passed",), ("passed", "failed"), ("failed", "passed")])
def test_any_other_way_is_told_beside_the_expected_one(verdicts: tuple[VerdictState, ...]) -> None:
    (surprise,) = history_of(*verdicts).surprises()
    assert surprise == (
        f"refund-agent went {' → '.join(('no_data', *verdicts))}, "
        "expected no_data → passed → failed → passed"
    )
