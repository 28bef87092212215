"""The dashboards that exist, and the text of each."""

import json
from collections.abc import Callable
from pathlib import Path

from grafana_foundation_sdk.builders.dashboard import Dashboard
from grafana_foundation_sdk.cog.encoder import JSONEncoder

from deploy.grafana.generate import agent, fleet, replay, worker

FOLDER = Path(__file__).parents[1] / "dashboards"
DASHBOARDS: dict[str, Callable[[], Dashboard]] = {
    "fleet.json": fleet.dashboard,
    "agent.json": agent.dashboard,
    "worker.json": worker.dashboard,
    "replay.json": replay.dashboard,
}
"""By the name of its file."""


def rendered(name: str) -> str:
    """The JSON of a dashboard, as its file holds it."""
    built = DASHBOARDS[name]().build()
    return json.dumps(built, cls=JSONEncoder, indent=2, ensure_ascii=False) + "\n"
