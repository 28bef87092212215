"""Three nodes of Apache Kafka that copy all they hold, and an address that can be cut off."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from live_scoring.adapters.embedded_broker import HOST
from tests.integration.kafka.apache import Node
from tests.integration.lab import free_port
from tests.integration.proxy import Proxy

NODES = 3

_SETTINGS = """\
process.roles=broker,controller
node.id={number}
controller.quorum.voters={voters}
listeners=OPEN://{host}:{open},BEHIND://{host}:{behind},CONTROLLER://{host}:{controller}
advertised.listeners=OPEN://{host}:{open},BEHIND://{host}:{proxy}
listener.security.protocol.map=OPEN:PLAINTEXT,BEHIND:PLAINTEXT,CONTROLLER:PLAINTEXT
inter.broker.listener.name=OPEN
controller.listener.names=CONTROLLER
log.dirs={data}
auto.create.topics.enable=false
default.replication.factor={nodes}
min.insync.replicas={insync}
offsets.topic.num.partitions=4
offsets.topic.replication.factor={nodes}
transaction.state.log.replication.factor={nodes}
group.initial.rebalance.delay.ms=0
broker.session.timeout.ms=3000
broker.heartbeat.interval.ms=500
replica.lag.time.max.ms=5000
"""


class Cluster:
    """A cluster whose nodes can be killed one at a time; what two have confirmed stays."""

    def __init__(self, classpath: str, folder: Path, nodes: int = NODES) -> None:
        """Make the nodes' storage; nothing runs yet.

        Raises:
            UnavailableError: There is no Java, or it is too old.
        """
        controllers = [free_port() for _ in range(nodes)]
        voters = [f"{number}@{HOST}:{port}" for number, port in enumerate(controllers, start=1)]
        self.nodes: list[Node] = []
        """In the order of their numbers, from 1."""
        self.proxies: list[Proxy] = []
        """One before each node, on the way of those who connect to `address_behind`."""
        self._ports: list[int] = []
        for number, controller in enumerate(controllers, start=1):
            open_port, behind, proxy = free_port(), free_port(), free_port()
            place = folder / f"node-{number}"
            place.mkdir()
            settings = _SETTINGS.format(
                number=number,
                voters=",".join(voters),
                nodes=nodes,
                insync=min(nodes, 2),
                host=HOST,
                controller=controller,
                open=open_port,
                behind=behind,
                proxy=proxy,
                data=place / "data",
            )
            self.nodes.append(Node(classpath, place, settings, (open_port, behind)))
            self.proxies.append(Proxy(proxy, behind))
            self._ports.append(open_port)

    @property
    def address(self) -> str:
        """All nodes."""
        return ",".join(f"{HOST}:{port}" for port in self._ports)

    @property
    def address_behind(self) -> str:
        """All nodes, by way of the proxies."""
        return ",".join(f"{HOST}:{proxy.port}" for proxy in self.proxies)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Run all nodes and proxies until the block ends."""
        with ExitStack() as stack:
            for node in self.nodes:
                stack.callback(node.kill)
                node.launch()
            for node in self.nodes:
                node.wait_ready()
            for proxy in self.proxies:
                stack.enter_context(proxy)
            yield
