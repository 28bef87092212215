"""The runbook's tables match the code, and its rules name metrics that exist and fire as tested."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from live_scoring.adapters.metrics.families import FAMILIES, PREFIX
from tests.adapters.fed_metrics import OPENMETRICS, families, fed_metrics

DEPLOY = Path(__file__).parents[2] / "deploy"
README = (DEPLOY / "README.md").read_text(encoding="utf-8")
RULES = sorted((DEPLOY / "prometheus").glob("*.yml"))
ALERTS = DEPLOY / "prometheus" / "alerts.yml"
OWN_LABELS = {"histogram": {"le"}}
"""Labels that a kind brings along."""
SUFFIXES = {"counter": "_total", "info": "_info"}

Row = tuple[str, str, frozenset[str], str]


def documented() -> set[Row]:
    rows = re.findall(rf"^\| `({PREFIX}\w+)` \| (\w+) \|(.*?)\| (.*) \|$", README, re.MULTILINE)
    return {
        (name, kind, frozenset(re.findall(r"`(\w+)`", labels)), text)
        for name, kind, labels, text in rows
    }


def rendered() -> set[Row]:
    return {
        (
            family.name + SUFFIXES.get(family.type, ""),
            family.type,
            frozenset(family.samples[0].labels.keys() - OWN_LABELS.get(family.type, set())),
            family.documentation,
        )
        for family in families(fed_metrics(), OPENMETRICS)
    }


def promtool(*arguments: str | Path, page: bytes = b"") -> str:
    """What promtool objects to."""
    program = shutil.which("promtool")
    if program is None:
        pytest.skip("promtool is not installed (Debian: package prometheus)")
    command = [program, *map(str, arguments)]
    done = subprocess.run(command, input=page, capture_output=True, check=False)  # noqa: S603 -- promtool
    return "" if done.returncode == 0 else (done.stdout + done.stderr).decode()


def test_the_table_is_what_a_worker_shows() -> None:
    assert documented() == rendered()
    assert len(FAMILIES) == len(rendered())


def test_every_series_of_a_family_has_the_same_labels() -> None:
    for family in families(fed_metrics(), OPENMETRICS):
        assert len({frozenset(s.labels.keys() - {"le"}) for s in family.samples}) == 1


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.name)
def test_rules_name_only_metrics_that_exist(path: Path) -> None:
    used = set(re.findall(rf"\b{PREFIX}\w+", path.read_text(encoding="utf-8")))
    assert used <= {PREFIX + family.name for family in FAMILIES}


def test_every_alert_is_explained_and_tested() -> None:
    groups = yaml.safe_load(ALERTS.read_text(encoding="utf-8"))["groups"]
    alerts = {rule["alert"] for group in groups for rule in group["rules"]}
    assert set(re.findall(r"^\| `(\w+)` \| [A-Z]", README, re.MULTILINE)) == alerts
    cases = yaml.safe_load(ALERTS.with_name("alerts_test.yml").read_text(encoding="utf-8"))["tests"]
    fired = {
        test["alertname"]
        for case in cases
        for test in case["alert_rule_test"]
        if test["exp_alerts"]
    }
    assert fired == alerts


def test_promtool_accepts_the_page() -> None:
    assert promtool("check", "metrics", page=fed_metrics().render()[0]) == ""


def test_promtool_accepts_the_rules() -> None:
    files = [path for path in RULES if not path.stem.endswith("_test")]
    assert promtool("check", "rules", "--lint-fatal", *files) == ""


@pytest.mark.parametrize("name", ["rules_test.yml", "alerts_test.yml"])
def test_rules_fire_as_their_cases_say(name: str) -> None:
    assert promtool("test", "rules", DEPLOY / "prometheus" / name) == ""
