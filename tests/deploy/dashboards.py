"""The committed dashboards as tests read them."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "deploy/grafana/dashboards"
NAMES = ("fleet.json", "agent.json", "worker.json", "replay.json")


def read(name: str) -> dict[str, Any]:
    """A dashboard."""
    found: dict[str, Any] = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return found


def panels(dashboard: dict[str, Any]) -> list[dict[str, Any]]:
    """Its panels without the rows' titles."""
    return [panel for panel in dashboard["panels"] if panel["type"] != "row"]


def expressions(dashboard: dict[str, Any]) -> Iterator[str]:
    """Every query of its panels, marks and variables."""
    for panel in panels(dashboard):
        yield from (target["expr"] for target in panel["targets"])
    yield from (marks["expr"] for marks in dashboard.get("annotations", {}).get("list", []))
    for variable in dashboard["templating"]["list"]:
        if variable["type"] == "query":
            yield variable["query"]["query"]


def variables_in(text: str) -> set[str]:
    """Names of the variables that a text uses; `$1` is a regular expression's."""
    found = re.finditer(r"\$(?:\{([a-z_]\w*)|([a-z_]\w*))", text)
    return {name for match in found for name in match.groups() if name}
