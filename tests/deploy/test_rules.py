"""Rules name metrics that exist, fire as their cases say, are explained, and are Grafana's, too."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from deploy.grafana.generate import alerts
from live_scoring.adapters.metrics.families import FAMILIES, PREFIX
from tests.deploy.provisioned import ProvisionedAlerts, ProvisionedNotifications

DEPLOY = Path(__file__).parents[2] / "deploy"
README = (DEPLOY / "README.md").read_text(encoding="utf-8")
RULES = sorted((DEPLOY / "prometheus" / "rules").glob("*.yml"))
CASES = sorted((DEPLOY / "prometheus" / "tests").glob("*_test.yml"))
ALERTMANAGER = DEPLOY / "alertmanager" / "alertmanager.yml"
NOTIFY = alerts.TARGET.with_name("notify.yml")
DASHBOARDS = {"live-scoring-agent", "live-scoring-worker"}


def in_yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def rules_of(path: Path) -> list[dict[str, Any]]:
    return [rule for group in in_yaml(path)["groups"] for rule in group["rules"]]


ALERTS = [rule for path in alerts.SOURCES for rule in rules_of(path)]


def objections(program: str, *arguments: str | Path) -> str:
    """What one of Prometheus' tools has to say against files."""
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"{program} is not installed (Debian: prometheus, prometheus-alertmanager)")
    command = [found, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 -- theirs
    return "" if done.returncode == 0 else (done.stdout + done.stderr).decode()


def named(alert: dict[str, Any]) -> str:
    return str(alert["alert"])


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.name)
def test_rules_name_only_metrics_that_exist(path: Path) -> None:
    used = set(re.findall(rf"\b{PREFIX}\w+", path.read_text(encoding="utf-8")))
    assert used <= {PREFIX + family.name for family in FAMILIES}


def test_recorded_series_that_alerts_use_are_recorded() -> None:
    recorded = {rule["record"] for path in RULES for rule in rules_of(path) if "record" in rule}
    used = {name for a in ALERTS for name in re.findall(r"live_scoring:[\w:]+", a["expr"])}
    assert used <= recorded


@pytest.mark.parametrize("alert", ALERTS, ids=named)
def test_an_alert_adds_up_all_workers(alert: dict[str, Any]) -> None:
    raw = re.findall(rf"\b{PREFIX}\w+", alert["expr"])
    sums = re.findall(r"without \(instance, pod[,)]|\babsent\(", alert["expr"])
    assert len(sums) == len(raw)


@pytest.mark.parametrize("alert", ALERTS, ids=named)
def test_an_alert_tells_its_figure_and_where_to_look(alert: dict[str, Any]) -> None:
    annotations = alert["annotations"]
    assert annotations["runbook_url"] == f"deploy/README.md#{alert['alert'].lower()}"
    assert re.findall(r"/d/([\w-]+)", annotations["dashboard_url"])[0] in DASHBOARDS
    assert ".Value" in annotations["summary"] or "absent(" in alert["expr"]
    assert "$" not in str(annotations), "Grafana would take it for a variable of its environment"


def test_alerts_that_wake_and_alerts_that_inform_stand_in_files_of_their_own() -> None:
    for path in alerts.SOURCES:
        assert {rule["labels"]["severity"] for rule in rules_of(path)} == {path.stem}


def test_every_heading_of_an_alert_has_one() -> None:
    headings = set(re.findall(r"^### (LiveScoring\w+)", README, re.MULTILINE))
    assert headings == set(map(named, ALERTS))


def test_every_alert_is_seen_firing_and_silent() -> None:
    seen = {
        (test["alertname"], bool(test["exp_alerts"]))
        for path in CASES
        for case in in_yaml(path)["tests"]
        for test in case.get("alert_rule_test", ())
    }
    wanted = set(map(named, ALERTS))
    assert {name for name, fires in seen if fires} == wanted
    assert {name for name, fires in seen if not fires} == wanted


def test_promtool_accepts_the_rules() -> None:
    assert objections("promtool", "check", "rules", "--lint-fatal", *RULES) == ""


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name)
def test_rules_fire_as_their_cases_say(path: Path) -> None:
    assert objections("promtool", "test", "rules", path) == ""


def test_amtool_accepts_the_routes() -> None:
    assert objections("amtool", "check-config", ALERTMANAGER) == ""


@pytest.mark.parametrize("severity", ["page", "info"])
def test_alertmanager_has_a_receiver_for_each_severity(severity: str) -> None:
    program = shutil.which("amtool") or pytest.skip("amtool is not installed")
    command = [program, "config", "routes", "test", f"--config.file={ALERTMANAGER}"]
    done = subprocess.run([*command, f"severity={severity}"], capture_output=True, check=True)  # noqa: S603 -- theirs
    assert done.stdout.decode().strip() == severity


def test_grafana_has_the_rules_of_prometheus() -> None:
    assert alerts.TARGET.read_text(encoding="utf-8") == alerts.rendered(), (
        "write them anew: python -m deploy.grafana.generate"
    )


def test_grafanas_rules_have_the_form_that_it_documents() -> None:
    provisioned = ProvisionedAlerts.model_validate(in_yaml(alerts.TARGET))
    rules = [rule for group in provisioned.groups for rule in group.rules]
    assert [rule.title for rule in rules] == list(map(named, ALERTS))
    assert all(rule.condition in {query.refId for query in rule.data} for rule in rules)
    assert len({rule.uid for rule in rules}) == len(rules)


def test_grafana_tells_one_webhook_that_its_environment_names() -> None:
    notify = ProvisionedNotifications.model_validate(in_yaml(NOTIFY))
    (point,) = notify.contactPoints
    (receiver,) = point.receivers
    assert receiver.settings["url"] == "$LIVE_SCORING_ALERTS_URL"
    assert {policy.receiver for policy in notify.policies} == {point.name}
