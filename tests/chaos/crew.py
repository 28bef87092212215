"""The workers of a round: killed, paused, cut off, added and removed, and never none."""

import signal
from dataclasses import dataclass
from functools import partial

from tests.integration.kafka.cluster import Cluster
from tests.integration.lab import Lab
from tests.integration.waiting import wait_until
from tests.integration.workers import Figures, Worker


@dataclass(slots=True)
class _Member:
    worker: Worker
    is_paused: bool = False


class Crew:
    """Members of one fleet, and what became of those who are no more."""

    def __init__(self, lab: Lab, cluster: Cluster) -> None:
        """Start two: one that can be cut off, and one that cannot."""
        self._lab, self._cluster = lab, cluster
        self._members: list[_Member] = []
        self._leaving: list[Worker] = []
        self.add(is_behind=True)
        self.add()

    @property
    def workers(self) -> list[Worker]:
        """Those who belong to it."""
        return [member.worker for member in self._members]

    def is_at_work(self) -> bool:
        """Whether all are ready and have read runs."""
        return all(
            worker.is_ready() and worker.figures().total("runs_consumed_total")
            for worker in self.workers
        )

    def add(self, *, is_behind: bool = False) -> None:
        """Start one; behind the proxies it can be cut off."""
        address = self._cluster.address_behind if is_behind else self._cluster.address
        worker = self._lab.start_worker(KAFKA__BOOTSTRAP_SERVERS=address)
        self._members.append(_Member(worker))

    def kill(self, chance: float) -> None:
        """`kill -9` one."""
        member = self._pick(chance)
        self._members.remove(member)
        member.worker.kill()

    def remove(self, chance: float) -> None:
        """Ask one to end."""
        member = self._pick(chance)
        self._members.remove(member)
        member.worker.process.terminate()
        self._leaving.append(member.worker)
        if not self._members:
            self.add()

    def pause(self, chance: float) -> None:
        """Stop one in its tracks."""
        member = self._pick(chance)
        member.is_paused = True
        member.worker.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let all go on that were stopped."""
        for member in self._members:
            member.is_paused = False
            member.worker.process.send_signal(signal.SIGCONT)

    def reload(self) -> None:
        """Let all read the configuration again."""
        for member in self._members:
            if not member.is_paused:
                # One that has not come so far as to hold hang-ups would end by it.
                wait_until("it has started", partial(_has_spoken, member.worker))
            member.worker.reload()

    def figures(self) -> list[Figures]:
        """The pages of all who run and are not stopped."""
        awake = (m.worker for m in self._members if not m.is_paused)
        return [worker.figures() for worker in awake if worker.process.poll() is None]

    def losses(self) -> list[str]:
        """Who ended in another way than it was asked to."""
        # One that has hardly started ends by the signal itself.
        asked = [w for w in self._leaving if w.process.wait(30) not in {0, -signal.SIGTERM}]
        unasked = [w for w in self.workers if w.process.poll() is not None]
        return [
            f"a worker ended with {worker.process.returncode}: {worker.log.read_text()[-500:]}"
            for worker in (*asked, *unasked)
        ]

    def _pick(self, chance: float) -> _Member:
        awake = [member for member in self._members if not member.is_paused]
        if not awake:
            self.add()
            awake = self._members[-1:]
        return awake[int(chance * len(awake))]


def _has_spoken(worker: Worker) -> bool:
    return worker.log.stat().st_size > 0
