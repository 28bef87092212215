import pytest

from tests.integration.kafka.apache import PASSWORD, USER, ApacheKafka
from tests.integration.kafka.logs import reason_to_end
from tests.integration.lab import WINDOW, Lab
from tests.integration.runs import native_run
from tests.integration.waiting import wait_until

pytestmark = [pytest.mark.integration, pytest.mark.kafka]

AGENT = {"agent": "agent", "windows": [WINDOW], "gates": {"fine": {"includes": "fine"}}}


@pytest.fixture
def lab_with_login(lab: Lab, broker: ApacheKafka, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """A lab whose workers must log in."""
    lab.address = broker.login_address
    lab.configure(AGENT)
    lab.address = broker.address
    for name, value in {
        "SECURITY_PROTOCOL": "SASL_PLAINTEXT",
        "SASL_MECHANISM": "PLAIN",
        "SASL_USERNAME": USER,
        "SASL_PASSWORD": PASSWORD,
    }.items():
        monkeypatch.setenv(f"LIVE_SCORING_KAFKA__{name}", value)
    return lab


def test_a_worker_can_log_in(lab_with_login: Lab) -> None:
    worker = lab_with_login.start_worker()
    lab_with_login.send([native_run("run", "agent")])
    wait_until("it passed", lambda: worker.verdict("agent", WINDOW) == "passed")
    wait_until("the fleet page shows it", lambda: worker.verdicts()[0]["verdict"] == "passed")


@pytest.mark.parametrize(
    ("name", "wrong"), [("SASL_PASSWORD", "wrong-horse"), ("SASL_MECHANISM", "SCRAM-SHA-256")]
)
def test_a_refused_login_ends_a_worker_with_one_clear_line(
    lab_with_login: Lab, monkeypatch: pytest.MonkeyPatch, name: str, wrong: str
) -> None:
    monkeypatch.setenv(f"LIVE_SCORING_KAFKA__{name}", wrong)
    worker = lab_with_login.start_worker()
    reason = reason_to_end(worker)
    assert reason.startswith("worker.yaml: kafka: ")
    assert name.lower() in reason
    assert "wrong-horse" not in worker.log.read_text()
