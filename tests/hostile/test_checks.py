"""No check holds the event loop for long, whatever a run holds, and no pattern without end."""

from functools import partial

import pytest

from live_scoring.checks import CHECKS, build_check
from live_scoring.core.ecmascript import TIME_LIMIT_SECONDS
from live_scoring.core.run import AgentRun
from live_scoring.core.score import CheckResult, Failure, NotApplicable
from live_scoring.core.scoring import Answer, Check, Scorer, score_run
from live_scoring.formats import Limits, decode
from tests.checks.test_laws import EXAMPLES, METRICS
from tests.hostile.growth import above, loops
from tests.hostile.runs import PAYLOADS, payload_of, run_of

LOOPS = 300
"""Of a loop of Python that takes a millisecond or so: none takes over 190."""
PATTERNED = ("matches", "json_schema", "called_tool_with")
"""Checks that may take the time of a pattern, which is the same on any machine."""
CATASTROPHIC = "^(a+)+$"
ALMOST = "a" * 150 + "b" + "a" * 149
"""What a search for it in a text of one letter takes longest to miss."""
NODE = {
    "oneOf": [
        {"items": {"$ref": "#"}},
        {"additionalProperties": {"$ref": "#"}, "pattern": CATASTROPHIC},
    ]
}
BY_PATTERN = {"tool": "search", "args": {"query": {"$regex": CATASTROPHIC}}}

PARAMETERS: tuple[tuple[str, object], ...] = (
    *EXAMPLES.items(),
    ("includes", ALMOST),
    ("includes", "\ude00x"),
    ("excludes", {"unwanted": ALMOST, "ignore_case": False}),
    ("includes_any", [ALMOST + "a" * n for n in range(50)]),
    ("includes_all", ["b" * n for n in range(1, 51)]),
    ("equals", {"expected": "sunny", "ignore_case": False}),
    ("matches", CATASTROPHIC),
    ("matches", {"pattern": "(?:a|b)*c", "flags": "iu", "exact": True}),
    *(("similarity", {"expected": ALMOST, "metric": metric}) for metric in METRICS),
    ("similarity", {"expected": "".join(map(chr, range(300, 5_300))), "threshold": 0.5}),
    ("includes_approx", {"expected": ALMOST, "cutoff": 0}),
    ("length", {"min": 5, "unit": "words"}),
    ("json_schema", {"expected": NODE}),
    ("called_tool", "searches"),
    ("tool_order", ["search", "t"] * 20),
    ("called_tool_with", BY_PATTERN),
    ("called_tool_with", {"tool": "search", "args": {"query": {"$approx": ALMOST}}}),
    ("called_tool_with", {"tool": "search", "args": {"query": {"$one_of": [1, "x", [[]]]}}}),
    (
        "called_tool_with",
        {"tool": "search", "args": {f"key-{n}": {"$any": True} for n in range(50)}},
    ),
    ("called_tool_with", {"tool": "search", "args": {}, "mode": "exact"}),
    ("tool_succeeded", "searches"),
    ("no_repeated_calls", {"max": 1, "cutoff": 0}),
)
ASKED = [(name, build_check(CHECKS[name], given)) for name, given in PARAMETERS]


def ask(check: Check, run: AgentRun) -> Answer:
    """A check's answer about a run."""
    # A copy: what one check has worked out others find ready.
    run = AgentRun.model_construct(**{name: getattr(run, name) for name in AgentRun.model_fields})
    answer = score_run(Scorer("x", "gate", check.id, "", check), run)
    assert isinstance(answer, CheckResult | NotApplicable | Failure)
    return answer


def cost(name: str, check: Check, run: AgentRun) -> float:
    """What an answer costs in loops, beyond the time that a pattern has."""
    spared_seconds = TIME_LIMIT_SECONDS if name in PATTERNED else 0.0
    return loops(partial(ask, check, run), spared_seconds)


def test_every_check_is_asked() -> None:
    assert {name for name, _ in ASKED} == set(CHECKS)


def slow_on(run: AgentRun) -> dict[str, float]:
    """Checks that would hold the event loop for long, and what they cost."""
    costs = {f"{name} {check}": partial(cost, name, check, run) for name, check in ASKED}
    return above(LOOPS, costs)


@pytest.mark.parametrize("kind", PAYLOADS)
def test_no_check_takes_long(kind: str) -> None:
    assert slow_on(run_of(PAYLOADS[kind]())) == {}


def test_no_check_takes_long_where_a_limit_is_raised_for_ten_megabytes_of_one_letter() -> None:
    size = 10_000_000
    payload = payload_of({"text": "a" * size})
    assert isinstance(decode(payload), Failure)
    assert slow_on(run_of(payload, Limits(max_bytes=2 * size))) == {}


@pytest.mark.parametrize(
    ("name", "parameters", "kind"),
    [
        ("matches", CATASTROPHIC, "a said text that has to backtrack"),
        ("json_schema", {"expected": NODE}, "a JSON text that has to backtrack"),
        ("called_tool_with", BY_PATTERN, "a text that has to backtrack"),
    ],
)
def test_a_pattern_without_end_is_stopped(name: str, parameters: object, kind: str) -> None:
    answer = ask(build_check(CHECKS[name], parameters), run_of(PAYLOADS[kind]()))
    assert isinstance(answer, Failure)
    assert answer.reason == "PatternTimeout"
