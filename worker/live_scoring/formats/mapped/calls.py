"""Tool calls of a mapped run, joined with results that stand elsewhere."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from live_scoring.core.decoding import parse_json
from live_scoring.core.run import State, ToolInvocation
from live_scoring.core.score import Failure
from live_scoring.formats.mapped.finding import Finding, flat
from live_scoring.formats.mapped.mapping import RunMapping, ToolCallsMapping, ToolResultsMapping

Results = Mapping[str, ToolInvocation]
"""How calls ended, by their id."""


class Calls:
    """Reads the calls of one payload."""

    def __init__(self, mapping: RunMapping, finding: Finding) -> None:
        """Read by a mapping what `finding` finds."""
        self._mapping, self._finding = mapping, finding

    def of(self, item: Any, results: Results) -> tuple[ToolInvocation, ...]:
        """The calls of a run or of a message."""
        mapping = self._mapping.tool_calls
        if mapping is None:
            return ()
        found = flat(self._finding.all(mapping.at, item))
        return tuple(self._call(mapping, call, results) for call in found)

    def _call(self, mapping: ToolCallsMapping, call: Any, results: Results) -> ToolInvocation:
        found = self._finding.first(mapping.id, call)
        call_id = None if found is None else str(found)
        ended = self._ended(mapping, call)
        if call_id is not None and ended.state == "call":
            ended = results.get(call_id, ended)
        return ended.model_copy(
            update={
                "id": call_id,
                "name": self._finding.text("tool_calls.name", mapping.name, call),
                "args": _unpacked(self._finding.first(mapping.arguments, call)),
            }
        )

    def results(self, items: Sequence[Any]) -> Results:
        """Results that stand elsewhere than their calls: in the run, or in its messages."""
        mapping = self._mapping.tool_results
        return dict(self._results(mapping, items)) if mapping else {}

    def _results(
        self, mapping: ToolResultsMapping, items: Sequence[Any]
    ) -> Iterator[tuple[str, ToolInvocation]]:
        for item in items:
            for result in flat(self._finding.all(mapping.at, item)):
                call_id = self._finding.first(mapping.id, result)
                if call_id is not None:
                    yield str(call_id), self._ended(mapping, result)

    def _ended(self, mapping: ToolCallsMapping | ToolResultsMapping, item: Any) -> ToolInvocation:
        """How a call ended, as far as the item tells."""
        results = self._finding.all(mapping.result, item)
        error = self._finding.first(mapping.error, item)
        is_told = bool(mapping.result or mapping.error or self._mapping.tool_results)
        state: State = "result" if results or error or not is_told else "call"
        result = _unpacked(results[0]) if results else None
        if error and result is None:
            result = {"error": error}
        return ToolInvocation(state=state, is_error=bool(error), result=result)


def _unpacked(value: Any) -> Any:
    """What a text of JSON holds if that is an object or a list; else the value itself."""
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[")):
        return value
    parsed = parse_json(value.encode(errors="surrogatepass"))
    return value if isinstance(parsed, Failure) else parsed
