"""Which verdicts the demo's agents went through, and whether those are the expected ones."""

from collections.abc import Iterable

from live_scoring.core.verdict import VerdictState
from live_scoring.demo.traffic import AGENTS, DemoAgent


class History:
    """The verdicts of each agent in order, from `no_data` on."""

    def __init__(self, agents: Iterable[DemoAgent] = AGENTS) -> None:
        """Start before the first verdict."""
        self._agents = tuple(agents)
        self._verdicts: dict[str, list[VerdictState]] = {
            agent.agent_id: ["no_data"] for agent in self._agents
        }

    def note(self, agent_id: str, verdict: VerdictState) -> VerdictState | None:
        """Note the present verdict; the one before if it has changed, else None."""
        verdicts = self._verdicts[agent_id]
        if verdict == verdicts[-1]:
            return None
        verdicts.append(verdict)
        return verdicts[-2]

    def of(self, agent_id: str) -> str:
        """An agent's verdicts as text."""
        return " → ".join(self._verdicts[agent_id])

    def surprises(self) -> list[str]:
        """One sentence for each agent that did not go the expected way."""
        return [
            f"{agent.agent_id} went {self.of(agent.agent_id)}, "
            f"expected {' → '.join(('no_data', *agent.expected))}"
            for agent in self._agents
            if tuple(self._verdicts[agent.agent_id][1:]) != agent.expected
        ]
