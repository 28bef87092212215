"""`run_evals`: the target on each item, then the gates in order, then the scorers in order."""

import asyncio
from collections.abc import (
    AsyncIterable,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from inspect import isawaitable
from typing import Any

from pydantic import ValidationError

from live_scoring.core.run import AgentRun, Message
from live_scoring.core.score import CheckResult, NotApplicable, one_line
from live_scoring.core.scoring import NamedScorer
from live_scoring.evals.panel import EvalError, Panel, ScorerEntry, make_panel
from live_scoring.evals.results import Answered, EvalResult, ItemResult
from live_scoring.evals.verdict import conclude
from live_scoring.scorers import Scorable, ScorerError, ask

Made = AgentRun | Mapping[str, Any] | Sequence[Message | Mapping[str, Any]] | str
"""A whole run, its output messages, or the text of its one message."""
Target = Callable[[Any], Made | Awaitable[Made]]


def run_evals(
    *,
    data: Iterable[Any] | AsyncIterable[Any],
    target: Target,
    gates: Sequence[Scorable] = (),
    scorers: Sequence[ScorerEntry] = (),
    concurrency: int = 1,
) -> EvalResult:
    """Evaluate a target on a data set; where an event loop runs already, await `arun_evals`.

    Example:
        ```python
        result = run_evals(
            data=[{"input": "Weather in Brooklyn?"}],
            target=agent,
            gates=[checks.called_tool("get_weather")],
            scorers=[(checks.similarity("Sunny, 72°F"), 0.7)],
        )
        assert result.verdict == "passed"
        ```

    Args:
        data: Items, at least one. The target gets an item's `input` where it is a mapping with
            that key, else the item itself.
        target: A function or coroutine function from an input to a run (also as a mapping in the
            native form), its messages, or the text of its one message.
        gates: Scorers that must score 1 on every item.
        scorers: Scorers to track, each alone, as `(scorer, threshold)` or as
            `{"scorer": scorer, "threshold": threshold}`.
        concurrency: How many items are under way at once. Plain functions hold the event loop,
            so it helps coroutine functions only. It changes no result.

    Raises:
        EvalError: No data, nothing to run, two of one id, impossible bounds, or the target failed.
        ScorerError: A scorer raised; a gate that raises counts 0 instead.
    """
    return asyncio.run(
        arun_evals(data=data, target=target, gates=gates, scorers=scorers, concurrency=concurrency)
    )


async def arun_evals(
    *,
    data: Iterable[Any] | AsyncIterable[Any],
    target: Target,
    gates: Sequence[Scorable] = (),
    scorers: Sequence[ScorerEntry] = (),
    concurrency: int = 1,
) -> EvalResult:
    """`run_evals` for a running event loop."""
    panel = make_panel(gates, scorers)
    if concurrency < 1:
        raise EvalError(f"concurrency: {concurrency} is below 1; give at least 1")
    items = [item async for item in data] if isinstance(data, AsyncIterable) else list(data)
    if not items:
        raise EvalError("data: no items; give at least one")
    results: dict[int, ItemResult] = {}
    queue = iter(enumerate(items))

    async def work(queue: Iterator[tuple[int, Any]]) -> None:
        for index, item in queue:
            results[index] = await _evaluate(panel, target, index, item)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(concurrency, len(items))):
                group.create_task(work(queue))
    except* (EvalError, ScorerError) as errors:
        first = errors.exceptions[0]
    else:
        return conclude(panel, [results[index] for index in range(len(items))])
    raise first


async def _evaluate(panel: Panel, target: Target, index: int, item: Any) -> ItemResult:
    run = await _make_run(target, index, item)
    return ItemResult(
        index=index,
        run_id=run.run_id,
        gates=tuple([await _ask_gate(gate, run) for gate in panel.gates]),
        scorers=tuple([_answered(t.scorer.id, await ask(t.scorer, run)) for t in panel.scorers]),
    )


async def _ask_gate(gate: NamedScorer, run: AgentRun) -> Answered:
    try:
        return _answered(gate.id, await ask(gate, run))
    except ScorerError as error:
        return Answered(id=gate.id, kind="error", reason=str(error))


def _answered(scorer: str, answer: CheckResult | NotApplicable | None) -> Answered:
    match answer:
        case None:
            return Answered(id=scorer, kind="missing")
        case NotApplicable(reason):
            return Answered(id=scorer, kind="not_applicable", reason=reason)
        case CheckResult(score, reason, findings):
            return Answered(id=scorer, kind="scored", score=score, reason=reason, findings=findings)


async def _make_run(target: Target, index: int, item: Any) -> AgentRun:
    given = item["input"] if isinstance(item, Mapping) and "input" in item else item
    try:
        made = target(given)
        if isawaitable(made):
            made = await made
    except Exception as error:
        problem = one_line(f"{type(error).__name__}: {error}")
        raise EvalError(f"data[{index}]: target: {problem}") from error
    if isinstance(made, AgentRun):
        return made
    known = {"run_id": f"item-{index}", "agent_id": "target", "input": given}
    try:
        return AgentRun.model_validate(known | _fields_of(made))
    except ValidationError as error:
        first = error.errors()[0]
        problem = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
        raise EvalError(
            f"data[{index}]: target: {problem}; answer a run, messages or a text"
        ) from error


def _fields_of(made: object) -> dict[str, object]:
    """A run's fields: of a mapping its own, else messages, or a text as the one message."""
    if isinstance(made, Mapping):
        return dict(made)
    if isinstance(made, str):
        return {"output": [{"role": "assistant", "text": made}]}
    return {"output": made}
