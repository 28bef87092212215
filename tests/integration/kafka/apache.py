"""Nodes of Apache Kafka on this machine, each of which keeps what it holds when it is restarted."""

import resource
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from live_scoring.adapters.embedded_broker import HOST, leashed
from tests.integration.kafka.fetching import UnavailableError, find_command
from tests.integration.lab import free_port
from tests.integration.waiting import wait_until

USER, PASSWORD = "worker", "correct-horse"

_SETTINGS = """\
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@{host}:{controller}
listeners=OPEN://{host}:{open},LOGIN://{host}:{login},CONTROLLER://{host}:{controller}
listener.security.protocol.map=OPEN:PLAINTEXT,LOGIN:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT
inter.broker.listener.name=OPEN
controller.listener.names=CONTROLLER
listener.name.login.sasl.enabled.mechanisms=PLAIN
listener.name.login.plain.sasl.jaas.config={module} required user_{user}="{password}";
log.dirs={data}
auto.create.topics.enable=false
offsets.topic.num.partitions=4
offsets.topic.replication.factor=1
group.initial.rebalance.delay.ms=0
log.cleaner.backoff.ms=100
"""
_CLUSTER_ID = "bGl2ZS1zY29yaW5nLXRlcw"
"""The same for all nodes of a cluster, so for all; 16 bytes in base64."""
_LOGIN_MODULE = "org.apache.kafka.common.security.plain.PlainLoginModule"
_JVM = (
    "-Xmx512m",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",  # starts in half the time
    "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
)
_STOP_SECONDS = 20.0
"""By then it is killed: one that has lost the others of its cluster waits for them."""


class Node:
    """A node that can be stopped and started again."""

    def __init__(
        self,
        classpath: str,
        folder: Path,
        settings: str,
        ports: Sequence[int],
        *format_options: str,
    ) -> None:
        """Make its storage; it does not run yet.

        Args:
            classpath: What Java needs to run it.
            folder: For its settings and its log.
            settings: What is written to its `server.properties`.
            ports: It is ready when it listens on these.
            format_options: For the tool that makes its storage.

        Raises:
            UnavailableError: There is no Java, or it is too old.
        """
        self._java = [find_command("java"), *_JVM, "-cp", classpath]
        self._settings, self._log = folder / "server.properties", folder / "kafka.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._ports = ports
        self._settings.write_text(settings)
        self._format(format_options)

    def _format(self, options: Sequence[str]) -> None:
        tool = ["kafka.tools.StorageTool", "format", "-t", _CLUSTER_ID, "-c", str(self._settings)]
        formatted = subprocess.run(
            [*self._java, *tool, *options], capture_output=True, check=False, text=True
        )
        if "UnsupportedClassVersionError" in formatted.stderr:
            raise UnavailableError("this Java is too old, 17 is needed")
        if formatted.returncode:
            raise RuntimeError(f"cannot format the storage: {formatted.stderr}")

    def start(self) -> None:
        """Start it and wait until it takes connections; it dies with this process."""
        self.launch()
        self.wait_ready()

    def wait_ready(self) -> None:
        """Wait until it takes connections."""
        wait_until("Apache Kafka is ready", self._is_listening)

    def launch(self) -> None:
        """Start it and do not wait: one of several is ready only once others run."""
        with self._log.open("ab") as output:
            self._process = subprocess.Popen(
                leashed(*self._java, "kafka.Kafka", str(self._settings)),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def kill(self) -> None:
        """`kill -9`."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def fill_disk(self) -> None:
        """Let it write to no file any more, as on a full disk, and wait until it has ended."""
        if self._process is not None:
            resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE, (0, 0))
            wait_until("Apache Kafka has ended", lambda: self._has_ended)

    @property
    def _has_ended(self) -> bool:
        return self._process is None or self._process.poll() is not None

    def _is_listening(self) -> bool:
        if self._has_ended:
            raise RuntimeError(f"Apache Kafka ended: {self._log.read_text()[-2_000:]}")
        return all(map(_is_taken, self._ports))

    def stop(self) -> None:
        """End it, by force if it does not go."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()

    @contextmanager
    def gone(self, seconds: float) -> Iterator[None]:
        """Let it be gone for so long at least; back when the block has ended."""
        back_at = time.monotonic() + seconds
        self.stop()
        try:
            yield
            time.sleep(max(0.0, back_at - time.monotonic()))
        finally:
            self.start()


class ApacheKafka(Node):
    """The node of these tests, with an address for anyone and one that asks for a login."""

    def __init__(self, classpath: str, folder: Path) -> None:
        """Make its storage; it does not run yet.

        Raises:
            UnavailableError: There is no Java, or it is too old.
        """
        self._port, self._login_port = free_port(), free_port()
        settings = _SETTINGS.format(
            host=HOST,
            open=self._port,
            login=self._login_port,
            controller=free_port(),
            module=_LOGIN_MODULE,
            user=USER,
            password=PASSWORD,
            data=folder / "data",
        )
        super().__init__(classpath, folder, settings, (self._port, self._login_port))

    @property
    def address(self) -> str:
        """Where anyone may connect."""
        return f"{HOST}:{self._port}"

    @property
    def login_address(self) -> str:
        """Where only `USER` with `PASSWORD` may connect."""
        return f"{HOST}:{self._login_port}"


def _is_taken(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex((HOST, port)) == 0
