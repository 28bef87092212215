"""What can be said of docker-compose.yml without an engine that runs it."""

import os
import re
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from live_scoring.config import load_config
from tests.deploy.compose import FILE, demo_variables, read_compose, used_variables
from tests.deploy.tools import ROOT, run
from tests.integration.kafka.fetching import VERSION as KAFKA
from tests.integration.otel_collector import VERSION as COLLECTOR

COMPOSE = read_compose({})
SERVICES: Mapping[str, Mapping[str, Any]] = COMPOSE["services"]
each_service = pytest.mark.parametrize("name", SERVICES)


@pytest.mark.parametrize("variables", [{}, demo_variables()], ids=["as it is", "demo"])
def test_compose_can_read_it(compose_spec: Path, variables: dict[str, str]) -> None:
    checked = run([compose_spec, FILE], os.environ | variables)
    assert (checked.returncode, checked.stderr) == (0, "")


@each_service
def test_a_service_may_write_to_its_volumes_and_do_nothing_as_root(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert not service.keys() & {"privileged", "cap_add", "network_mode", "pid", "devices"}


@each_service
def test_a_service_is_reached_from_this_machine_alone(name: str) -> None:
    for port in SERVICES[name].get("ports", []):
        assert re.fullmatch(r"127\.0\.0\.1:(\d+):\1", port)


@each_service
def test_a_service_has_an_image_of_one_version_and_bounds(name: str) -> None:
    assert re.search(r":v?\d+\.\d+\.\d+$", SERVICES[name]["image"])
    limits = SERVICES[name]["deploy"]["resources"]["limits"]
    assert limits.keys() == {"cpus", "memory"}


@each_service
def test_a_service_starts_once_those_it_needs_are_healthy(name: str) -> None:
    for needed, how in SERVICES[name].get("depends_on", {}).items():
        assert how == {"condition": "service_healthy"}
        assert SERVICES[needed]["healthcheck"]["test"]


@each_service
def test_what_a_service_mounts_from_here_is_here_and_read_only(name: str) -> None:
    for volume in SERVICES[name].get("volumes", []):
        source, _, how = volume.partition(":")
        if source.startswith("."):
            assert (ROOT / source).exists()
            assert how.endswith(":ro")
        else:
            assert source in COMPOSE["volumes"]


def test_no_password_stands_in_it() -> None:
    settings = {key for service in SERVICES.values() for key in service.get("environment", {})}
    assert not [key for key in settings if re.search("PASSWORD|SECRET|TOKEN", key)]


def test_its_head_names_each_variable_that_it_takes() -> None:
    head = FILE.read_text(encoding="utf-8").partition("name:")[0]
    assert set(re.findall(r"^# ([A-Z_]+)  ", head, re.M)) == used_variables()


def test_the_versions_are_those_that_are_tested() -> None:
    images = {name: service["image"].rpartition(":")[2] for name, service in SERVICES.items()}
    assert images["kafka"] == KAFKA
    assert images["otel-collector"] == COLLECTOR.removeprefix("v")
    assert images["worker"] == images["traffic"] == version("live-scoring-worker")


@pytest.mark.parametrize("variables", [{}, demo_variables()], ids=["as it is", "demo"])
def test_the_worker_can_use_its_configuration(variables: dict[str, str]) -> None:
    worker = read_compose(variables)["services"]["worker"]
    folder = worker["volumes"][0].partition(":")[0]
    config = load_config(ROOT / folder, worker["environment"])
    assert config.worker.kafka.bootstrap_servers == "kafka:19092"
    windows = ("1m", "5m") if variables else ("5m", "1h")
    assert tuple(config.worker.windows) == windows
    assert all(tuple(agent.windows) == windows for agent in config.agents)


def test_the_collector_writes_to_a_topic_that_the_worker_reads() -> None:
    worker = load_config(ROOT / "config", SERVICES["worker"]["environment"]).worker
    collector = (ROOT / "deploy/compose/otel-collector.yaml").read_text(encoding="utf-8")
    (topic,) = re.findall(r"topic: (\w+)", collector)
    assert topic in worker.topics.runs
    assert worker.kafka.bootstrap_servers in collector
