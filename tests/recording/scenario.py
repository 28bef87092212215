"""What every recorded agent is asked, what its model replies, and what its tools do."""

import json
import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

GOLDEN = Path(os.environ.get("GOLDEN") or Path(__file__).parents[1] / "golden")

LEGIBLE = 5_000
"""Characters up to which a payload is kept indented."""

_PLACES = {str(Path(__file__).parent): "/app", sys.prefix: "/venv", sys.base_prefix: "/python"}
"""Where stack traces pass: a second machine has them elsewhere."""

Reply = dict[str, Any]

_TOLD = json.loads((Path(__file__).parent / "scenario.json").read_text())
AGENT: str = _TOLD["agent"]
MODEL: str = _TOLD["model"]
CASES: dict[str, list[dict[str, Any]]] = _TOLD["cases"]
TEAMS: dict[str, list[dict[str, Any]]] = _TOLD["teams"]
"""Cases of several agents."""


def get_weather(city: str) -> dict[str, Any]:
    """Tell the weather of a city."""
    if city not in _TOLD["weather"]:
        raise ValueError(f"no station in {city}")
    weather: dict[str, Any] = _TOLD["weather"][city]
    return weather


def pack_bag(sky: str) -> dict[str, Any]:
    """Pack what the sky asks for."""
    return {"packed": ["coat"] if sky == "rain" else []}


def send_alert(city: str) -> dict[str, Any]:
    """Warn everyone in a city; a person must approve it, and none ever does."""
    raise AssertionError(city)


TOOLS = {"get_weather": get_weather, "pack_bag": pack_bag, "send_alert": send_alert}


def replies(case: str) -> Iterator[Reply]:
    """What the model replies, request by request, over all turns of a case."""
    return (reply for turn in (CASES | TEAMS)[case] for reply in turn["replies"])


def keep(case: str, payload: bytes | object, library: str, **facts: str) -> None:
    """Keep what a library emitted as a golden input; bytes are kept as they are.

    Args:
        case: The folder's name, after `recorded-`.
        payload: One record's value.
        library: The distribution that emitted it.
        facts: What stands around the payload and only the recorder knows.
    """
    folder = GOLDEN / f"recorded-{case}"
    folder.mkdir(parents=True, exist_ok=True)
    if isinstance(payload, bytes):
        (folder / "input.bin").write_bytes(payload)
    else:
        text = json.dumps(payload, indent=1, ensure_ascii=False)
        if len(text) > LEGIBLE:
            text = json.dumps(payload, separators=(",", ":"), ensure_ascii=False)
        for place, shown in _PLACES.items():
            text = text.replace(place, shown)
        (folder / "input.json").write_text(text + "\n")
    source = {
        "library": library,
        "version": version(library),
        "recorded": datetime.now(UTC).date().isoformat(),  # noqa: TID251 -- a fact
        "python": f"{sys.version_info.major}.{sys.version_info.minor}",
    }
    (folder / "source.json").write_text(json.dumps(source | facts, indent=1) + "\n")
