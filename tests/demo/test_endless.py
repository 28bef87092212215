import pytest

from live_scoring.demo.endless import agents_at
from live_scoring.demo.traffic import AGENTS


def test_a_rate_is_that_of_all_agents_together_in_the_demos_proportions() -> None:
    agents = agents_at(21)
    assert sum(agent.runs_per_second for agent in agents) == pytest.approx(21)
    assert [a.agent_id for a in agents] == [a.agent_id for a in AGENTS]
    assert agents[0].runs_per_second == pytest.approx(6)
