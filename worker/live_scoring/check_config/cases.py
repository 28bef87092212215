"""Cases in `*_test.yaml` files: runs in, expected scores and verdict out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, ValidationError, model_validator
from pydantic.alias_generators import to_camel, to_snake

from live_scoring.config.loading import TEST_SUFFIX, read_file
from live_scoring.config.problems import Loc, Problems
from live_scoring.config.values import Name, Section, Share
from live_scoring.core.batch import process
from live_scoring.core.nearest import remedy_for
from live_scoring.core.pipeline import AgentPlan, Plan
from live_scoring.core.run import AgentRun, Message, RunRecord, ToolInvocation
from live_scoring.core.sampling import ALWAYS
from live_scoring.core.score import Score, Source
from live_scoring.core.whole import WholeWindow
from live_scoring.core.window import Tally

_TOLERANCE = 0.0005
"""An expected score is written to three decimals."""
_NESTED: Mapping[str, type[RunRecord]] = {"output": Message, "tool_invocations": ToolInvocation}
_SOURCE = Source(topic="", partition=0, offset=0, timestamp_ms=0)


class Expectation(Section):
    """What a case's runs must come to."""

    scores: dict[str, Share | None] = Field(default_factory=dict)
    """Average by scorer, to three decimals; null where none of the runs has a score."""
    verdict: Literal["passed", "scored", "failed", "no_data"] | None = None
    """Verdict over the runs; none is not looked at."""

    @model_validator(mode="after")
    def _expects_something(self) -> Self:
        if not self.scores and self.verdict is None:
            raise ValueError("expects nothing; give scores, verdict or both")
        return self


class Case(Section):
    """Runs that together make one window; neither sampling nor `min_samples` applies.

    Scorers that call out are not asked.
    """

    name: Name
    """What the case shows."""
    run: dict[str, Any] | None = None
    """A run as in `config/schema/run.schema.json`; ids may be left out."""
    runs: tuple[dict[str, Any], ...] = ()
    """Several runs instead."""
    expect: Expectation
    """What they must come to."""

    @model_validator(mode="after")
    def _has_runs(self) -> Self:
        if (self.run is None) == (not self.runs):
            raise ValueError("needs runs; give either run or runs")
        return self


class CaseFile(Section):
    """`agents/NAME_test.yaml`: cases for `agents/NAME.yaml`."""

    cases: tuple[Case, ...] = Field(min_length=1)
    """The cases, each on its own."""


@dataclass(frozen=True, slots=True)
class Tested:
    """What became of the cases of one agent's file."""

    cases: int = 0
    passed: int = 0
    failures: tuple[str, ...] = ()
    """Each one line, perhaps several of one case."""


def cases_beside(path: Path) -> Path:
    """Where the cases of an agent's file stand."""
    return path.with_name(path.stem + TEST_SUFFIX)


def run_cases(path: Path, plan: Plan, agent: AgentPlan, lines: list[str]) -> Tested:
    """Run the cases of one file; what is wrong with the file itself goes to `lines`."""
    raw, problems = read_file(path, lines)
    if raw is None:
        return Tested()
    try:
        file = CaseFile.model_validate(raw)
    except ValidationError as error:
        problems.add_invalid(error, CaseFile, raw)
        return Tested()
    failures = Problems(path.as_posix(), [])
    passed = 0
    for index, case in enumerate(file.cases):
        found = tuple(_Trial(case, ("cases", index), agent, problems).mismatches(plan))
        passed += not found
        for loc, sentence in found:
            failures.add(loc, f"{case.name}: {sentence}; correct the rule or the case")
    return Tested(len(file.cases), passed, tuple(failures.lines))


