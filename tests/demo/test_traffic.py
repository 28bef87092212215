from live_scoring.core.run import AgentRun
from live_scoring.demo.traffic import AGENTS, CHRONIC_EVERY, due_runs

AT_MS = 1_793_534_402_000


def runs(agent_id: str, numbers: range, share: float) -> list[AgentRun]:
    (agent,) = (a for a in AGENTS if a.agent_id == agent_id)
    pairs = due_runs(agent, numbers, share, AT_MS)
    return [AgentRun.model_validate_json(value) for _, value in pairs]


def test_every_agent_writes_native_runs_that_end_when_they_are_sent() -> None:
    for agent in AGENTS:
        for run in runs(agent.agent_id, range(20), share=0.1):
            assert (run.agent_id, run.end_ms) == (agent.agent_id, AT_MS)


def test_the_refund_agent_fails_in_the_second_third_only() -> None:
    failed = [
        sum(r.has_failed for r in runs("refund-agent", range(100), s / 30)) for s in range(30)
    ]
    assert failed == [0] * 10 + [50] * 10 + [0] * 10


def test_the_chronic_agent_forgets_its_source_in_exactly_one_run_of_200() -> None:
    texts = [run.spaced_text for run in runs("research-agent", range(2 * CHRONIC_EVERY), 0.5)]
    forgetful = [number for number, text in enumerate(texts) if "https://" not in text]
    assert forgetful == [CHRONIC_EVERY - 1, 2 * CHRONIC_EVERY - 1]


def test_the_night_report_falls_silent() -> None:
    assert runs("night-report-agent", range(10), share=0.1)
    assert not runs("night-report-agent", range(10), share=0.2)


def test_no_run_id_comes_twice() -> None:
    ids = [r.run_id for a in AGENTS for r in runs(a.agent_id, range(50), 0.1)]
    assert len(set(ids)) == len(ids)
