"""Compares what workers make of traces with how these were made."""

from collections.abc import Iterable, Sequence

from tests.integration.lab import Lab
from tests.integration.runs import now_ms
from tests.integration.traces import AGENT, ASSEMBLY, AgentTrace, Scored, make_traces, records_of
from tests.integration.waiting import wait_to_equal, wait_until
from tests.integration.workers import Worker


def assert_exact_over_kills_and_a_join(lab: Lab, traces: int) -> None:
    """Two workers are killed at work, and a second one joins a third."""
    lab.configure(AGENT, assembly=ASSEMBLY)
    begin_ms = now_ms() - 200_000
    first = make_traces(0, traces, begin_ms, 60_000)
    lab.send(records_of(first))
    for share in (8, 3):
        worker = lab.start_worker()
        wait_for_runs(worker, traces // share)
        worker.kill()
    worker = lab.start_worker()
    wait_for_runs(worker, traces // 8)
    joined = lab.start_worker()
    second = make_traces(traces, traces // 2, begin_ms + 120_000, 30_000)
    lab.send(records_of(second))
    assert_exact(lab, [worker, joined], [*first, *second])


def assert_exact(lab: Lab, workers: Sequence[Worker], traces: Iterable[AgentTrace]) -> None:
    """Every score is there with its one value and id, and none beside them."""
    expected = {scored for trace in traces for scored in trace.expected()}
    wait_until("all is scored", lambda: expected <= scored_of(lab).keys(), 90)
    wait_to_equal("(lag, open)", lambda: lag_and_open(workers), (0.0, 0.0))
    found = scored_of(lab)
    assert found.keys() == expected
    assert len(set(found.values())) == len(expected)
    assert lab.read(lab.dead_letters) == []


def scored_of(lab: Lab) -> dict[Scored, str]:
    """The ids of the scores on the topic."""
    found = lab.read_json(lab.scores)
    return {(s["run_id"], s["scorer"], s["score"]): s["score_id"] for s in found}


def lag_and_open(workers: Sequence[Worker]) -> tuple[float, float]:
    pages = [worker.figures() for worker in workers]
    lag = sum(page.total("consumer_lag_records") for page in pages)
    return lag, sum(page.total("open_runs") for page in pages)


def wait_for_runs(worker: Worker, runs: int) -> None:
    def has_read() -> bool:
        return worker.figures().total("runs_consumed_total") >= runs

    wait_until(f"{runs} runs were read", has_read)
