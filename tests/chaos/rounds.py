"""One round: runs are sent, faults happen, all is mended, and then every figure is compared."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from pathlib import Path

from tests.chaos.crew import Crew
from tests.chaos.plan import ROUND_SECONDS, Fault, FaultKind
from tests.chaos.policy import Policy
from tests.chaos.traffic import Traffic
from tests.chaos.truth import Truth, truth_of
from tests.chaos.verify import Peaks, mismatches
from tests.integration.kafka.cluster import Cluster
from tests.integration.lab import Lab
from tests.integration.runs import now_ms
from tests.integration.waiting import wait_until

_LOOK_EVERY_SECONDS = 0.25


@dataclass(frozen=True, slots=True)
class Played:
    """What a round has come to."""

    truth: Truth
    mismatches: tuple[str, ...]
    seconds: float

    @property
    def outcome(self) -> str:
        """In a few words."""
        truth = self.truth
        return (
            f"{truth.records} records, {len(truth.facts)} scores, {len(truth.malformed)} dead "
            f"letters, {len(self.mismatches)} mismatches in {self.seconds:.0f} s"
        )


class Round:
    """One round on a cluster, with topics, a group and workers of its own."""

    def __init__(self, cluster: Cluster, name: str, folder: Path) -> None:
        """Prepare topics and configuration, in a folder of the name."""
        self._cluster = cluster
        self._lab = Lab(cluster.address, name, folder / name)
        self._policy = Policy()
        self._policy.write(self._lab)
        self._traffic = Traffic(cluster.address, self._lab.runs, now_ms())
        self._peaks = Peaks()
        self._due: list[tuple[float, Callable[[], None]]] = []
        self._now = 0.0

    def play(self, faults: tuple[Fault, ...]) -> Played:
        """Play it, and leave nothing running."""
        began = time.monotonic()
        self._crew = Crew(self._lab, self._cluster)
        try:
            self._traffic.start()
            try:
                wait_until("all are at work", self._crew.is_at_work)
                self._suffer(faults)
            finally:
                self._mend()
                self._traffic.stop()
            truth = truth_of(self._lab, self._traffic)
            found = tuple(mismatches(self._lab, self._crew, truth, self._policy, self._peaks))
        finally:
            self._lab.close()
        return Played(truth, found, time.monotonic() - began)

    def _suffer(self, faults: tuple[Fault, ...]) -> None:
        began = time.monotonic()
        self._due = [(fault.at_seconds, partial(self._begin, fault)) for fault in faults]
        while (now := time.monotonic() - began) < ROUND_SECONDS:
            self._now = now
            self._happen(until=now)
            self._peaks.note(self._crew.figures())
            time.sleep(_LOOK_EVERY_SECONDS)

    def _mend(self) -> None:
        """Bring back all that is still away."""
        self._happen(until=float("inf"))
        for node in self._cluster.nodes:
            node.wait_ready()

    def _happen(self, until: float) -> None:
        ready = sorted((entry for entry in self._due if entry[0] <= until), key=itemgetter(0))
        self._due = [entry for entry in self._due if entry[0] > until]
        for _, happen in ready:
            happen()

    def _after(self, fault: Fault, happen: Callable[[], None]) -> None:
        self._due.append((self._now + fault.lasts_seconds, happen))

    def _begin(self, fault: Fault) -> None:
        begin: Mapping[FaultKind, Callable[[Fault], None]] = {
            "kill": self._kill,
            "pause": self._pause,
            "add": lambda _: self._crew.add(),
            "remove": lambda fault: self._crew.remove(fault.chance),
            "kill_broker": self._kill_broker,
            "cut_off": self._cut_off,
            "reload": lambda _: self._reload(),
            "dead_letters": lambda _: self._traffic.flood(),
        }
        begin[fault.kind](fault)

    def _kill(self, fault: Fault) -> None:
        self._crew.kill(fault.chance)
        self._after(fault, self._crew.add)

    def _pause(self, fault: Fault) -> None:
        self._crew.pause(fault.chance)
        self._after(fault, self._crew.resume)

    def _reload(self) -> None:
        self._policy.change()
        self._policy.write(self._lab)
        self._crew.reload()

    def _kill_broker(self, fault: Fault) -> None:
        nodes = self._cluster.nodes
        for node in nodes:
            node.wait_ready()  # a second one at the same time would be a cluster that is gone
        victim = nodes[int(fault.chance * len(nodes))]
        victim.kill()
        self._after(fault, victim.launch)

    def _cut_off(self, fault: Fault) -> None:
        for proxy in self._cluster.proxies:
            proxy.cut()
            self._after(fault, proxy.restore)
