"""The dashboards' files: what can be said of them without a Prometheus and a Grafana."""

import json
import re
from collections import Counter
from itertools import pairwise
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from grafana_foundation_sdk.models import units

from deploy.grafana.generate.dashboards import DASHBOARDS, rendered
from live_scoring.adapters.metrics.families import FAMILIES, PREFIX
from tests.deploy.dashboards import FOLDER, NAMES, expressions, panels, read, variables_in

SOURCE = {"type": "prometheus", "uid": "${datasource}"}
GLOBAL = {
    "__all",
    "__rate_interval",
    "__range",
    "__interval",
    "__url_time_range",
    "__data",
    "__field",
}
CARRIED = {"${datasource:queryparam}", "${job:queryparam}", "${__url_time_range}"}
UNITS = {value for name, value in vars(units).items() if not name.startswith("_")}
UNITS |= {"suffix: runs/s", "suffix: scores/s", "suffix: records/s"}
NOT_SHOWN = {"config_last_reload_success_timestamp_seconds", "score_value"}
OF_THE_PROCESS = {"process_cpu_seconds_total", "process_resident_memory_bytes"}

each_dashboard = pytest.mark.parametrize("name", NAMES)


def test_the_files_are_what_the_description_makes() -> None:
    assert {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()} == {
        name: rendered(name) for name in DASHBOARDS
    }, "run: python -m deploy.grafana.generate"


def test_there_are_four_dashboards_with_addresses_of_their_own() -> None:
    assert set(DASHBOARDS) == set(NAMES)
    assert [read(name)["uid"] for name in NAMES] == [
        "live-scoring-fleet",
        "live-scoring-agent",
        "live-scoring-worker",
        "live-scoring-replay",
    ]


def test_the_runbook_tells_where_each_is() -> None:
    runbook = (FOLDER.parents[1] / "README.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| \w+ \| .* \| `/d/(\S+)` \|$", runbook, re.MULTILINE)
    assert told == [read(name)["uid"] for name in NAMES]


@each_dashboard
def test_ids_of_panels_are_unique(name: str) -> None:
    ids = [panel["id"] for panel in read(name)["panels"]]
    assert len(set(ids)) == len(ids)
    assert min(ids) > 0


@each_dashboard
def test_panels_fill_the_grid_without_a_gap_or_an_overlap(name: str) -> None:
    places = [panel["gridPos"] for panel in read(name)["panels"]]
    cells = Counter(
        (x, y)
        for at in places
        for x in range(at["x"], at["x"] + at["w"])
        for y in range(at["y"], at["y"] + at["h"])
    )
    bottom = max(at["y"] + at["h"] for at in places)
    assert cells == Counter((x, y) for x in range(24) for y in range(bottom))


@each_dashboard
def test_every_panel_has_a_title_a_description_a_unit_and_limits_in_order(name: str) -> None:
    for panel in panels(read(name)):
        assert panel["title"]
        assert panel["description"].endswith(".")
        defaults = panel["fieldConfig"]["defaults"]
        first, *others = (step["value"] for step in defaults["thresholds"]["steps"])
        assert first is None
        assert all(low < high for low, high in pairwise(others))
        assert {defaults["unit"], *units_of_columns(panel)} <= UNITS, panel["title"]


def units_of_columns(panel: dict[str, Any]) -> set[str]:
    overrides = panel["fieldConfig"]["overrides"]
    properties = [item for override in overrides for item in override["properties"]]
    return {item["value"] for item in properties if item["id"] == "unit"}


@each_dashboard
def test_no_two_panels_have_one_title(name: str) -> None:
    assert set(Counter(panel["title"] for panel in panels(read(name))).values()) == {1}


@each_dashboard
def test_every_data_source_is_the_chosen_one(name: str) -> None:
    dashboard = read(name)
    chosen, *others = dashboard["templating"]["list"]
    assert (chosen["name"], chosen["type"], chosen["query"]) == (
        "datasource",
        "datasource",
        "prometheus",
    )
    asking = [*panels(dashboard), *others, *dashboard.get("annotations", {}).get("list", [])]
    targets = [target for panel in panels(dashboard) for target in panel["targets"]]
    assert all(asks["datasource"] == SOURCE for asks in [*asking, *targets])


@each_dashboard
def test_targets_of_a_panel_are_told_apart(name: str) -> None:
    for panel in panels(read(name)):
        refs = [target["refId"] for target in panel["targets"]]
        assert refs == sorted(set(refs))


@each_dashboard
def test_every_variable_that_is_used_is_there_and_none_besides(name: str) -> None:
    dashboard = read(name)
    known = {variable["name"] for variable in dashboard["templating"]["list"]}
    assert variables_in(json.dumps(dashboard)) - GLOBAL == known


@each_dashboard
def test_queries_name_metrics_that_exist(name: str) -> None:
    known = {PREFIX + family.name for family in FAMILIES} | OF_THE_PROCESS
    known |= {f"{PREFIX}{f.name}_bucket" for f in FAMILIES if f.kind == "histogram"}
    for expression in expressions(read(name)):
        named = re.findall(r"\b(?:live_scoring|process)_\w+", expression)
        assert named, expression
        assert set(named) <= known


def test_every_metric_is_on_a_dashboard_or_left_out_on_purpose() -> None:
    asked = " ".join(each for name in NAMES for each in expressions(read(name)))
    silent = {f.name for f in FAMILIES if not re.search(rf"\b{PREFIX}{f.name}(_bucket)?\b", asked)}
    assert silent == NOT_SHOWN


@each_dashboard
def test_queries_of_windows_say_whether_they_mean_a_replay(name: str) -> None:
    per_window = [PREFIX + family.name for family in FAMILIES if "window" in family.labels]
    for expression in expressions(read(name)):
        for metric in per_window:
            for selector in re.findall(rf"\b{metric}\b(\{{[^}}]*\}})?", expression):
                is_split = metric != "live_scoring_window_complete"
                assert ("replay" in selector) is is_split, expression


@each_dashboard
def test_queries_of_live_series_keep_to_the_chosen_fleets(name: str) -> None:
    for expression in expressions(read(name)):
        for selector in re.findall(r"\blive_scoring_\w+(\{[^}]*\})?", expression):
            is_live = not re.search(r'replay="\$replay"|replay!=""', selector)
            of_variable = expression == "label_values(live_scoring_build_info, job)"
            assert ('job=~"$job"' in selector) is (is_live and not of_variable), expression


@each_dashboard
def test_links_lead_to_dashboards_and_fill_their_variables(name: str) -> None:
    known = {read(other)["uid"]: read(other) for other in NAMES}
    urls = list(urls_in(read(name)))
    assert len(urls) >= len(NAMES) - 1
    for url in urls:
        path, query = urlsplit(url)[2:4]
        aimed_at = known[path.removeprefix("/d/")]
        variables = {f"var-{each['name']}" for each in aimed_at["templating"]["list"]}
        given = {key for key, _ in parse_qsl(query, keep_blank_values=True)}
        assert given - variables <= CARRIED


def urls_in(found: Any) -> list[str]:
    if isinstance(found, dict):
        own = [found["url"]] if found.get("url") else []
        return own + [url for value in found.values() for url in urls_in(value)]
    return [url for value in found for url in urls_in(value)] if isinstance(found, list) else []
