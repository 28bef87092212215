"""Scorers of one's own: `create_scorer` builds one in four steps, `ask` asks any of them."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any

from msgspec.structs import replace

from live_scoring.core.errors import LiveScoringError
from live_scoring.core.run import AgentRun
from live_scoring.core.score import CheckResult, NotApplicable, one_line
from live_scoring.core.scoring import Check, Given, NamedScorer, Question

Scorable = NamedScorer | Check | Question
"""What can stand where a check can: also a plain function of a run, sync or async."""


class ScorerError(LiveScoringError):
    """A scorer, or a step of one, did not answer."""


@dataclass(frozen=True, slots=True)
class StepContext:
    """What a step is given: the run, and what the steps before it answered."""

    run: AgentRun
    preprocess: Any = None
    """Answer of the step `preprocess`; None without it."""
    analyze: Any = None
    """Answer of the step `analyze`; None without it, or before it."""
    score: float | None = None
    """The score, in `generate_reason` only."""


Step = Callable[[StepContext], Any]
"""A step, plain or async."""
ScoreAnswer = float | NotApplicable | None
ScoreStep = Callable[[StepContext], ScoreAnswer | Awaitable[ScoreAnswer]]


def create_scorer(
    id: str,  # noqa: A002 -- what it is called everywhere else
    *,
    generate_score: ScoreStep,
    preprocess: Step | None = None,
    analyze: Step | None = None,
    generate_reason: Step | None = None,
) -> NamedScorer:
    """Build a scorer from steps, each a plain or an async function of a `StepContext`.

    Example:
        ```python
        brief = create_scorer(
            "brief",
            preprocess=lambda step: len(step.run.spaced_text),
            generate_score=lambda step: 1 if step.preprocess <= 200 else 0,
            generate_reason=lambda step: f"{step.preprocess} characters",
        )
        ```

    Args:
        id: Its name in results; one of a kind among gates, and among scorers.
        generate_score: A number in 0..1, or None for a missing score.
        preprocess: What the later steps need of the run.
        analyze: What is to be scored.
        generate_reason: Why the score is what it is, as text.

    Returns:
        A scorer whose results carry each step's answer in `findings`. Any step may answer
        `NotApplicable`, which ends it. A step that raises is a `ScorerError` naming the step.
    """
    steps = {
        "preprocess": preprocess,
        "analyze": analyze,
        "generate_score": generate_score,
        "generate_reason": generate_reason,
    }
    return NamedScorer(id, Steps({name: step for name, step in steps.items() if step}))


def _call(step: Step, context: StepContext) -> Any:
    return step(context)


@dataclass(frozen=True, slots=True)
class Steps:
    """A scorer that takes its steps in order, each with what the ones before it answered."""

    steps: Mapping[str, Step]
    call: Callable[[Step, StepContext], Any] = _call
    """Calls a step; a shell whose loop must not be held puts plain ones into threads."""

    async def __call__(self, run: AgentRun) -> Given:
        """Score the run."""
        answers: dict[str, Any] = {}
        for name in self.steps:
            answer = answers[name] = await self._take(name, _context(run, answers))
            if isinstance(answer, NotApplicable):
                return answer
            if name == "generate_score" and answer is None:
                return None
        reason = answers.get("generate_reason") or ""
        return CheckResult(answers["generate_score"], str(reason), answers)

    async def _take(self, name: str, context: StepContext) -> Any:
        try:
            answer = self.call(self.steps[name], context)
            if isawaitable(answer):
                answer = await answer
        except Exception as error:
            raise _error(name, error) from error
        if name == "generate_score" and not isinstance(answer, int | float | NotApplicable | None):
            kind = type(answer).__name__
            raise ScorerError(f"{name}: answered a {kind}; answer a number or None")
        return answer


def _context(run: AgentRun, answers: Mapping[str, Any]) -> StepContext:
    return StepContext(
        run, answers.get("preprocess"), answers.get("analyze"), answers.get("generate_score")
    )


def name_scorer(scorer: Scorable) -> NamedScorer:
    """Give a check its own id, and a plain function its name.

    Raises:
        ScorerError: It is none of these, or a function without a name.
    """
    if isinstance(scorer, NamedScorer):
        return scorer
    if isinstance(scorer, Check):
        return NamedScorer(scorer.id, scorer)
    name = getattr(scorer, "__name__", "<lambda>")
    if name == "<lambda>":
        raise ScorerError(f"{scorer!r}: is no scorer with a name; build one with create_scorer")
    return NamedScorer(name, scorer)


async def ask(scorer: NamedScorer, run: AgentRun) -> CheckResult | NotApplicable | None:
    """Ask a scorer about a run; None is a missing score.

    Raises:
        ScorerError: It raised, or answered something else. The message names it.
    """
    try:
        answer = scorer.ask(run)
        return _as_result(await answer if isawaitable(answer) else answer)
    except ScorerError as error:
        raise ScorerError(f"{scorer.id}: {error}") from error
    except Exception as error:
        raise _error(scorer.id, error) from error


def _error(where: str, error: Exception) -> ScorerError:
    return ScorerError(one_line(f"{where}: {type(error).__name__}: {error}"))


def _as_result(answer: object) -> CheckResult | NotApplicable | None:
    match answer:
        case None | NotApplicable():
            return answer
        case CheckResult(score=int() | float()):
            return replace(answer, score=float(answer.score))
        case int() | float():
            return CheckResult(float(answer))
    kind = type(answer).__name__
    raise ScorerError(f"answered a {kind}; answer a number, or a CheckResult with a number")
