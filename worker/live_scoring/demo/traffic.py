"""What the demo's four agents do: the same runs in every demo, whatever the hour."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from live_scoring.core.run import AgentRun, Message, ToolInvocation
from live_scoring.core.verdict import VerdictState

Answer = Callable[[int, float], tuple[Message, ...]]
"""The output of the nth run at this share (0..1) of the demo; empty while the agent is silent."""

CHRONIC_EVERY = 200
"""One run in so many of the chronic agent fails its gate: 0.5 %."""

_CITIES = ("Brooklyn", "Lisbon", "Osaka", "Nairobi", "Oslo")
_SKIES = ("sunny", "cloudy", "clear", "windy")
_TOPICS = ("tidal energy", "sourdough", "the Hanseatic League", "glacier lakes")


@dataclass(frozen=True, slots=True)
class DemoAgent:
    """An agent of the demo and the verdicts it is to go through."""

    agent_id: str
    runs_per_second: float
    question: str
    answer: Answer
    expected: tuple[VerdictState, ...]
    """After the `no_data` that everything begins with."""


def due_runs(
    agent: DemoAgent, numbers: range, share: float, at_ms: int
) -> Iterator[tuple[bytes, bytes]]:
    """Key and native run JSON of each of these runs, ended at `at_ms` (since the epoch)."""
    for number in numbers:
        output = agent.answer(number, share)
        if output:
            run = AgentRun(
                run_id=f"{agent.agent_id}-{at_ms}-{number}",
                agent_id=agent.agent_id,
                timestamp=datetime.fromtimestamp(at_ms / 1000, UTC),
                input=agent.question,
                output=output,
            )
            yield agent.agent_id.encode(), run.model_dump_json(exclude_none=True).encode()


def _call(name: str, result: object, *, is_error: bool = False) -> ToolInvocation:
    return ToolInvocation(name=name, result=result, is_error=is_error)


def _answering(text: str, *calls: ToolInvocation) -> tuple[Message, ...]:
    return (Message(role="assistant", text=text, tool_invocations=calls),)


def _weather(number: int, _share: float) -> tuple[Message, ...]:
    city, sky = _CITIES[number % len(_CITIES)], _SKIES[number % len(_SKIES)]
    degrees = 60 + number % 25
    return _answering(
        f"In {city} it is {sky} at {degrees} °F.",
        _call("get_weather", {"city": city, "degrees": degrees}),
    )


def _refund(number: int, share: float) -> tuple[Message, ...]:
    order = f"A-{1000 + number}"
    found = _call("find_order", {"order": order, "paid": 20 + number % 80})
    if 1 / 3 <= share < 2 / 3 and number % 2:
        return _answering(
            f"I could not refund order {order} just now; I have opened a ticket.",
            found,
            _call("issue_refund", {"error": "payment service: 503"}, is_error=True),
        )
    return _answering(
        f"Order {order} is refunded; the money is back in three days.",
        found,
        _call("issue_refund", {"refund": f"R-{number}"}),
    )


def _research(number: int, _share: float) -> tuple[Message, ...]:
    topic = _TOPICS[number % len(_TOPICS)]
    has_source = number % CHRONIC_EVERY != CHRONIC_EVERY - 1
    source = f" Source: https://example.org/{number}" if has_source else ""
    return _answering(
        f"Three things stand out about {topic}: its age, its reach and its price.{source}",
        _call("search", {"hits": 3 + number % 7}),
    )


def _night_report(number: int, share: float) -> tuple[Message, ...]:
    if share >= 1 / 6:
        return ()
    return _answering(
        f"Nothing unusual in the night; {number} entries read.",
        _call("read_log", {"entries": number}),
    )


AGENTS = (
    DemoAgent("weather-agent", 60, "What is the weather like?", _weather, ("passed",)),
    DemoAgent("refund-agent", 40, "I want my money back.", _refund, ("passed", "failed", "passed")),
    DemoAgent("research-agent", 100, "What should I know?", _research, ("passed",)),
    DemoAgent("night-report-agent", 10, "Anything odd?", _night_report, ("passed", "no_data")),
)
