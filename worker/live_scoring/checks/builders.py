"""The checks for Python users: each function builds a scorer for `run_evals`.

The classes say what a check means; here stand only their parameters, so that an editor knows them.
Every function raises `pydantic.ValidationError` for a parameter that is out of bounds.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from live_scoring.checks.approximate import IncludesApprox
from live_scoring.checks.arguments import CalledToolWith, Mode, NoRepeatedCalls
from live_scoring.checks.limits import MaxCost, MaxDuration, MaxTokens, TokenCount
from live_scoring.checks.pattern import Matches
from live_scoring.checks.similarity import Metric, Similarity
from live_scoring.checks.structure import JsonSchema
from live_scoring.checks.text import (
    Equals,
    Excludes,
    Includes,
    IncludesAll,
    IncludesAny,
    Length,
    Unit,
)
from live_scoring.checks.tools import (
    AllowedTools,
    CalledTool,
    DidNotCall,
    MaxToolCalls,
    NoToolErrors,
    ToolOrder,
    ToolSucceeded,
    UsedNoTools,
)
from live_scoring.core.scoring import Check, NamedScorer


def _named(name: str | None, check: Check) -> NamedScorer:
    return NamedScorer(check.id if name is None else name, check)


def includes(expected: str, *, ignore_case: bool = True, name: str | None = None) -> NamedScorer:
    """1 if the output contains `expected`, else 0."""
    return _named(name, Includes(expected=expected, ignore_case=ignore_case))


def excludes(unwanted: str, *, ignore_case: bool = True, name: str | None = None) -> NamedScorer:
    """1 if the output does not contain `unwanted`, else 0."""
    return _named(name, Excludes(unwanted=unwanted, ignore_case=ignore_case))


def equals(expected: str, *, ignore_case: bool = True, name: str | None = None) -> NamedScorer:
    """1 if the output equals `expected`, else 0."""
    return _named(name, Equals(expected=expected, ignore_case=ignore_case))


def matches(
    pattern: str, *, flags: str = "", exact: bool = False, name: str | None = None
) -> NamedScorer:
    """1 if the JavaScript regular expression is found in the output, else 0."""
    return _named(name, Matches(pattern=pattern, flags=flags, exact=exact))


def similarity(
    expected: str,
    *,
    threshold: float | None = None,
    ignore_case: bool = True,
    metric: Metric = "dice",
    name: str | None = None,
) -> NamedScorer:
    """Likeness of the output to `expected`, 0..1; with `threshold` 1 if it is reached, else 0."""
    check = Similarity(
        expected=expected, threshold=threshold, ignore_case=ignore_case, metric=metric
    )
    return _named(name, check)


def includes_approx(
    expected: str, *, cutoff: float = 0.9, ignore_case: bool = True, name: str | None = None
) -> NamedScorer:
    """1 if a passage of the output is like `expected`, by at least `cutoff`, else 0."""
    return _named(name, IncludesApprox(expected=expected, cutoff=cutoff, ignore_case=ignore_case))


def includes_any(
    expected: Sequence[str], *, ignore_case: bool = True, name: str | None = None
) -> NamedScorer:
    """1 if the output contains at least one of these texts, else 0."""
    return _named(name, IncludesAny(expected=tuple(expected), ignore_case=ignore_case))


def includes_all(
    expected: Sequence[str], *, ignore_case: bool = True, name: str | None = None
) -> NamedScorer:
    """1 if the output contains every one of these texts, else 0."""
    return _named(name, IncludesAll(expected=tuple(expected), ignore_case=ignore_case))


def length(
    max: int | None = None,  # noqa: A002 -- its key in YAML
    *,
    min: int | None = None,  # noqa: A002 -- its key in YAML
    unit: Unit = "characters",
    name: str | None = None,
) -> NamedScorer:
    """1 if the output has at most `max` and at least `min` characters or words, else 0."""
    return _named(name, Length(max=max, min=min, unit=unit))


def json_schema(expected: Mapping[str, Any], *, name: str | None = None) -> NamedScorer:
    """1 if the output is JSON that fits this schema, else 0."""
    return _named(name, JsonSchema(expected=dict(expected)))


def called_tool(tool: str, *, times: int = 1, name: str | None = None) -> NamedScorer:
    """1 if `tool` was called at least `times` times, else 0."""
    return _named(name, CalledTool(tool=tool, times=times))


def did_not_call(tool: str, *, name: str | None = None) -> NamedScorer:
    """1 if `tool` was not called, else 0."""
    return _named(name, DidNotCall(tool=tool))


def tool_order(expected_order: Sequence[str], *, name: str | None = None) -> NamedScorer:
    """1 if the tools were called in this order, others between them or not, else 0."""
    return _named(name, ToolOrder(expected_order=tuple(expected_order)))


def max_tool_calls(max: int, *, name: str | None = None) -> NamedScorer:  # noqa: A002 -- its key in YAML
    """1 if at most `max` tool calls were made, else 0."""
    return _named(name, MaxToolCalls(max=max))


def used_no_tools(*, name: str | None = None) -> NamedScorer:
    """1 if no tool was called, else 0."""
    return _named(name, UsedNoTools())


def no_tool_errors(*, name: str | None = None) -> NamedScorer:
    """1 if no tool invocation failed or was left unfinished, else 0."""
    return _named(name, NoToolErrors())


def called_tool_with(
    tool: str,
    *,
    args: Mapping[str, Any],
    mode: Mode = "subset",
    name: str | None = None,
) -> NamedScorer:
    """1 if `tool` was called with arguments that fit `args`, values or matchers, else 0."""
    return _named(name, CalledToolWith(tool=tool, args=dict(args), mode=mode))


def tool_succeeded(
    tool: str, *, allow_retries: bool = False, name: str | None = None
) -> NamedScorer:
    """1 if `tool` was called and no call of it failed or was left unfinished, else 0."""
    return _named(name, ToolSucceeded(tool=tool, allow_retries=allow_retries))


def allowed_tools(tools: Sequence[str], *, name: str | None = None) -> NamedScorer:
    """1 if no tool was called but these, else 0."""
    return _named(name, AllowedTools(tools=tuple(tools)))


def no_repeated_calls(
    max: int = 3,  # noqa: A002 -- its key in YAML
    *,
    cutoff: float = 0.95,
    name: str | None = None,
) -> NamedScorer:
    """1 if no call was made more than `max` times in a row, else 0."""
    return _named(name, NoRepeatedCalls(max=max, cutoff=cutoff))


def max_duration(seconds: float, *, name: str | None = None) -> NamedScorer:
    """1 if the run took at most `seconds`, else 0."""
    return _named(name, MaxDuration(seconds=seconds))


def max_tokens(
    max: int,  # noqa: A002 -- its key in YAML
    *,
    count: TokenCount = "total",
    name: str | None = None,
) -> NamedScorer:
    """1 if the run used at most `max` tokens, else 0."""
    return _named(name, MaxTokens(max=max, count=count))


def max_cost(usd: float, *, name: str | None = None) -> NamedScorer:
    """1 if the run cost at most `usd` US dollars, else 0."""
    return _named(name, MaxCost(usd=usd))
