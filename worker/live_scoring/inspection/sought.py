"""Which records are to be read, and reading them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from live_scoring.adapters.files import RunFile
from live_scoring.config import WorkerConfig
from live_scoring.config.environment import variable_of
from live_scoring.core.errors import LiveScoringError
from live_scoring.core.quote import printable
from live_scoring.inspection.from_file import file_records
from live_scoring.inspection.from_topic import topic_records
from live_scoring.inspection.record import Record
from live_scoring.wiring import check_format

_SERVERS = variable_of(("kafka", "bootstrap_servers"))
_TOPIC_LIMIT = 20


@dataclass(frozen=True, slots=True)
class Sought:
    """Which records: give a file or a topic."""

    file: RunFile | None
    topic: str | None
    format_name: str | None
    """What they are said to be; None looks at each."""
    limit: int | None
    """How many at most; None is all of a file, and the newest 20 of a topic."""

    @property
    def name(self) -> str:
        """Where they lie, in messages, printable."""
        return printable(self.file.name if self.file else f"topic {self.topic}")

    def read(self, worker: WorkerConfig) -> Iterator[Record]:
        """Read them.

        Raises:
            LiveScoringError: Not one of file and topic is given, nobody knows the format, or they
                cannot be read.
        """
        check_format(self.format_name, worker)
        if self.file is not None and self.topic is None:
            yield from file_records(worker, self.file, self.format_name, self.limit)
        elif self.topic is not None and self.file is None:
            limit = self.limit or _TOPIC_LIMIT
            yield from topic_records(worker, self.topic, self.format_name, limit)
        else:
            raise LiveScoringError("FILE, --topic: records lie in one of them; give one of the two")


def reaching(servers: str | None, environ: Mapping[str, str]) -> Mapping[str, str]:
    """The environment, in which these brokers, if any are given, win over all others."""
    return environ if servers is None else {**environ, _SERVERS: servers}
