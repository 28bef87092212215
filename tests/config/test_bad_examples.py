"""Each folder of `bad/` has one defect, and `expected.txt` the exact message that it earns."""

import shutil
from pathlib import Path

import pytest

from live_scoring.config import ConfigError, load_config

BAD = Path(__file__).parent / "bad"
AGENT = "agent: weather-agent\ngates: {calls-weather: {called_tool: get_weather}}\n"


@pytest.mark.parametrize("name", sorted(folder.name for folder in BAD.iterdir()))
def test_a_bad_example_earns_its_message(name: str, tmp_path: Path, is_updating: bool) -> None:
    folder = tmp_path / "config"
    shutil.copytree(BAD / name, folder, ignore=shutil.ignore_patterns("expected.txt"))
    agents = folder / "agents"
    if not agents.exists():
        agents.mkdir()
        (agents / "weather.yaml").write_text(AGENT)

    with pytest.raises(ConfigError) as raised:
        load_config(folder, {})

    message = str(raised.value).replace(folder.as_posix(), "config") + "\n"
    expected = BAD / name / "expected.txt"
    if is_updating:
        expected.write_text(message, encoding="utf-8")
    assert message == expected.read_text(encoding="utf-8")
