"""`worker.yaml`: brokers, topics, windows, pages and limits; the environment wins over the file."""

import re
from datetime import timedelta
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    WithJsonSchema,
    model_validator,
)

from live_scoring.config.assembly import AssemblyConfig
from live_scoring.config.scores import ScoresConfig
from live_scoring.config.secrets import Secret
from live_scoring.config.values import (
    WHOLE,
    Count,
    Flag,
    Length,
    Name,
    Section,
    parse_length,
)
from live_scoring.config.web import WebConfig
from live_scoring.config.webhook import LinksConfig, WebhookConfig
from live_scoring.core.nearest import remedy_for
from live_scoring.core.quote import quoted
from live_scoring.formats import DEFAULT_LIMITS, FORMATS
from live_scoring.formats.mapped import RunMapping

Start = Literal["window", "earliest", "latest"] | timedelta
SecurityProtocol = Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"]
SaslMechanism = Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"]

_TOPIC = re.compile(r"[A-Za-z0-9._-]{1,249}")
_STARTS = ("window", "earliest", "latest")
_SHORTEST, _LONGEST = timedelta(seconds=1), timedelta(days=31)


def _start(value: object) -> object:
    if value in _STARTS:
        return value
    try:
        return parse_length(value)
    except ValueError:
        choices = "window, earliest, latest or a length such as 1h"
        raise ValueError(f"{value!r} is no place to start; give {choices}") from None


def _servers(value: str) -> str:
    for server in value.split(","):
        host, _, port = server.strip().rpartition(":")
        if not host or not port.isdecimal() or not 0 < int(port) < 2**16:
            raise ValueError(f"{server!r} is not host:port; give host:port[,host:port…]")
    return value


def _window_name(value: str) -> str:
    if not _SHORTEST <= parse_length(value) <= _LONGEST:
        raise ValueError(f"{value!r} is no length for a window; give one from 1s to 31d")
    return value


def _topic(value: str) -> str:
    if not _TOPIC.fullmatch(value) or value in {".", ".."}:
        letters = "letters without accents, digits and any of . _ -"
        raise ValueError(f"{quoted(value)} is no topic; use 1 to 249 {letters}")
    return value


def _own_format(value: str) -> str:
    if value in FORMATS:
        raise ValueError(f"{value!r} is a format already; give the mapping another name")
    return value


MappingName = Annotated[Name, AfterValidator(_own_format)]
WindowName = Annotated[str, AfterValidator(_window_name)]
Topic = Annotated[
    str,
    AfterValidator(_topic),
    WithJsonSchema({"type": "string", "pattern": f"^{_TOPIC.pattern}$"}),
]


class KafkaConfig(Section):
    """How the brokers are reached."""

    bootstrap_servers: Annotated[str, AfterValidator(_servers)] = "localhost:9092"
    """Brokers to ask first, `host:port`, separated by commas."""
    group_id: Name = "live-scoring"
    """Consumer group of the scoring half; the verdict half adds `-verdicts`."""
    start: Annotated[
        Start,
        BeforeValidator(_start),
        WithJsonSchema({"type": "string"}),
    ] = "window"
    """Where a group without commits begins: `window` (one longest window back), `earliest`,
    `latest`, or a length back such as `1h`."""
    security_protocol: SecurityProtocol = "PLAINTEXT"
    """How the connection is secured."""
    sasl_mechanism: SaslMechanism | None = None
    """How to log in, with a SASL protocol."""
    sasl_username: str | None = None
    """User name, with a SASL protocol."""
    sasl_password: Secret | None = None
    """Password, with a SASL protocol; from the environment or a file only."""
    ssl_cafile: str | None = None
    """PEM file of the authority that signed the brokers' certificates; none is the system's."""
    ssl_certfile: str | None = None
    """PEM file of the worker's own certificate, for mutual TLS."""
    ssl_keyfile: str | None = None
    """PEM file of the key to `ssl_certfile`."""
    session_timeout_seconds: Annotated[int, Field(ge=1, le=1800), WHOLE] = 10
    """A worker silent for so many seconds loses its partitions."""
    heartbeat_interval_seconds: Count = 3
    """Seconds between two signs of life; below the session timeout."""
    fetch_max_wait_ms: Annotated[int, Field(ge=1, le=10_000), WHOLE] = 500
    """How long a broker may hold a fetch for which it has nothing new. Kafka answers as soon as it
    has; the embedded broker may not, and adds up to so much to every latency."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        has_sasl = self.security_protocol.startswith("SASL")
        login = (self.sasl_mechanism, self.sasl_username, self.sasl_password)
        if has_sasl and None in login:
            wanted = "sasl_mechanism, sasl_username and sasl_password"
            raise ValueError(f"{self.security_protocol} cannot log in; give {wanted}")
        if not has_sasl and any(login):
            raise ValueError("a SASL login is never used; set security_protocol to SASL_SSL")
        if self.ssl_keyfile and not self.ssl_certfile:
            raise ValueError("ssl_keyfile has no certificate; give ssl_certfile")
        if not self.security_protocol.endswith("SSL") and (self.ssl_cafile or self.ssl_certfile):
            raise ValueError("TLS files are never used; set security_protocol to SSL or SASL_SSL")
        if self.heartbeat_interval_seconds >= self.session_timeout_seconds:
            raise ValueError("heartbeats come too late; set them below session_timeout_seconds")
        return self


class TopicsConfig(Section):
    """Names of the topics, and how missing ones are created."""

    runs: Annotated[tuple[Topic, ...], Field(min_length=1)] = ("agent-runs",)
    """Topics that finished runs are read from."""
    scores: Topic = "agent-scores"
    """Topic of scores, keyed by agent id."""
    verdicts: Topic = "agent-verdicts"
    """Compacted topic of verdicts."""
    dead_letters: Topic = "agent-dead-letters"
    """Topic of records that could not be read."""
    panes: Topic | None = "agent-panes"
    """Topic of what scores have added to windows, for a quick restart; null does without."""
    partitions: Annotated[int, Field(ge=1, le=10_000), WHOLE] = 8
    """Partitions of a created topic; scores, verdicts and panes have equally many."""
    replication_factor: Annotated[int, Field(ge=1, le=100), WHOLE] | None = None
    """Copies of a created topic; none is the broker's default."""
    formats: dict[str, str] = Field(default_factory=dict)
    """Format of a runs topic's records, or the name of a mapping; a topic not named is told by
    looking at its records."""
    agents: dict[str, Name] = Field(default_factory=dict)
    """Agent of a runs topic's records that name none, neither themselves nor in a header."""

    @property
    def only_agent(self) -> str | None:
        """Whose runs those of a file are that name no agent: of the one that `agents` names."""
        named = set(self.agents.values())
        return named.pop() if len(named) == 1 else None

    @model_validator(mode="after")
    def _differ(self) -> Self:
        names = (*self.runs, self.scores, self.verdicts, self.dead_letters, self.panes)
        twice = next((name for name in names if name and names.count(name) > 1), None)
        if twice:
            raise ValueError(f"{twice!r} is named twice; give each topic a name of its own")
        for key, named in (("formats", self.formats), ("agents", self.agents)):
            stray = next((name for name in named if name not in self.runs), None)
            if stray:
                raise ValueError(f"{key} names {stray!r}, which is not in runs; add it there")
        return self


