"""A fleet's verdicts as the status page is given them."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from live_scoring.checks import CHECKS
from live_scoring.core.pipeline import AgentPlan, Plan
from live_scoring.core.scoring import Check, Scorer
from live_scoring.core.transition import Example, Transition
from live_scoring.core.verdict import Gate, Rule, RuleResult, Threshold, Verdict, VerdictState
from live_scoring.core.window import WindowSpec
from live_scoring.formats.verdict_json import encode_verdict, verdict_key
from live_scoring.live.fleet import Fleet, Standing
from live_scoring.live.page.sight import Sight
from tests.live.fakes import NOW_MS, FakeClock

MINUTE_MS = 60_000
POLITE = CHECKS["called_tool"].model_validate({"tool": "greet"})
WINDOWS = (WindowSpec("5m", 5 * MINUTE_MS), WindowSpec("1h", 60 * MINUTE_MS))


def plan(check: Check = POLITE, pattern: str = "*", rule: Rule | None = None) -> Plan:
    """A plan that asks one check, `polite`."""
    scorer = Scorer("polite", "gate", "check", "f" * 12, check)
    return Plan((AgentPlan(pattern, WINDOWS, (scorer,), (rule or Gate("polite"),)),), "hash-1")


def sight(of: Plan | None = None, *, shows_text: bool = False, link: str | None = None) -> Sight:
    """What may be shown now."""
    return Sight(of or plan(), NOW_MS, link, shows_text)


def example(
    run_id: str = "run-1", reason: str = "called greet 0 times", **fields: object
) -> Example:
    """A run that did not pass, of a minute ago."""
    known: dict[str, Any] = {"trace_id": "t/1", "score": 0.0}
    known["run_timestamp_ms"] = NOW_MS - MINUTE_MS
    return Example(run_id=run_id, reason=reason, **(known | fields))


def result(state: VerdictState, rule: Rule | None = None) -> RuleResult:
    """What the one rule said."""
    rule = rule or (Threshold("polite", min=0.7) if state == "scored" else Gate("polite"))
    failed = state in {"failed", "scored"}
    if state == "no_data":
        return RuleResult(rule, "insufficient", 0, 0, 0, None)
    return RuleResult(
        rule,
        "failed" if failed else "passed",
        samples=40,
        failures=3 * failed,
        errors=0,
        average=0.5,
        cause="score" if failed else None,
    )


class Past:
    """Verdicts as they were given, of a fleet."""

    def __init__(self, known: Plan | None = None) -> None:
        self.plan = known or Plan(())
        self.fleet = Fleet()
        self._offset = 0

    def say(
        self,
        state: VerdictState,
        agent: str = "agent",
        window: str = "5m",
        ago_min: float = 0,
        **told: Any,
    ) -> "Past":
        """Give a verdict so long ago; `told` are its rule, its examples and its own fields."""
        self._offset += 1
        verdict = Verdict(state, (result(state, told.pop("rule", None)),))
        examples = {"polite": tuple(told.pop("examples", ()))}
        at_ms = NOW_MS - int(ago_min * MINUTE_MS)
        transition = replace(
            Transition(
                agent, "", window, verdict, "no_data", at_ms, 0, self._offset, "hash-1", examples
            ),
            **told,
        )
        key = verdict_key(agent, transition.group, window)
        self.fleet.note(key, encode_verdict(transition))
        return self

    def standing(self) -> Sequence[Standing]:
        """What stands now."""
        return asyncio.run(self.fleet.standing(self.plan, FakeClock().as_clock()))
