"""No check holds the event loop for long, whatever a run holds."""

from time import process_time

import pytest

from live_scoring.checks import CHECKS, build_check
from live_scoring.core.run import AgentRun
from live_scoring.core.score import CheckResult, Failure, NotApplicable
from live_scoring.core.scoring import Check, Scorer, score_run
from tests.checks.test_laws import EXAMPLES, METRICS
from tests.hostile.runs import PAYLOADS, run_of

SECONDS = 0.4
"""Of processor time at most: a pattern has 0.1, all else takes less where nothing else runs."""
ALMOST = "a" * 150 + "b" + "a" * 149
"""What a search for it in a text of one letter takes longest to miss."""
NODE = {
    "oneOf": [
        {"items": {"$ref": "#"}},
        {"additionalProperties": {"$ref": "#"}, "pattern": "^(a+)+$"},
    ]
}

PARAMETERS: tuple[tuple[str, object], ...] = (
    *EXAMPLES.items(),
    ("includes", ALMOST),
    ("includes", "\ude00x"),
    ("excludes", {"unwanted": ALMOST, "ignore_case": False}),
    ("includes_any", [ALMOST + "a" * n for n in range(50)]),
    ("includes_all", ["b" * n for n in range(1, 51)]),
    ("equals", {"expected": "sunny", "ignore_case": False}),
    ("matches", "^(a+)+$"),
    ("matches", {"pattern": "(?:a|b)*c", "flags": "iu", "exact": True}),
    *(("similarity", {"expected": ALMOST, "metric": metric}) for metric in METRICS),
    ("similarity", {"expected": "".join(map(chr, range(300, 5_300))), "threshold": 0.5}),
    ("includes_approx", {"expected": ALMOST, "cutoff": 0}),
    ("length", {"min": 5, "unit": "words"}),
    ("json_schema", {"expected": NODE}),
    ("called_tool", "searches"),
    ("tool_order", ["search", "t"] * 20),
    ("called_tool_with", {"tool": "search", "args": {"query": {"$regex": "^(a+)+$"}}}),
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


def _seconds(check: Check, run: AgentRun) -> float:
    # A copy: what one check has worked out others find ready.
    run = AgentRun.model_construct(**{name: getattr(run, name) for name in AgentRun.model_fields})
    scorer = Scorer("x", "gate", check.id, "", check)
    began = process_time()
    answer = score_run(scorer, run)
    seconds = process_time() - began
    assert isinstance(answer, CheckResult | NotApplicable | Failure)
    return seconds


def test_every_check_is_asked() -> None:
    assert {name for name, _ in ASKED} == set(CHECKS)


@pytest.mark.parametrize("kind", PAYLOADS)
def test_no_check_takes_long(kind: str) -> None:
    run = run_of(PAYLOADS[kind]())
    taken = {f"{name} {check}": _seconds(check, run) for name, check in ASKED}
    assert {asked: seconds for asked, seconds in taken.items() if seconds > SECONDS} == {}
