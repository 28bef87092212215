"""Each service of docker-compose.yml that can be had here, run from its own configuration."""

import asyncio
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from live_scoring.adapters.embedded_broker import HOST
from live_scoring.adapters.kafka import count_partitions
from live_scoring.config import KafkaConfig, load_worker
from tests.deploy.compose import demo_variables
from tests.deploy.tools import ROOT
from tests.integration.asking import ask
from tests.integration.kafka.fetching import UnavailableError, fetch_classpath
from tests.integration.otel_agent import OtelAgent
from tests.integration.services import Unit
from tests.integration.waiting import wait_until
from tests.integration.workers import Figures

pytestmark = [
    pytest.mark.kafka,
    pytest.mark.integration,
    pytest.mark.xdist_group("services"),
    pytest.mark.timeout(1_200),  # the first time the Collector is built
]
AGENTS = {"weather-agent", "refund-agent", "research-agent", "night-report-agent"}
IMAGE_COMMAND = ("run", "--config", "/etc/live-scoring")


@pytest.fixture(scope="module")
def unit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Unit]:
    """Broker, worker and traffic of the demo."""
    made = Unit(tmp_path_factory.mktemp("services"), demo_variables())
    try:
        broker = made.kafka(fetch_classpath())
    except UnavailableError as reason:
        pytest.skip(f"Apache Kafka: {reason}")
    with ExitStack() as stack:
        stack.callback(broker.stop)
        broker.start()
        worker = made.live_scoring("worker", IMAGE_COMMAND)
        stack.enter_context(made.running("worker", worker, made.environment("worker")))
        wait_until("the worker is healthy", lambda: is_healthy(made))
        traffic = made.live_scoring("traffic", made.services["traffic"]["command"])
        stack.enter_context(made.running("traffic", traffic, made.environment("traffic")))
        yield made


def is_healthy(unit: Unit) -> bool:
    """What the worker's own health check says."""
    _, python, *words = unit.services["worker"]["healthcheck"]["test"]
    here = f"{HOST}:{unit.port('worker:9464')}"
    check = [python, *(word.replace("127.0.0.1:9464", here) for word in words)]
    return subprocess.run(check, capture_output=True, check=False).returncode == 0


def asked(unit: Unit, address: str, path: str) -> Any:
    """What a service answers; None while it does not."""
    answer = ask(unit.url(address) + path)
    return answer.text if answer is not None and answer.status_code == httpx.codes.OK else None


def program(*names: str) -> str:
    found = next(filter(None, map(shutil.which, names)), None)
    return found or pytest.skip(f"{names[0]} is not installed (Debian's package {names[0]})")


def test_the_worker_has_made_the_topics_that_its_configuration_names(unit: Unit) -> None:
    folder = ROOT / demo_variables()["CONFIG_FOLDER"]
    wanted = load_worker(folder, unit.environment("worker")).topics
    kafka = KafkaConfig(bootstrap_servers=f"{HOST}:{unit.port('localhost:9092')}")
    names = [*wanted.runs, wanted.scores, wanted.verdicts, wanted.dead_letters]
    made = asyncio.run(count_partitions(kafka, names))
    assert made == dict.fromkeys(names, wanted.partitions)


def test_the_demos_traffic_becomes_verdicts(unit: Unit) -> None:
    def judged() -> set[str]:
        page = asked(unit, "worker:9464", "/metrics") or ""
        states = Figures(page).having("verdict_state", window="1m", verdict="passed")
        return {labels["agent"] for labels, value in states if value == 1}

    wait_until("all agents pass", lambda: judged() == AGENTS)


def test_prometheus_scrapes_the_worker_and_tells_alertmanager(unit: Unit) -> None:
    with ExitStack() as stack:
        stack.enter_context(unit.running("alertmanager", alertmanager(unit)))
        wait_until("Alertmanager is ready", lambda: asked(unit, "alertmanager:9093", "/-/ready"))
        stack.enter_context(unit.running("prometheus", prometheus(unit)))
        wait_until("Prometheus is ready", lambda: asked(unit, "localhost:9090", "/-/ready"))

        def data(path: str) -> Any:
            return httpx.get(f"{unit.url('localhost:9090')}/api/v1/{path}").json()["data"]

        def up() -> set[str]:
            return {sample["metric"]["job"] for sample in data("query?query=up==1")["result"]}

        wait_until(
            "all targets are up", lambda: up() == {"live-scoring", "prometheus", "alertmanager"}
        )
        assert data("alertmanagers")["activeAlertmanagers"]
        groups = {group["name"] for group in data("rules")["groups"]}
        files = (ROOT / "deploy/prometheus/rules").glob("*.yml")
        assert groups == {g["name"] for f in files for g in yaml.safe_load(f.read_text())["groups"]}


def alertmanager(unit: Unit) -> Sequence[str]:
    places = {"/etc/alertmanager": ROOT / "deploy/alertmanager", "/alertmanager": unit.folder / "a"}
    flags = unit.flags("alertmanager", {there: str(here) for there, here in places.items()})
    address = f"{HOST}:{unit.port('alertmanager:9093')}"
    found = program("prometheus-alertmanager", "alertmanager")
    return [found, *flags, f"--web.listen-address={address}"]


def prometheus(unit: Unit) -> Sequence[str]:
    folder = unit.folder / "etc-prometheus"
    folder.mkdir()
    text = (ROOT / "deploy/prometheus/prometheus.yml").read_text()
    text = unit.here(text, "worker:9464", "alertmanager:9093", "localhost:9090")
    (folder / "prometheus.yml").write_text(text)
    (folder / "rules").symlink_to(ROOT / "deploy/prometheus/rules")
    places = {"/etc/prometheus": str(folder), "/prometheus": str(unit.folder / "tsdb")}
    address = f"{HOST}:{unit.port('localhost:9090')}"
    flags = unit.flags("prometheus", places)
    return [program("prometheus"), *flags, f"--web.listen-address={address}"]


def test_what_the_collector_takes_reaches_the_worker(unit: Unit, collector: Path) -> None:
    text = (ROOT / "deploy/compose/otel-collector.yaml").read_text()
    config = unit.folder / "otel-collector.yaml"
    config.write_text(unit.here(text, "kafka:19092", "0.0.0.0:4317", "0.0.0.0:4318"))

    def consumed() -> float:
        figures = Figures(asked(unit, "worker:9464", "/metrics") or "")
        return figures.total("runs_consumed_total", topic="otlp_spans")

    with unit.running("otel-collector", [str(collector), "--config", str(config)]):
        address = unit.url("0.0.0.0:4318")
        wait_until("the Collector listens", lambda: ask(address) is not None)
        agent = OtelAgent("weather-agent", address)
        agent.run()
        agent.close()
        wait_until("its run is read", lambda: consumed() == 1)
