"""Plans, scores and boards for the tests of the live half."""

from typing import Any

from live_scoring.checks import CHECKS
from live_scoring.core.pipeline import AgentPlan, Plan
from live_scoring.core.score import Score, Source
from live_scoring.core.scoring import Scorer, fingerprint
from live_scoring.core.verdict import Gate, Rule, Threshold
from live_scoring.core.window import WindowSpec
from live_scoring.live.board import Board, Caps, Share

NOW_MS = 1_793_534_400_000
MINUTE = WindowSpec("1m", 60_000, min_samples=1)


def scorer(name: str, kind: Any = "gate", **parameters: object) -> Scorer:
    """A scorer with the check `includes`."""
    check = CHECKS["includes"](**({"expected": name} | parameters))
    mark = fingerprint(check.id, check.model_dump(mode="json"))
    return Scorer(name, kind, check.id, mark, check)


SUNNY = scorer("sunny")
CLOSE = scorer("close", "scorer")


def agent_plan(pattern: str = "agent-1", **fields: Any) -> AgentPlan:
    """A gate `sunny` and a threshold `close` over one minute."""
    rules: tuple[Rule, ...] = (Gate("sunny"), Threshold("close", min=0.5))
    known = {"windows": (MINUTE,), "scorers": (SUNNY, CLOSE), "rules": rules}
    return AgentPlan(pattern=pattern, **(known | fields))


def score_of(run_id: str = "run-1", value: float | None = 1.0, **fields: Any) -> Score:
    """A score of `sunny` for `agent-1`, made now; None is an error."""
    known: dict[str, Any] = {
        "agent_id": "agent-1",
        "group": "",
        "scorer": "sunny",
        "kind": "gate",
        "check": SUNNY.check_id,
        "fingerprint": SUNNY.fingerprint,
        "outcome": "error" if value is None else "scored",
        "reason": "",
        "error_type": None,
        "error_message": None,
        "sampling_rate": 1.0,
        "run_timestamp_ms": NOW_MS,
        "scored_at_ms": NOW_MS,
        "trace_id": None,
        "conversation_id": None,
        "source": Source("agent-runs", 0, 0, NOW_MS),
    }
    return Score(run_id=run_id, score=value, **(known | fields))


def board_of(*plans: AgentPlan, now_ms: int = NOW_MS, **caps: int) -> Board:
    """A board that owns partition 0, rebuilt, where every agent belongs."""
    known = {"max_agents": 100, "max_groups_per_agent": 10, "forget_after_ms": 3_600_000}
    board = Board(Plan(plans or (agent_plan(),)), Caps(**(known | caps)), lambda _: 0, now_ms)
    board.take(0, Share(0, is_rebuilding=False), ())
    return board
