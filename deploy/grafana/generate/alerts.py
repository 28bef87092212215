"""Grafana's alert rules: those of Prometheus, asked by Grafana."""

import re
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import yaml

_DEPLOY = Path(__file__).parents[2]
SOURCES = tuple(_DEPLOY / "prometheus" / "rules" / name for name in ("page.yml", "info.yml"))
TARGET = _DEPLOY / "grafana" / "provisioning" / "alerting" / "rules.yml"
DATA_SOURCE = "prometheus"
"""Uid of the data source that has the recorded series."""

_INTERVAL = timedelta(seconds=30)
_HEAD = (
    "# Made from ../../../prometheus/rules by `python -m deploy.grafana.generate`; edit those.\n"
)
_UNBROKEN = 1_000
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours"}


class _Dumper(yaml.SafeDumper):
    """Writes queries line by line, and nothing as a reference to what stands above."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 -- whatever it is
        return True


_Dumper.add_representer(
    str,
    lambda dumper, text: dumper.represent_scalar(
        "tag:yaml.org,2002:str", text, style="|" if "\n" in text else None
    ),
)


def rendered() -> str:
    """The provisioning file that holds the rules."""
    groups = [group for path in SOURCES for group in yaml.safe_load(path.read_text())["groups"]]
    provisioned = {"apiVersion": 1, "groups": [_group(group) for group in groups]}
    return _HEAD + yaml.dump(provisioned, Dumper=_Dumper, sort_keys=False, width=_UNBROKEN)


def _group(group: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "orgId": 1,
        "name": group["name"],
        "folder": "Live scoring",
        "interval": f"{_INTERVAL.seconds}s",
        "rules": [_rule(rule) for rule in group["rules"]],
    }


def _rule(rule: Mapping[str, Any]) -> dict[str, Any]:
    keep = _length(rule.get("keep_firing_for", "0s"))
    return {
        "uid": re.sub(r"(?<!^)(?=[A-Z])", "-", rule["alert"]).lower(),
        "title": rule["alert"],
        "condition": "fires",
        "data": [_query(rule["expr"]), _FIRES],
        # A comparison that nothing meets has no result: all is well.
        "noDataState": "OK",
        "execErrState": "Error",
        "for": rule.get("for", "0s"),
        "keepFiringFor": rule.get("keep_firing_for", "0s"),
        # The same for one series of several: Grafana else calls it mended after two evaluations.
        "missing_series_evals_to_resolve": 1 + keep // _INTERVAL,
        "labels": rule["labels"],
        "annotations": {name: _template(text) for name, text in rule["annotations"].items()},
    }


def _query(expr: str) -> dict[str, Any]:
    return {
        "refId": "value",
        "relativeTimeRange": {"from": 600, "to": 0},
        "datasourceUid": DATA_SOURCE,
        "model": {"refId": "value", "expr": expr, "instant": True, "range": False},
    }


_FIRES: dict[str, Any] = {
    "refId": "fires",
    "datasourceUid": "__expr__",
    "model": {"refId": "fires", "type": "math", "expression": "is_number($value)"},
}
"""Whatever has a value fires, be it 0 or below, as in Prometheus."""


def _template(text: str) -> str:
    """A template of Prometheus, which has one value, as one of Grafana, which has one a query."""
    return re.sub(r"\.Value\b", ".Values.value.Value", text)


def _length(text: str) -> timedelta:
    return timedelta(**{_UNITS[text[-1]]: int(text[:-1])})
