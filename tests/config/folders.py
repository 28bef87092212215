"""Configuration folders for tests."""

from collections.abc import Mapping
from pathlib import Path

AGENT = "agent: weather-agent\ngates: {calls-weather: {called_tool: get_weather}}\n"


def write_folder(folder: Path, files: Mapping[str, str] | None = None) -> Path:
    """Write files, by their paths; `agents/weather.yaml` besides unless it is among them."""
    for name, text in ({"agents/weather.yaml": AGENT} | dict(files or {})).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def agent_of(gates: str = "{}", scorers: str = "{}", more: str = "") -> dict[str, str]:
    """The file of `weather-agent` with these rules, each in YAML's flow style."""
    text = f"agent: weather-agent\ngates: {gates}\nscorers: {scorers}\n{more}\n"
    return {"agents/weather.yaml": text}
