"""A user who may do what deploy/README.md says is needed, and how it logs in."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.integration.kafka import admin
from tests.integration.kafka.rights import Right
from tests.integration.kafka.secured import LOCKED, PASSWORDS, SecuredLab
from tests.integration.lab import PARTITIONS

_RUNBOOK = Path(__file__).parents[3] / "deploy" / "README.md"


def create_topics(lab: SecuredLab) -> None:
    """Make all topics but that of the runs, which a lab has."""
    for name in (lab.scores, lab.panes, lab.dead_letters):
        admin.create_topic(lab.address, name, PARTITIONS)
    admin.create_topic(lab.address, lab.verdicts, PARTITIONS, cleanup_policy="compact")


def rights_of(command: str, lab: SecuredLab) -> Iterator[Right]:
    """What the runbook's table says that a command needs."""
    names = {
        "runs": lab.runs,
        "scores": lab.scores,
        "scores-replay": f"{lab.scores}-replay",
        "verdicts": lab.verdicts,
        "dead_letters": lab.dead_letters,
        "panes": lab.panes,
        "<group_id>": f"{lab.group}*",
    }
    (row,) = re.findall(rf"(?m)^\| [^|]*`{command}`[^|]* \| ([^;|]*)", _RUNBOOK.read_text())
    for operation, name in re.findall(r"(\w+) on `([^`]+)`", row):
        yield Right(operation, "group" if name.startswith("<") else "topic", names[name])


def login(lab: SecuredLab) -> dict[str, str]:
    """Keys of the section `kafka` by which that user logs in."""
    return {
        "security_protocol": "SASL_SSL",
        "ssl_cafile": lab.broker.file("ca.pem"),
        "sasl_mechanism": "SCRAM-SHA-512",
        "sasl_username": LOCKED,
        "sasl_password": PASSWORDS[LOCKED],
    }