class WindowConfig(Section):
    """One window of every agent that asks for it."""

    min_samples: Count = 20
    """Runs below which a rule is insufficient, unless the rule has its own number."""


def _usual_windows() -> dict[str, WindowConfig]:
    return {"5m": WindowConfig(min_samples=20), "1h": WindowConfig(min_samples=50)}


class LimitsConfig(Section):
    """What a record may be at most; beyond it is a dead letter."""

    max_bytes: Count = DEFAULT_LIMITS.max_bytes
    """Bytes of a record."""
    max_depth: Count = DEFAULT_LIMITS.max_depth
    """Levels of nested lists and mappings."""


class MetricsConfig(Section):
    """Metrics that are not always wanted."""

    score_value: Flag = False
    """Export a histogram of scores for each agent and scorer: many series."""


class WorkerConfig(Section):
    """Everything in `worker.yaml`."""

    kafka: KafkaConfig = KafkaConfig()
    """How the brokers are reached."""
    topics: TopicsConfig = TopicsConfig()
    """Names of the topics, and how missing ones are created."""
    mappings: dict[MappingName, RunMapping] = Field(default_factory=dict)
    """Formats of your own, by name: where the parts of a run lie in JSON."""
    assembly: AssemblyConfig = AssemblyConfig()
    """When a trace that comes in spans is closed, by the time of its partition's records."""
    windows: dict[WindowName, WindowConfig] = Field(default_factory=_usual_windows, min_length=1)
    """Rolling windows by their length, such as `30s`, `5m`, `1h`, `24h`."""
    web: WebConfig = WebConfig()
    """Where the pages are served, and to whom."""
    links: LinksConfig = LinksConfig()
    """Where the status page's links lead."""
    notify: dict[Name, WebhookConfig] = Field(default_factory=dict)
    """Webhooks by name, which transitions are posted to."""
    max_agents: Count = 10_000
    """Agents for which windows are kept; more are counted, not judged."""
    max_groups_per_agent: Count = 100
    """Groups by `split_by` for which windows are kept, of each agent."""
    forget_after: Length = Field(default="24h", validate_default=True)
    """An agent known by a glob is exported as long as its last verdict is younger."""
    panes_every: Count = 10_000
    """Scores of a partition after which panes are written: a restart counts so many again."""
    scores: ScoresConfig = ScoresConfig()
    """What scores tell of a run's text."""
    limits: LimitsConfig = LimitsConfig()
    """What a record may be at most; beyond it is a dead letter."""
    metrics: MetricsConfig = MetricsConfig()
    """Metrics that are not always wanted."""

    @property
    def only_mapping(self) -> str | None:
        """The mapping that a file is read by, as all topics are; looking would not tell it."""
        named = {self.topics.formats.get(topic) for topic in self.topics.runs}
        only = named.pop() if len(named) == 1 else None
        return only if only in self.mappings else None

    @model_validator(mode="after")
    def _knows_formats(self) -> Self:
        known = (*FORMATS, *self.mappings)
        for topic, name in self.topics.formats.items():
            if name not in known:
                where = f"topics.formats.{topic}"
                raise ValueError(f"{where}: {name!r} is no format; {remedy_for(name, known)}")
        return self
