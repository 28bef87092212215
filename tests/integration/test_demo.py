import re
import subprocess
import sys

import pytest

from tests.integration.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.integration

CHANGE = re.compile(r"^ +[\d.]+ s +(\S+) +3s +(\S+) → (\S+)", re.M)


def test_the_demo_shows_trouble_come_and_go_and_ends_well() -> None:
    command = [sys.executable, "-m", "live_scoring", "demo", "--duration", "18"]
    ended = subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, ""), ended.stdout
    changes = CHANGE.findall(ended.stdout)
    assert [c[1:] for c in changes if c[0] == "refund-agent"] == [
        ("no_data", "passed"),
        ("passed", "failed"),
        ("failed", "passed"),
    ]
    assert [c[1:] for c in changes if c[0] == "research-agent"] == [("no_data", "passed")]
    assert "issue_refund" in ended.stdout
    assert re.search(r"^ +http://\S+/metrics$", ended.stdout, re.M), "an address a line"
    assert "0 dead letters" in ended.stdout