@dataclass(frozen=True, slots=True)
class _Trial:
    """One case under way."""

    case: Case
    loc: Loc
    agent: AgentPlan
    problems: Problems

    def mismatches(self, plan: Plan) -> Iterator[tuple[Loc, str]]:
        """What did not come out as expected; problems of the case itself are noted."""
        before = len(self.problems.lines)
        known = {scorer.name: scorer for scorer in self.agent.scorers}
        for name in self.case.expect.scores:
            at = ("expect", "scores", name)
            if name not in known:
                self._refuse(at, f"no rule; {remedy_for(name, tuple(known))}")
            elif known[name].limits:
                self._refuse(at, "calls out, which no case does; remove it")
        runs = list(self._runs(plan))
        if len(self.problems.lines) > before:
            return
        scores = [score for run in runs for score in self._scores(run)]
        for loc, sentence in _mismatches(self.case.expect, self.agent, scores):
            yield (*self.loc, "expect", *loc), sentence

    def _runs(self, plan: Plan) -> Iterator[AgentRun]:
        written: list[tuple[Loc, dict[str, Any]]] = [
            (("runs", index), run) for index, run in enumerate(self.case.runs)
        ]
        if self.case.run is not None:
            written.append((("run",), self.case.run))
        for index, (loc, fields) in enumerate(written):
            for place in _strangers(fields, AgentRun, loc):
                self._refuse(place, "unknown key; correct it or take it out")
            if run := self._decode(loc, fields, index):
                self._check_agent(run, plan, (*loc, "agent_id"))
                yield run

    def _decode(self, loc: Loc, fields: dict[str, Any], index: int) -> AgentRun | None:
        ids = {"run_id": f"case-{index}", "agent_id": self.agent.pattern}
        own = {name: value for name, value in ids.items() if not {name, to_camel(name)} & {*fields}}
        try:
            return AgentRun.model_validate(own | fields)
        except ValidationError as error:
            self.problems.add_invalid(error, AgentRun, fields, (*self.loc, *loc))
            return None

    def _check_agent(self, run: AgentRun, plan: Plan, loc: Loc) -> None:
        if run.agent_id == self.agent.pattern:
            return
        found = plan.find(run.agent_id)
        if found is None or found.pattern != self.agent.pattern:
            whose = f"{found.pattern}'s" if found else "no file's"
            self._refuse(loc, f"{run.agent_id} is {whose}; give one that this file asks")

    def _scores(self, run: AgentRun) -> Sequence[Score]:
        everything = tuple(replace(scorer, sampling=ALWAYS) for scorer in self.agent.scorers)
        # The pattern is the run's own id: a glob need not match itself.
        plan = Plan((replace(self.agent, pattern=run.agent_id, scorers=everything),))
        return process(run, _SOURCE, plan, now_ms=0).scores

    def _refuse(self, loc: Loc, sentence: str) -> None:
        self.problems.add((*self.loc, *loc), sentence)


def _strangers(fields: Mapping[str, Any], model: type[RunRecord], loc: Loc) -> Iterator[Loc]:
    """Keys that a decoder passes over, but that are a slip where one writes by hand."""
    for key, value in fields.items():
        name = key if key in model.model_fields else to_snake(key)
        if name not in model.model_fields:
            yield (*loc, key)
        nested = _NESTED.get(name)
        if nested is not None and isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, dict):
                    yield from _strangers(item, nested, (*loc, key, index))


def _mismatches(
    expected: Expectation, agent: AgentPlan, scores: Sequence[Score]
) -> Iterator[tuple[Loc, str]]:
    window = WholeWindow(agent)
    for score in scores:
        window.add(score)
    for name, wanted in expected.scores.items():
        actual = window.tallies.get(name, Tally()).average
        if not _is_near(actual, wanted):
            others = (s for s in scores if s.scorer == name and s.score != wanted)
            why = next((_why(s) for s in others), "no run asked for")
            yield ("scores", name), f"{_shown(actual)} ({why}), expected {_shown(wanted)}"
    verdict = window.judge()
    state = verdict.state if verdict else "none"
    if expected.verdict and expected.verdict != state:
        failing = ", ".join(r.rule.name for r in verdict.failing) if verdict else ""
        because = f" ({failing})" if failing else ""
        yield ("verdict",), f"{state}{because}, expected {expected.verdict}"


def _is_near(actual: float | None, wanted: float | None) -> bool:
    if actual is None or wanted is None:
        return actual is wanted
    return abs(actual - wanted) <= _TOLERANCE


def _why(score: Score) -> str:
    return score.error_message or score.reason or score.outcome


def _shown(score: float | None) -> str:
    return "no score" if score is None else f"{score:.3f}".rstrip("0").rstrip(".")
