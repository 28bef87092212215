"""What holds of every check on every run."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from live_scoring.checks import CHECKS, build_check, find_check
from live_scoring.checks.approximate import IncludesApprox
from live_scoring.checks.arguments import CalledToolWith, NoRepeatedCalls
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
from live_scoring.core.run import AgentRun
from live_scoring.core.score import REASON_LIMIT, CheckResult, NotApplicable
from live_scoring.core.scoring import Check
from tests.builders import run_saying
from tests.checks.odd_runs import JSON_VALUES, RUNS, TEXTS, TOOLS

METRICS = ("dice", "ratio", "partial_ratio", "token_sort_ratio", "token_set_ratio", "jaro_winkler")
SHARES = st.floats(0, 1)
SEVERAL = st.lists(TEXTS, min_size=1, max_size=3).map(tuple)
EXAMPLES: dict[str, object] = {
    "includes": "sunny",
    "excludes": "sunny",
    "equals": "sunny",
    "matches": "sun+y",
    "similarity": "sunny",
    "called_tool": "search",
    "did_not_call": "search",
    "tool_order": ["search", "pay"],
    "max_tool_calls": 3,
    "used_no_tools": None,
    "no_tool_errors": None,
    "includes_approx": "sunny",
    "includes_any": ["sunny", "warm"],
    "includes_all": ["sunny", "warm"],
    "length": 20,
    "json_schema": {"expected": {"type": "object"}},
    "called_tool_with": {"tool": "search", "args": {"query": {"$regex": "^B"}}},
    "tool_succeeded": "search",
    "allowed_tools": ["search"],
    "no_repeated_calls": 2,
    "max_duration": 30,
    "max_tokens": 1_000,
    "max_cost": 0.5,
}

SCHEMAS = st.sampled_from(
    (
        {"type": "object", "properties": {"a": {"pattern": "^b|\\p{L}"}}},
        {"items": {"type": "integer"}, "uniqueItems": True},
        {"$ref": "#/$defs/all", "$defs": {"all": {"additionalProperties": {"$ref": "#"}}}},
        {"not": {}},
    )
)
EXPECTED_ARGS = st.dictionaries(
    st.sampled_from(("a", "b")),
    st.sampled_from(
        (
            {"$any": True},
            {"$regex": "^b|i"},
            {"$near": {"value": 1, "tolerance": 2}},
            {"$approx": "bbb"},
            {"$one_of": [1, {"a": None}, [{"$any": True}]]},
            {"$literal": {"$any": True}},
        )
    )
    | JSON_VALUES.filter(lambda value: "$" not in json.dumps(value)),
    max_size=2,
)
BOUNDS = st.tuples(st.integers(0, 9), st.integers(0, 9)).map(sorted)

ANY_CHECK: st.SearchStrategy[Check] = st.one_of(
    st.builds(Includes, expected=TEXTS, ignore_case=st.booleans()),
    st.builds(Excludes, unwanted=TEXTS, ignore_case=st.booleans()),
    st.builds(Equals, expected=TEXTS, ignore_case=st.booleans()),
    st.builds(
        Matches,
        pattern=st.sampled_from(("a|b", "^.$", r"\p{L}", r"\s+", "(?<!a)i", "\ud83d", "[^]")),
        flags=st.sampled_from(("", "i", "gimsu", "y", "v")),
        exact=st.booleans(),
    ),
    st.builds(
        Similarity,
        expected=TEXTS,
        threshold=st.none() | SHARES,
        ignore_case=st.booleans(),
        metric=st.sampled_from(METRICS),
    ),
    st.builds(CalledTool, tool=TOOLS, times=st.integers(0, 3)),
    st.builds(DidNotCall, tool=TOOLS),
    st.lists(TOOLS, max_size=3).map(lambda tools: ToolOrder(expected_order=tuple(tools))),
    st.builds(MaxToolCalls, max=st.integers(0, 4)),
    st.builds(UsedNoTools),
    st.builds(NoToolErrors),
    st.builds(IncludesApprox, expected=TEXTS, cutoff=SHARES, ignore_case=st.booleans()),
    st.builds(IncludesAny, expected=SEVERAL, ignore_case=st.booleans()),
    st.builds(IncludesAll, expected=SEVERAL, ignore_case=st.booleans()),
    st.builds(
        lambda bounds, unit: Length(min=bounds[0], max=bounds[1], unit=unit),
        BOUNDS,
        st.sampled_from(("characters", "words")),
    ),
    st.builds(JsonSchema, expected=SCHEMAS),
    st.builds(
        CalledToolWith, tool=TOOLS, args=EXPECTED_ARGS, mode=st.sampled_from(("subset", "exact"))
    ),
    st.builds(ToolSucceeded, tool=TOOLS, allow_retries=st.booleans()),
    st.builds(AllowedTools, tools=st.lists(TOOLS, max_size=3).map(tuple)),
    st.builds(NoRepeatedCalls, max=st.integers(1, 3), cutoff=SHARES),
    st.builds(MaxDuration, seconds=SHARES),
    st.builds(
        MaxTokens, max=st.integers(0, 5), count=st.sampled_from(("total", "input", "output"))
    ),
    st.builds(MaxCost, usd=SHARES),
)


def score(check: Check, run: AgentRun) -> float:
    answer = check(run)
    assert isinstance(answer, CheckResult)
    return answer.score


@given(ANY_CHECK, RUNS)
def test_no_check_raises_and_every_score_lies_in_0_to_1(check: Check, run: AgentRun) -> None:
    answer = check(run)
    assert isinstance(answer, NotApplicable) or 0 <= answer.score <= 1


@given(ANY_CHECK, RUNS)
def test_every_answer_has_a_reason_in_one_line_and_repeats(check: Check, run: AgentRun) -> None:
    answer = check(run)
    assert 0 < len(answer.reason) <= REASON_LIMIT
    assert len(answer.reason.splitlines()) == 1
    assert check(run) == answer


@given(TEXTS, st.booleans(), RUNS)
def test_excludes_is_one_minus_includes(text: str, ignore_case: bool, run: AgentRun) -> None:
    includes = Includes(expected=text, ignore_case=ignore_case)
    excludes = Excludes(unwanted=text, ignore_case=ignore_case)
    assert score(excludes, run) == 1 - score(includes, run)


@given(TEXTS, TEXTS, st.booleans())
def test_dice_is_symmetric(one: str, other: str, ignore_case: bool) -> None:
    forth = Similarity(expected=one, ignore_case=ignore_case)
    back = Similarity(expected=other, ignore_case=ignore_case)
    assert score(forth, run_saying(other)) == score(back, run_saying(one))


@given(TEXTS, st.sampled_from(METRICS))
def test_every_text_is_wholly_like_itself(text: str, metric: str) -> None:
    check = build_check(Similarity, {"expected": text, "metric": metric})
    assert score(check, run_saying(text)) == 1


@given(TEXTS, TEXTS, TEXTS)
def test_a_text_includes_each_of_its_parts(before: str, part: str, after: str) -> None:
    whole = run_saying(before + part + after)
    assert score(Includes(expected=part, ignore_case=False), whole) == 1
    assert score(IncludesApprox(expected=part), run_saying(part)) == 1


@pytest.mark.parametrize("name", CHECKS)
class TestContract:
    def test_its_docstring_documents_it_in_a_sentence(self, name: str) -> None:
        doc = CHECKS[name].__doc__
        assert doc is not None
        assert doc.strip().splitlines()[0].endswith((".", "else"))

    def test_every_parameter_is_documented(self, name: str) -> None:
        check = CHECKS[name]
        assert [n for n, field in check.model_fields.items() if not field.description] == []

    def test_its_id_follows_from_its_name(self, name: str) -> None:
        assert CHECKS[name].id == "check-" + name.replace("_", "-")

    def test_it_is_frozen(self, name: str) -> None:
        assert CHECKS[name].model_config["frozen"]
        assert CHECKS[name].model_config["extra"] == "forbid"

    def test_its_first_parameter_can_stand_alone_unless_it_is_a_mapping_or_needs_another(
        self, name: str
    ) -> None:
        check, example = CHECKS[name], EXAMPLES[name]
        if not isinstance(example, dict):
            first = next(iter(check.model_fields), None)
            whole = {first: example} if first else None
            assert build_check(check, example) == build_check(check, whole)

    def test_it_is_found_by_both_spellings_of_its_name(self, name: str) -> None:
        head, *rest = name.split("_")
        assert find_check(name) is CHECKS[name]
        assert find_check(head + "".join(map(str.title, rest))) is CHECKS[name]

    def test_it_survives_json_in_either_case(self, name: str) -> None:
        check = build_check(CHECKS[name], EXAMPLES[name])
        for by_alias in (False, True):
            dumped = json.loads(json.dumps(check.model_dump(mode="json", by_alias=by_alias)))
            assert build_check(type(check), dumped) == check

    def test_it_answers_a_run_that_says_and_does_nothing(self, name: str) -> None:
        answer = build_check(CHECKS[name], EXAMPLES[name])(run_saying())
        assert isinstance(answer, NotApplicable) or answer.score in (0, 1)


def test_ids_are_unique() -> None:
    assert len({check.id for check in CHECKS.values()}) == len(CHECKS)


def test_an_unknown_name_finds_no_check() -> None:
    assert find_check("includs") is None
    assert find_check("Includes") is None


def test_a_check_without_parameters_takes_none_alone() -> None:
    with pytest.raises(ValueError, match="takes no parameters; write its name alone"):
        build_check(UsedNoTools, True)


def test_a_check_with_two_required_parameters_takes_none_alone() -> None:
    with pytest.raises(ValueError, match="needs tool and args; give a mapping of them"):
        build_check(CalledToolWith, "search")


def test_checks_of_tools_and_limits_need_no_content() -> None:
    without = {name for name, check in CHECKS.items() if not check.needs_content}
    assert without == {
        "called_tool",
        "did_not_call",
        "tool_order",
        "max_tool_calls",
        "used_no_tools",
        "no_tool_errors",
        "tool_succeeded",
        "allowed_tools",
        "max_duration",
        "max_tokens",
        "max_cost",
    }
