"""The functions for Python users keep step with the classes."""

import inspect
from functools import partial

import pytest

from live_scoring import checks
from live_scoring.checks import CHECKS
from live_scoring.checks.tools import CalledTool, ToolOrder
from live_scoring.core.scoring import NamedScorer

ARGUMENTS: dict[str, object] = {
    "includes": "a", "excludes": "a", "equals": "a", "matches": "a", "similarity": "a",
    "includes_approx": "a", "called_tool": "a", "did_not_call": "a", "tool_order": ["a"],
    "max_tool_calls": 1, "includes_any": ["a"], "includes_all": ["a"], "length": 1,
    "json_schema": {"type": "object"}, "called_tool_with": "a", "tool_succeeded": "a",
    "allowed_tools": ["a"], "max_duration": 1, "max_tokens": 1, "max_cost": 1,
}  # fmt: skip
BY_KEY: dict[str, dict[str, object]] = {"called_tool_with": {"args": {"city": {"$any": True}}}}
"""What is required beside the first."""


@pytest.mark.parametrize("name", CHECKS)
def test_every_check_is_built_with_its_own_parameters_and_defaults(name: str) -> None:
    parameters = dict(inspect.signature(getattr(checks, name)).parameters)
    assert parameters.pop("name").default is None
    fields = CHECKS[name].model_fields
    assert list(parameters) == list(fields)
    defaults = {key: p.default for key, p in parameters.items() if p.default is not p.empty}
    assert defaults == {
        key: field.default for key, field in fields.items() if not field.is_required()
    }
    kinds = [parameter.kind for parameter in parameters.values()]
    assert kinds[1:] == [inspect.Parameter.KEYWORD_ONLY] * len(kinds[1:])


@pytest.mark.parametrize("name", CHECKS)
def test_a_built_check_bears_its_own_id_or_the_name_given(name: str) -> None:
    given = [ARGUMENTS[name]] if name in ARGUMENTS else []
    build = partial(getattr(checks, name), *given, **BY_KEY.get(name, {}))
    built = build()
    assert isinstance(built.ask, CHECKS[name])
    assert built == NamedScorer(CHECKS[name].id, built.ask)
    assert build(name="mine") == NamedScorer("mine", built.ask)


def test_parameters_reach_the_check() -> None:
    built = checks.called_tool("search", times=2)
    assert built.ask == CalledTool(tool="search", times=2)
    assert checks.tool_order(["a", "b"]).ask == ToolOrder(expected_order=("a", "b"))


def test_a_bad_parameter_is_refused_when_the_scorer_is_built() -> None:
    with pytest.raises(ValueError, match="times"):
        checks.called_tool("search", times=-1)
