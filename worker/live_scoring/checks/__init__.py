"""The check library, pure: `CHECKS` maps names to classes; its functions build scorers."""

from collections.abc import Mapping

from pydantic.alias_generators import to_camel

from live_scoring.checks.approximate import IncludesApprox
from live_scoring.checks.arguments import CalledToolWith, NoRepeatedCalls
from live_scoring.checks.builders import (
    allowed_tools,
    called_tool,
    called_tool_with,
    did_not_call,
    equals,
    excludes,
    includes,
    includes_all,
    includes_any,
    includes_approx,
    json_schema,
    length,
    matches,
    max_cost,
    max_duration,
    max_tokens,
    max_tool_calls,
    no_repeated_calls,
    no_tool_errors,
    similarity,
    tool_order,
    tool_succeeded,
    used_no_tools,
)
from live_scoring.checks.limits import MaxCost, MaxDuration, MaxTokens
from live_scoring.checks.pattern import Matches
from live_scoring.checks.similarity import Similarity
from live_scoring.checks.structure import JsonSchema
from live_scoring.checks.text import Equals, Excludes, Includes, IncludesAll, IncludesAny, Length
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
from live_scoring.core.scoring import Check

__all__ = [
    "CHECKS",
    "allowed_tools",
    "build_check",
    "called_tool",
    "called_tool_with",
    "did_not_call",
    "equals",
    "excludes",
    "find_check",
    "includes",
    "includes_all",
    "includes_any",
    "includes_approx",
    "json_schema",
    "length",
    "matches",
    "max_cost",
    "max_duration",
    "max_tokens",
    "max_tool_calls",
    "no_repeated_calls",
    "no_tool_errors",
    "similarity",
    "tool_order",
    "tool_succeeded",
    "used_no_tools",
]

CHECKS: Mapping[str, type[Check]] = {
    "includes": Includes,
    "excludes": Excludes,
    "equals": Equals,
    "matches": Matches,
    "similarity": Similarity,
    "called_tool": CalledTool,
    "did_not_call": DidNotCall,
    "tool_order": ToolOrder,
    "max_tool_calls": MaxToolCalls,
    "used_no_tools": UsedNoTools,
    "no_tool_errors": NoToolErrors,
    "includes_approx": IncludesApprox,
    "includes_any": IncludesAny,
    "includes_all": IncludesAll,
    "length": Length,
    "json_schema": JsonSchema,
    "called_tool_with": CalledToolWith,
    "tool_succeeded": ToolSucceeded,
    "allowed_tools": AllowedTools,
    "no_repeated_calls": NoRepeatedCalls,
    "max_duration": MaxDuration,
    "max_tokens": MaxTokens,
    "max_cost": MaxCost,
}

_BY_CAMEL_NAME = {to_camel(name): check for name, check in CHECKS.items()}


def find_check(name: str) -> type[Check] | None:
    """The class of a check by its name in snake_case or camelCase."""
    return CHECKS.get(name) or _BY_CAMEL_NAME.get(name)


def build_check(check: type[Check], parameters: object = None) -> Check:
    """Build a check as a configuration writes it.

    Args:
        check: Its class.
        parameters: A mapping of parameters, or the first parameter alone, or None for none.

    Raises:
        pydantic.ValidationError: A parameter is missing, unknown or out of bounds.
        ValueError: A parameter stands alone for a check that has none, or needs several.
    """
    if parameters is None or isinstance(parameters, Mapping):
        return check.model_validate(parameters or {})
    first = next(iter(check.model_fields), None)
    if first is None:
        raise ValueError("takes no parameters; write its name alone")
    required = [key for key, field in check.model_fields.items() if field.is_required()]
    if len(required) > 1:
        raise ValueError(f"needs {' and '.join(required)}; give a mapping of them")
    return check.model_validate({first: parameters})
