"""The functions for Python users keep step with the classes."""

import inspect

import pytest

from live_scoring import checks
from live_scoring.checks import CHECKS
from live_scoring.checks.tools import CalledTool, ToolOrder
from live_scoring.core.scoring import NamedScorer

ARGUMENTS = {
    "includes": "a", "excludes": "a", "equals": "a", "matches": "a", "similarity": "a",
    "includes_approx": "a", "called_tool": "a", "did_not_call": "a", "tool_order": ["a"],
    "max_tool_calls": 1,
}  # fmt: skip


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
    build, given = getattr(checks, name), [ARGUMENTS[name]] if name in ARGUMENTS else []
    built = build(*given)
    assert isinstance(built.ask, CHECKS[name])
    assert built == NamedScorer(CHECKS[name].id, built.ask)
    assert build(*given, name="mine") == NamedScorer("mine", built.ask)


def test_parameters_reach_the_check() -> None:
    built = checks.called_tool("search", times=2)
    assert built.ask == CalledTool(tool="search", times=2)
    assert checks.tool_order(["a", "b"]).ask == ToolOrder(expected_order=("a", "b"))


def test_a_bad_parameter_is_refused_when_the_scorer_is_built() -> None:
    with pytest.raises(ValueError, match="times"):
        checks.called_tool("search", times=-1)
