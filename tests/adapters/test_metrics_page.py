"""Both formats parse, with any label value, and only OpenMetrics carries exemplars."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.fed_metrics import (
    OPENMETRICS,
    families,
    fed_metrics,
    new_metrics,
    parse,
    plan_of,
    score,
    scorer,
    value,
)

ANY_TEXT = st.text(st.characters(codec=None), min_size=1)


def test_the_text_format_is_the_default() -> None:
    for accept in (None, "", "*/*", "text/plain;version=0.0.4"):
        body, content_type = fed_metrics().render(accept)
        assert content_type == "text/plain; version=0.0.4; charset=utf-8"
        assert len(parse(body, content_type)) > 30
        assert b"# EOF" not in body


def test_openmetrics_comes_when_it_is_asked_for() -> None:
    body, content_type = fed_metrics().render(OPENMETRICS)
    assert content_type == "application/openmetrics-text; version=1.0.0; charset=utf-8"
    assert len(parse(body, content_type)) > 30
    assert body.endswith(b"# EOF\n")


def test_both_formats_hold_the_same_samples() -> None:
    pages = [
        {
            (s.name, frozenset(s.labels.items()), s.value)
            for family in families(fed_metrics(), accept)
            for s in family.samples
        }
        for accept in (None, OPENMETRICS)
    ]
    assert pages[0] == pages[1]


def test_latency_and_failed_gates_carry_the_trace_as_exemplar() -> None:
    exemplars = {
        (s.name, s.labels.get("le")): (s.exemplar.labels["trace_id"], s.exemplar.value)
        for family in families(fed_metrics(), OPENMETRICS)
        for s in family.samples
        if s.exemplar
    }
    assert exemplars == {
        ("live_scoring_end_to_end_latency_seconds_bucket", "1.0"): ("trace-1", 0.7),
        ("live_scoring_gate_runs_total", None): ("trace-1", 1.0),
    }
    assert b"trace-1" not in fed_metrics().render()[0]


def test_a_trace_id_too_long_or_too_odd_for_an_exemplar_is_left_out() -> None:
    metrics = new_metrics("agent-1")
    for odd in ("t" * 121, 'a"b', "a b", "\ud800"):
        metrics.latency(0.7, odd)
    assert b"trace_id" not in metrics.render(OPENMETRICS)[0]
    metrics.latency(0.7, "t" * 120)
    assert b"trace_id" in metrics.render(OPENMETRICS)[0]
    assert families(metrics, OPENMETRICS)


@pytest.mark.parametrize("odd", ["100%", "%d", "%%b", "{0}", 'a"b', "a\\0b", "\\", "été", "a\nb"])
def test_any_scorer_topic_and_partition_stand_in_the_page_as_they_are(odd: str) -> None:
    metrics = new_metrics()
    metrics.expect(plan_of("agent-1", scorers=(scorer(odd),)))
    metrics.lag(odd, 0, 7)
    metrics.lag_seconds(odd, 0.25)
    shown = odd.replace("\0", "\ufffd")
    assert value(metrics, "scores_published_total", agent="agent-1", scorer=shown) == 0
    assert value(metrics, "consumer_lag_records", topic=shown, partition="0") == 7
    assert value(metrics, "consumer_lag_seconds", topic=shown) == 0.25


@given(agent=ANY_TEXT, trace_id=ANY_TEXT)
def test_any_agent_id_and_trace_id_leave_the_page_readable(agent: str, trace_id: str) -> None:
    metrics = new_metrics("*")
    metrics.latency(0.1, trace_id)
    metrics.published([score("polite", 0.0, agent_id=agent)])
    expected = re.sub("[\ud800-\udfff\0]", "\ufffd", agent)
    for accept in (None, OPENMETRICS):
        shown = {
            s.labels["agent"]
            for family in families(metrics, accept)
            for s in family.samples
            if "agent" in s.labels
        }
        assert shown == {expected}
