"""How long a restart takes with a day of scores behind it, with the panes topic and without.

A day at 1,000 scores/s is 86 million records, too many to write here. So all of its panes are
written, but of its scores only the last ones: what a restart counts again, and as many before.
Without panes the time for those is measured and the time for a day is worked out.
"""

import itertools
import os
import tempfile
import time
from array import array
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import yaml
from rich.console import Console
from rich.table import Table

from live_scoring.adapters.embedded_broker import start_broker
from live_scoring.adapters.kafka import partition_of
from live_scoring.config import load_config
from live_scoring.core.pane import AgentPanes, Pane, Sheet, Stretch
from live_scoring.core.pipeline import Plan
from live_scoring.core.score import Score, Source
from live_scoring.core.window import NANO, Tally
from live_scoring.formats.pane_sheet import encode_sheet
from live_scoring.formats.score_json import encode_score
from live_scoring.wiring import build_plan
from tests.integration import topics
from tests.integration.kafka.logs import logged
from tests.integration.lab import free_port
from tests.integration.topics import Sending
from tests.integration.waiting import wait_until
from tests.integration.workers import Worker

AGENTS = int(os.environ.get("AGENTS", "16"))
PARTITIONS = 8
SCORERS = 6
PER_SECOND = 1_000
"""Scores, over all partitions."""
EVERY = 10_000
"""Scores of a partition after which its panes are written."""
DAY_MS = 86_400_000
WAIT_SECONDS = 600.0


def write_config(folder: Path, address: str, panes: str | None) -> Plan:
    """A configuration of three windows and six gates."""
    (folder / "agents").mkdir(parents=True)
    worker: dict[str, Any] = {
        "kafka": {"bootstrap_servers": address, "group_id": folder.name},
        "topics": {
            "runs": ["runs"],
            "scores": "scores",
            "verdicts": f"{folder.name}-verdicts",
            "panes": panes,
            "partitions": PARTITIONS,
        },
        "windows": {"5m": {}, "1h": {}, "24h": {}},
        "panes_every": EVERY,
    }
    gates = {f"gate-{number}": {"includes": str(number)} for number in range(SCORERS)}
    agent = {"agent": "agent-*", "windows": ["5m", "1h", "24h"], "gates": gates}
    (folder / "worker.yaml").write_text(yaml.safe_dump(worker))
    (folder / "agents" / "agent.yaml").write_text(yaml.safe_dump(agent))
    return build_plan(load_config(folder, {}))


