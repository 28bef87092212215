"""What hypothesis draws: any JSON, native runs, scores and transitions."""

from typing import Any, get_args

from hypothesis import strategies as st

from live_scoring.core.score import OutcomeKind, Score, Source
from live_scoring.core.transition import Example, Transition
from live_scoring.core.verdict import Gate, Rule, RuleResult, Threshold, Verdict, VerdictState

TEXTS = st.text(st.characters(exclude_categories=()), max_size=12)
"""Lone surrogates included, as JavaScript writes them."""
IDS = TEXTS.filter(bool)
RUN_IDS = st.text(min_size=1, max_size=12)
SHARES = st.floats(0, 1)
COUNTS = st.integers(0, 2**53)
MOMENTS = st.integers(-62_135_596_800_000, 253_402_300_799_999)
"""Milliseconds since the epoch, within the years 1 to 9999."""

JSON_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


def objects(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=fields)


_INVOCATIONS = objects(
    id=st.none() | TEXTS,
    name=TEXTS,
    args=JSON_VALUES,
    state=st.sampled_from(["result", "call", "partial-call"]),
    is_error=st.booleans(),
    result=JSON_VALUES,
)
_MESSAGES = st.fixed_dictionaries(
    {"role": TEXTS, "text": TEXTS},
    optional={"tool_invocations": st.lists(_INVOCATIONS, max_size=2)},
)
NATIVE_RUNS = st.fixed_dictionaries(
    {"run_id": RUN_IDS, "agent_id": RUN_IDS, "output": st.lists(_MESSAGES, max_size=3)},
    optional={
        "timestamp": st.none() | st.datetimes().map(lambda moment: moment.isoformat()) | MOMENTS,
        "input": JSON_VALUES,
        "tags": st.dictionaries(TEXTS, TEXTS | st.booleans() | st.integers(), max_size=2),
        "duration_ms": st.floats(0, 1e6),
        "total_tokens": COUNTS,
        "error": st.none() | TEXTS,
    },
)

_MASTRA_INVOCATIONS = objects(
    toolCallId=JSON_VALUES | st.sampled_from(["a", "b"]),
    toolName=JSON_VALUES,
    state=JSON_VALUES | st.sampled_from(["call", "result", "output-error"]),
    result=JSON_VALUES | objects(error=JSON_VALUES),
    isError=JSON_VALUES,
    errorText=JSON_VALUES,
)
_MASTRA_PARTS = objects(
    type=st.sampled_from(["text", "tool-invocation", "step-start"]),
    text=JSON_VALUES,
    toolInvocation=_MASTRA_INVOCATIONS | JSON_VALUES,
)
_MASTRA_CONTENTS = objects(
    content=JSON_VALUES,
    text=JSON_VALUES,
    parts=st.lists(_MASTRA_PARTS, max_size=3) | JSON_VALUES,
    toolInvocations=st.lists(_MASTRA_INVOCATIONS, max_size=3) | JSON_VALUES,
)
_MASTRA_MESSAGES = objects(
    role=st.sampled_from(["assistant", "user", "tool"]),
    content=_MASTRA_CONTENTS | JSON_VALUES,
    createdAt=JSON_VALUES | st.just("2026-11-01T12:00:02.000Z"),
)
MASTRA_OUTPUTS = st.lists(_MASTRA_MESSAGES | JSON_VALUES, max_size=3)
MASTRA_PAYLOADS = st.fixed_dictionaries(
    {"entity": objects(id=RUN_IDS, name=JSON_VALUES), "output": MASTRA_OUTPUTS | JSON_VALUES},
    optional={"runId": RUN_IDS, "input": JSON_VALUES | objects(inputMessages=MASTRA_OUTPUTS)},
)


@st.composite
def scores(draw: st.DrawFn) -> Score:
    """A score as it reads back: the timestamp of its source is not on the wire."""
    outcome: OutcomeKind = draw(st.sampled_from(get_args(OutcomeKind)))
    return Score(
        run_id=draw(IDS),
        agent_id=draw(IDS),
        group=draw(TEXTS),
        scorer=draw(IDS),
        kind=draw(st.sampled_from(["gate", "scorer"])),
        check=draw(TEXTS),
        fingerprint=draw(TEXTS),
        outcome=outcome,
        score=draw(SHARES) if outcome == "scored" else None,
        reason=draw(TEXTS),
        error_type=draw(st.none() | TEXTS),
        error_message=draw(st.none() | TEXTS),
        sampling_rate=draw(SHARES),
        run_timestamp_ms=draw(MOMENTS),
        scored_at_ms=draw(MOMENTS),
        trace_id=draw(st.none() | TEXTS),
        conversation_id=draw(st.none() | TEXTS),
        source=Source(draw(TEXTS), draw(COUNTS), draw(COUNTS), 0),
        replay=draw(st.none() | TEXTS),
        text=draw(st.none() | TEXTS),
    )


_ON_ERRORS = st.sampled_from(["fail", "ignore"])
_GATES = st.builds(
    Gate,
    name=IDS,
    pass_ratio=st.none() | SHARES,
    min_failures=COUNTS,
    on_error=_ON_ERRORS,
    critical=st.booleans(),
    min_samples=st.none() | COUNTS,
)
_THRESHOLDS = st.builds(
    Threshold,
    name=IDS,
    min=st.none() | SHARES,
    max=st.none() | SHARES,
    on_error=_ON_ERRORS,
    min_samples=st.none() | COUNTS,
)
_STATES: st.SearchStrategy[VerdictState] = st.sampled_from(get_args(VerdictState))
_EXAMPLES = st.builds(
    Example,
    run_id=IDS,
    trace_id=st.none() | TEXTS,
    score=st.none() | SHARES,
    reason=TEXTS,
    run_timestamp_ms=MOMENTS,
)


@st.composite
def transitions(draw: st.DrawFn) -> Transition:
    """A transition whose gates, as in any plan, come before its thresholds."""
    rules: list[Rule] = [
        *draw(st.lists(_GATES, max_size=2)),
        *draw(st.lists(_THRESHOLDS, max_size=2)),
    ]
    by_name: dict[str, Rule] = {}
    for rule in rules:
        by_name.setdefault(rule.name, rule)
    results = tuple(
        RuleResult(
            rule=rule,
            status=draw(st.sampled_from(["passed", "failed", "insufficient"])),
            samples=draw(COUNTS),
            failures=draw(COUNTS),
            errors=draw(COUNTS),
            average=draw(st.none() | SHARES),
            cause=draw(st.sampled_from(["score", "error", None])),
        )
        for rule in by_name.values()
    )
    explained = [r.rule.name for r in results if draw(st.booleans())]
    return Transition(
        agent_id=draw(IDS),
        group=draw(TEXTS),
        window=draw(TEXTS),
        verdict=Verdict(draw(_STATES), results),
        previous=draw(_STATES),
        at_ms=draw(MOMENTS),
        scores_partition=draw(COUNTS),
        scores_offset=draw(COUNTS),
        config_hash=draw(TEXTS),
        examples={
            name: tuple(draw(st.lists(_EXAMPLES, min_size=1, max_size=2))) for name in explained
        },
    )
