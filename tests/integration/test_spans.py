import pytest

from tests.integration.lab import Lab
from tests.integration.runs import now_ms
from tests.integration.span_exactness import assert_exact, assert_exact_over_kills_and_a_join
from tests.integration.traces import AGENT, ASSEMBLY, make_traces, records_of

pytestmark = pytest.mark.integration


def test_traces_are_scored_as_they_were_made(lab: Lab) -> None:
    lab.configure(AGENT, assembly=ASSEMBLY)
    traces = make_traces(0, 500, now_ms() - 60_000, 30_000)
    lab.send(records_of(traces))
    worker = lab.start_worker()
    assert_exact(lab, [worker], traces)
    figures = worker.figures()
    assert figures.total("spans_late_total") == 25
    assert figures.value("runs_incomplete_total", reason="idle") == 20
    assert figures.total("traces_split_total") == 0


def test_workers_that_are_killed_and_joined_change_no_score(lab: Lab) -> None:
    assert_exact_over_kills_and_a_join(lab, 6_000)
