"""A check, a scorer (a check as one agent uses it), and how a scorer ends on a run."""

import hashlib
import json
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Annotated, ClassVar

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from live_scoring.core.errors import LiveScoringError
from live_scoring.core.run import AgentRun
from live_scoring.core.sampling import ALWAYS, Sampling
from live_scoring.core.score import CheckResult, Failure, NotApplicable, ScorerKind, one_line

Answer = CheckResult | NotApplicable | Failure

_NO_CONTENT = NotApplicable("the run's content was not captured")


class Check(BaseModel):
    """A question to a run. Fields are its parameters, the first of which may stand alone."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        populate_by_name=True,
        use_attribute_docstrings=True,
    )

    id: ClassVar[str]
    """The check's own id, such as `check-includes`."""
    needs_content: ClassVar[bool] = False
    """Whether it reads texts, arguments or results, which telemetry may leave out."""

    @abstractmethod
    def __call__(self, run: AgentRun) -> CheckResult | NotApplicable:
        """Score the run. Pure: the same run gives the same answer."""


Count = Annotated[int, Field(strict=True, ge=0)]
"""A check's parameter: a whole number that is not written as a text or a boolean."""

Given = CheckResult | NotApplicable | float | None
"""What a scorer of one's own may answer: a bare number is a score, None a missing one."""
Question = Callable[[AgentRun], Given | Awaitable[Given]]


@dataclass(frozen=True, slots=True)
class NamedScorer:
    """A question to a run under its own id, before it serves one agent."""

    id: str
    ask: Question


@dataclass(frozen=True, slots=True)
class RunFilter:
    """Which runs a scorer asks for, by the run's own fields; empty is every run."""

    agent: str | None = None
    """A glob over the agent id."""
    tags: Mapping[str, tuple[str, ...]] | None = None
    """For each named tag the values that are wanted."""

    def admits(self, run: AgentRun) -> bool:
        """Whether the run is wanted."""
        if self.agent is not None and not fnmatchcase(run.agent_id, self.agent):
            return False
        return all(run.tags.get(tag) in wanted for tag, wanted in (self.tags or {}).items())


@dataclass(frozen=True, slots=True)
class CallLimits:
    """What bounds a scorer that calls out."""

    timeout_seconds: float = 10.0
    """How long one call may take."""
    concurrency: int = 4
    """Calls under way at once."""
    retries: int = 0
    """Further calls about a run after one that failed."""
    budget_per_minute: int | None = None
    """Calls in any 60 seconds, retries included; None is no limit."""


@dataclass(frozen=True, slots=True)
class Scorer:
    """A question under the name by which one agent's scores, metrics and verdicts know it."""

    name: str
    kind: ScorerKind
    check_id: str
    fingerprint: str
    run: Question
    """A check; where there are limits anything that can be asked."""
    sampling: Sampling = ALWAYS
    run_filter: RunFilter | None = None
    needs_content: bool = False
    """Not applicable to a run whose content was not captured."""
    limits: CallLimits | None = None
    """Of a scorer that calls out and is asked by the shell; None is asked on the spot."""


def fingerprint(check_id: str, parameters: Mapping[str, object]) -> str:
    """12 hex digits over a check and its parameters, not over sampling or bounds."""
    canonical = json.dumps([check_id, parameters], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:12]


def score_run(scorer: Scorer, run: AgentRun) -> Answer:
    """Ask one scorer about one run; whatever it raises or answers amiss becomes a `Failure`."""
    if scorer.needs_content and not run.has_content:
        return _NO_CONTENT
    try:
        answer = scorer.run(run)
        if type(answer) is CheckResult and type(answer.score) is float and 0 <= answer.score <= 1:
            return answer
        return checked(answer)
    except LiveScoringError as error:
        return Failure("score", type(error).__name__, one_line(str(error)))
    except Exception as error:  # noqa: BLE001 -- one bad check costs one score, never the loop
        return Failure("score", type(error).__name__, one_line(str(error)), discreet="")


def checked(answer: object) -> Answer:
    """What a scorer answered, or the `Failure` that it is no answer."""
    if isinstance(answer, CheckResult):
        return answer if _is_score(answer.score) else _no_score(answer.score)
    if isinstance(answer, NotApplicable):
        return answer
    return Failure("score", "InvalidScore", f"answered a {type(answer).__name__}")


def _is_score(value: object) -> bool:
    return isinstance(value, _NUMBERS) and 0 <= value <= 1


def _no_score(value: object) -> Failure:
    shown = repr(value) if isinstance(value, _NUMBERS) else f"a {type(value).__name__}"
    return Failure("score", "InvalidScore", one_line(f"{shown} is not a number from 0 to 1"))


_NUMBERS = (int, float)
