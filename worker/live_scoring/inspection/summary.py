"""What many records came to: formats, agents, tools, and what could not be read."""

from collections import Counter
from collections.abc import Iterator

from live_scoring.core.quote import counted, printable
from live_scoring.inspection.inspector import Inspected, Inspector

_SHOWN = 10


class Summary:
    """Counts what was looked at."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.runs = 0
        self.unnamed = 0
        """Runs that name no agent."""
        self.agents: Counter[str] = Counter()
        self._formats: Counter[str] = Counter()
        self._tools: Counter[str] = Counter()
        self._failed: Counter[str] = Counter()
        self._refused: Counter[str] = Counter()
        self._examples: dict[str, str] = {}

    def add(self, inspected: Inspected) -> None:
        """Count one more."""
        failure, run = inspected.failure, inspected.run
        if failure is not None:
            self._refused[failure.reason] += 1
            detail = f"{inspected.place}: {printable(failure.detail)}"
            self._examples.setdefault(failure.reason, detail)
        if run is None:
            return
        self.runs += 1
        self._formats[inspected.format_name or ""] += 1
        if inspected.has_agent:
            self.agents[run.agent_id] += 1
        else:
            self.unnamed += 1
        for call in run.invocations:
            if call.is_call:
                self._tools[call.name] += 1
                self._failed[call.name] += call.has_failed

    def lines(self, source: str, inspector: Inspector) -> Iterator[str]:
        """All of it, for people."""
        yield f"{source}: {counted(inspector.records, 'record')}, {counted(self.runs, 'run')}"
        yield from _listing("formats", self._formats)
        yield from _listing("agents", self.agents)
        if self.unnamed:
            yield f"  no agent  {counted(self.unnamed, 'run')}; see topics.agents"
        yield from _listing("tools", self._tools, self._failed)
        if inspector.late:
            yield f"  late      {counted(inspector.late, 'span')} after their trace was closed"
        for reason, count in self._refused.most_common():
            yield f"  not read  {reason} {count:,}, as {self._examples[reason]}"


def _listing(title: str, counts: Counter[str], failed: Counter[str] | None = None) -> Iterator[str]:
    if not counts:
        return
    shown = [
        f"{printable(f'{name:.80}')} {count:,}{_failures(failed[name] if failed else 0)}"
        for name, count in counts.most_common(_SHOWN)
    ]
    more = f", … ({len(counts):,} in all)" if len(counts) > _SHOWN else ""
    yield f"  {title:8}  {', '.join(shown)}{more}"


def _failures(count: int) -> str:
    return f" ({count:,} failed)" if count else ""