def agents_of(partition: int) -> list[str]:
    named = (f"agent-{number}" for number in itertools.count())
    ours = (agent for agent in named if partition_of(agent.encode(), PARTITIONS) == partition)
    return list(itertools.islice(ours, AGENTS // PARTITIONS))


def ended_ms(run: int, now_ms: int) -> int:
    """When one of a partition's last runs ended."""
    return now_ms - (2 * EVERY - SCORERS * run) * 1_000 * PARTITIONS // PER_SECOND


def scores(plan: Plan, partition: int, now_ms: int) -> Iterator[Sending]:
    """The last `2 * EVERY` scores of a partition."""
    agents = itertools.cycle(agents_of(partition))
    for number in range(2 * EVERY // SCORERS):
        agent, at_ms = next(agents), ended_ms(number, now_ms)
        asked = plan.find(agent)
        for scorer in asked.scorers if asked else ():
            score = Score(
                run_id=f"run-{partition}-{number}",
                agent_id=agent,
                group="",
                scorer=scorer.name,
                kind=scorer.kind,
                check=scorer.check_id,
                fingerprint=scorer.fingerprint,
                outcome="scored",
                score=1.0,
                reason="",
                error_type=None,
                error_message=None,
                sampling_rate=1.0,
                run_timestamp_ms=at_ms,
                scored_at_ms=at_ms,
                trace_id=f"{number:032x}",
                conversation_id=None,
                source=Source("runs", partition, number, at_ms),
            )
            yield Sending(encode_score(score), partition, agent.encode(), at_ms)


def sheets(plan: Plan, partition: int, now_ms: int) -> Iterator[Sending]:
    """A day's panes, whose stretches share the offsets of the older half of the scores."""
    length_ms = EVERY * 1_000 * PARTITIONS // PER_SECOND
    count, runs = DAY_MS // length_ms, EVERY // SCORERS
    agents = agents_of(partition)
    for number in range(count):
        begins_ms = now_ms - (count - number + 1) * length_ms
        first, end = (runs * SCORERS * at // count for at in (number, number + 1))
        last_ms = ended_ms((end - 1) // SCORERS, now_ms)
        stretch = Stretch(first, end, begins_ms, last_ms, "benchmark", ())
        panes = tuple(
            agent_panes(plan, agent, begins_ms, length_ms, runs // len(agents)) for agent in agents
        )
        sheet = encode_sheet(Sheet(stretch, 0, is_last=True, agents=panes))
        yield Sending(sheet, partition, None, begins_ms + length_ms)


def agent_panes(plan: Plan, agent: str, begins_ms: int, length_ms: int, runs: int) -> AgentPanes:
    asked = plan.find(agent)
    if asked is None:
        raise LookupError(f"nobody asks {agent}")
    keys = array("Q", sorted(memoryview(os.urandom(8 * runs)).cast("Q")))
    masks = array("Q", [(1 << SCORERS) - 1] * runs)
    counts = []
    for window in asked.windows:
        first, last = begins_ms // window.pane_ms, (begins_ms + length_ms - 1) // window.pane_ms
        share = runs // (last - first + 1)
        tallies = {s.name: Tally(share, share, share * NANO) for s in asked.scorers}
        counts.append(dict.fromkeys(range(first, last + 1), tallies))
    longest = max(window.pane_ms for window in asked.windows)
    pane = Pane(begins_ms // longest, begins_ms + length_ms, (keys, masks), tuple(counts))
    return AgentPanes(
        agent,
        "",
        tuple(window.length_ms for window in asked.windows),
        tuple((scorer.name, scorer.fingerprint) for scorer in asked.scorers),
        (pane,),
    )


def measure(config: Path) -> tuple[float, float, float]:
    """Seconds from the assignment to rebuilt windows, those of a processor, and peak MB.

    The processor's are those of the whole process, its start included.
    """
    worker = Worker(config, free_port(), config / "log", "--only", "verdicts")
    try:
        wait_until("the worker is ready", worker.is_ready, WAIT_SECONDS)
        process = worker.process.pid
        return seconds_rebuilding(worker), processor_seconds(process), peak_mb(process)
    finally:
        worker.kill()


def seconds_rebuilding(worker: Worker) -> float:
    def moments(message: str) -> list[datetime]:
        return [datetime.fromisoformat(line["timestamp"]) for line in logged(worker, message)]

    took = max(moments("windows rebuilt")) - min(moments("partitions taken on"))
    return took.total_seconds()


def processor_seconds(process: int) -> float:
    _, _, fields = Path(f"/proc/{process}/stat").read_text().rpartition(") ")
    user, system = fields.split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def peak_mb(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text()
    found: Mapping[str, str] = dict(line.split(":", 1) for line in status.splitlines())
    return int(found["VmHWM"].split()[0]) / 1024


def fill(address: str, plan: Plan, now_ms: int) -> int:
    """Write scores and panes; how many bytes the panes take."""
    size = 0
    for topic in ("runs", "scores", "panes"):
        topics.create_topic(address, topic, PARTITIONS)
    for partition in range(PARTITIONS):
        topics.send(address, "scores", scores(plan, partition, now_ms))
        panes = list(sheets(plan, partition, now_ms))
        topics.send(address, "panes", panes)
        size += sum(len(sheet.value or b"") for sheet in panes)
    return size


def told(figure: float) -> str:
    return f"{figure:,.1f}"


def main() -> None:
    """Fill the topics, measure both ways, print what came of it."""
    table = Table("rebuilding 24 h at 1,000 scores/s", "seconds", "processor", "peak MB")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with start_broker(folder / "broker.log") as broker:
            plan = write_config(folder / "with-panes", broker.address, "panes")
            write_config(folder / "without", broker.address, None)
            size = fill(broker.address, plan, time.time_ns() // 1_000_000)
            table.add_row("with panes", *map(told, measure(folder / "with-panes")))
            without = measure(folder / "without")
    counted = 2 * EVERY * PARTITIONS
    table.add_row(f"without, its last {counted:,} scores", *map(told, without))
    times = PER_SECOND * DAY_MS / 1_000 / counted
    table.add_row("without, all of them at that pace", told(times * without[0]))
    console = Console()
    console.print(table)
    console.print(f"panes: {size / 1e6:,.0f} MB, {size / 24e6:.1f} MB an hour, {AGENTS} agents")


if __name__ == "__main__":
    main()
