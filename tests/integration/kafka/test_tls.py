"""Connections to a real broker that are secured, and what is told of one that cannot be."""

import pytest

from tests.integration.kafka.logs import logged, reason_to_end
from tests.integration.kafka.secured import PASSWORDS, USER, Secured, SecuredLab
from tests.integration.lab import WINDOW
from tests.integration.runs import native_run
from tests.integration.waiting import wait_until

pytestmark = [pytest.mark.integration, pytest.mark.kafka]

MECHANISMS = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")
PAGES = ("/", "/metrics", "/api/verdicts", "/api/agents")
WAYS = ("tls", "mutual", *MECHANISMS)


def options_of(way: str, broker: Secured) -> dict[str, str]:
    """What a worker needs for a way in."""
    options = {"security_protocol": "SSL", "ssl_cafile": broker.file("ca.pem")}
    if way == "mutual":
        own = {"ssl_certfile": "worker.crt", "ssl_keyfile": "worker.key"}
        options |= {key: broker.file(name) for key, name in own.items()}
    if way in MECHANISMS:
        options |= {"security_protocol": "SASL_SSL", "sasl_mechanism": way}
        options |= {"sasl_username": USER, "sasl_password": PASSWORDS[USER]}
    return options


def listener_of(way: str) -> str:
    return "login" if way in MECHANISMS else way


@pytest.mark.parametrize("way", WAYS)
def test_a_worker_works_over(way: str, secured_lab: SecuredLab) -> None:
    options = options_of(way, secured_lab.broker)
    worker = secured_lab.start_at(listener_of(way), **options)
    secured_lab.send([native_run("run", "agent")])
    wait_until("it passed", lambda: worker.verdict("agent", WINDOW) == "passed")
    wait_until("the fleet page shows it", lambda: worker.verdicts()[0]["verdict"] == "passed")
    told = [page.text for page in map(worker.get, PAGES) if page]
    assert worker.stop() == 0
    secret = options.get("sasl_password", "no password")
    assert not [text for text in (*told, worker.log.read_text()) if secret in text]


@pytest.mark.parametrize(
    ("listener", "cafile", "told", "remedy"),
    [
        ("tls", "other-ca.pem", "unable to get local issuer", "set ssl_cafile"),
        ("expired", "ca.pem", "certificate has expired", "renew"),
        ("elsewhere", "ca.pem", "not valid for '127.0.0.1'", "bootstrap_servers"),
    ],
)
def test_a_broker_that_cannot_be_trusted_earns_one_line(
    listener: str, cafile: str, told: str, remedy: str, secured_lab: SecuredLab
) -> None:
    file = secured_lab.broker.file(cafile)
    worker = secured_lab.start_at(listener, security_protocol="SSL", ssl_cafile=file)
    reason = reason_to_end(worker)
    assert reason.startswith("worker.yaml: kafka: ")
    assert told in reason
    assert remedy in reason
    assert "Traceback" not in worker.log.read_text()


@pytest.mark.parametrize(("listener", "protocol"), [("mutual", "SSL"), ("tls", "PLAINTEXT")])
def test_a_broker_that_is_spoken_to_amiss_is_waited_for_with_a_hint(
    listener: str, protocol: str, secured_lab: SecuredLab
) -> None:
    options = {"security_protocol": protocol}
    if protocol == "SSL":
        options["ssl_cafile"] = secured_lab.broker.file("ca.pem")
    worker = secured_lab.start_at(listener, **options)
    wait_until("it waits", lambda: logged(worker, "waiting for the broker"))
    hint = logged(worker, "waiting for the broker")[0]["error"]
    assert "check security_protocol, and ssl_certfile" in hint


def test_a_refused_login_earns_one_line_without_the_password(secured_lab: SecuredLab) -> None:
    options = options_of("SCRAM-SHA-512", secured_lab.broker) | {"sasl_password": "wrong-horse"}
    worker = secured_lab.start_at("login", **options)
    reason = reason_to_end(worker)
    assert reason.startswith("worker.yaml: kafka: ")
    assert "sasl_password" in reason
    assert "wrong-horse" not in worker.log.read_text()
