"""A node of Apache Kafka behind TLS, logins and an authorizer, and its certificates."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import trustme
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from live_scoring.adapters.embedded_broker import HOST
from tests.integration.kafka.apache import Node
from tests.integration.lab import WINDOW, Lab, free_port
from tests.integration.waiting import PATIENCE_SECONDS
from tests.integration.workers import Worker

USER, LOCKED = "worker", "locked"
"""One who may do everything, and one who may do what a test grants."""
PASSWORDS = {USER: "correct-horse-battery", LOCKED: "staple-of-the-locked"}
LISTENERS = ("open", "tls", "mutual", "expired", "elsewhere", "login")
"""For anyone; with TLS; with TLS of both sides; with a certificate that has expired; with one of
another host; with TLS and a login."""

_SECURITY = "org.apache.kafka.common.security"
_SETTINGS = """\
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@{host}:{controller}
listeners={listeners},CONTROLLER://{host}:{controller}
listener.security.protocol.map=OPEN:PLAINTEXT,TLS:SSL,MUTUAL:SSL,EXPIRED:SSL,ELSEWHERE:SSL,LOGIN:SASL_SSL,CONTROLLER:PLAINTEXT
inter.broker.listener.name=OPEN
controller.listener.names=CONTROLLER
ssl.keystore.type=PEM
ssl.keystore.location={folder}/broker.pem
listener.name.expired.ssl.keystore.type=PEM
listener.name.expired.ssl.keystore.location={folder}/expired.pem
listener.name.elsewhere.ssl.keystore.type=PEM
listener.name.elsewhere.ssl.keystore.location={folder}/elsewhere.pem
listener.name.mutual.ssl.client.auth=required
listener.name.mutual.ssl.truststore.type=PEM
listener.name.mutual.ssl.truststore.location={folder}/ca.pem
listener.name.mutual.ssl.principal.mapping.rules=RULE:^.*CN=([a-z]+).*$/$1/
listener.name.login.sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512
listener.name.login.plain.sasl.jaas.config={security}.plain.PlainLoginModule required {users};
listener.name.login.scram-sha-256.sasl.jaas.config={security}.scram.ScramLoginModule required;
listener.name.login.scram-sha-512.sasl.jaas.config={security}.scram.ScramLoginModule required;
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:ANONYMOUS;User:{user}
log.dirs={folder}/data
auto.create.topics.enable=false
offsets.topic.num.partitions=4
offsets.topic.replication.factor=1
group.initial.rebalance.delay.ms=0
"""
_LONG_AGO, _DAY = datetime(2020, 1, 1, tzinfo=UTC), timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Secured:
    """The node, by its listeners, and the files that its clients need."""

    ports: Mapping[str, int]
    folder: Path

    @property
    def address(self) -> str:
        """Where anyone may connect and do everything."""
        return self.at("open")

    def at(self, listener: str) -> str:
        """Where a listener is."""
        return f"{HOST}:{self.ports[listener]}"

    def file(self, name: str) -> str:
        """The path of `ca.pem`, `other-ca.pem`, `worker.crt` or `worker.key`."""
        return str(self.folder / name)


@contextmanager
def secured(classpath: str, folder: Path) -> Iterator[Secured]:
    """Run the node.

    Raises:
        UnavailableError: There is no Java, or it is too old.
    """
    _write_certificates(folder)
    ports = {name: free_port() for name in LISTENERS}
    settings = _SETTINGS.format(
        host=HOST,
        listeners=",".join(f"{name.upper()}://{HOST}:{port}" for name, port in ports.items()),
        controller=free_port(),
        folder=folder,
        security=_SECURITY,
        users=" ".join(f'user_{name}="{password}"' for name, password in PASSWORDS.items()),
        user=USER,
    )
    node = Node(classpath, folder, settings, tuple(ports.values()), *_scram_options())
    try:
        node.start()
        yield Secured(ports, folder)
    finally:
        node.stop()


def _scram_options() -> Iterator[str]:
    for mechanism in ("SCRAM-SHA-256", "SCRAM-SHA-512"):
        for name, password in PASSWORDS.items():
            yield from ("--add-scram", f"{mechanism}=[name={name},password={password}]")


def _write_certificates(folder: Path) -> None:
    authority, other = trustme.CA(), trustme.CA()
    authority.cert_pem.write_to_path(folder / "ca.pem")
    other.cert_pem.write_to_path(folder / "other-ca.pem")
    expired = authority.issue_cert(HOST, not_before=_LONG_AGO, not_after=_LONG_AGO + _DAY)
    _write_for_kafka(authority.issue_cert(HOST), folder / "broker.pem")
    _write_for_kafka(expired, folder / "expired.pem")
    _write_for_kafka(authority.issue_cert("elsewhere.example.com"), folder / "elsewhere.pem")
    own = authority.issue_cert("worker.example.com", common_name=USER)
    own.cert_chain_pems[0].write_to_path(folder / "worker.crt")
    own.private_key_pem.write_to_path(folder / "worker.key")


def _write_for_kafka(certificate: trustme.LeafCert, path: Path) -> None:
    """Key and certificates in one file; Kafka reads keys as PKCS #8 alone."""
    key = load_pem_private_key(certificate.private_key_pem.bytes(), password=None)
    as_pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.write_bytes(as_pem + b"".join(pem.bytes() for pem in certificate.cert_chain_pems))


class SecuredLab(Lab):
    """A lab whose own hands use the listener for anyone, and whose workers another."""

    def __init__(self, broker: Secured, name: str, folder: Path) -> None:
        """Name topics and group after the test."""
        super().__init__(broker.address, name, folder)
        self.broker = broker
        self.configure(
            {"agent": "agent", "windows": [WINDOW], "gates": {"fine": {"includes": "fine"}}}
        )

    def start_at(self, listener: str, *options: str, **kafka: str) -> Worker:
        """Start a worker with keys of the section `kafka`."""
        return self.start_worker(*options, **self._variables(listener, kafka))

    def output_of(self, *command: str, **kafka: str) -> str:
        """What a command prints that logs in."""
        variables = self._variables("login", kafka)
        environment = os.environ | {f"LIVE_SCORING_{key}": v for key, v in variables.items()}
        whole = [sys.executable, "-m", "live_scoring", *command, "--config", str(self.config)]
        ended = subprocess.run(
            whole,
            env=environment,
            capture_output=True,
            check=False,
            text=True,
            timeout=PATIENCE_SECONDS,
        )
        return ended.stdout + ended.stderr

    def _variables(self, listener: str, kafka: Mapping[str, str]) -> Mapping[str, str]:
        given = {"bootstrap_servers": self.broker.at(listener), **kafka}
        return {f"KAFKA__{key.upper()}": value for key, value in given.items()}
