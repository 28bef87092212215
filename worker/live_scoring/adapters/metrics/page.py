"""The page that Prometheus reads, in its text format or as OpenMetrics 1.0.

The client library writes a sample in 6 to 8 microseconds, which for 10,000 agents makes 12 seconds
a scrape. Here all lines of an agent or window that are of one family are written at once, from a
form that its likes share, at a tenth of that. The library's own parsers hold this page to both
formats.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, CollectorRegistry
from prometheus_client.exposition import choose_encoder
from prometheus_client.openmetrics.exposition import CONTENT_TYPE_LATEST as OPENMETRICS

from live_scoring.adapters.metrics.families import FAMILIES, PREFIX, Family
from live_scoring.core.run import as_name

Key = tuple[str, ...]
"""Values of a family's last labels."""

_FAMILIES = {family.name: family for family in FAMILIES}
_TEXTS = 20
"""So many are put together at a time: one by one, joining them would hold the event loop."""
_FORMS = 10_000
"""Kept from scrape to scrape: those of a thousand plans, mostly of some KB each."""
_CHUNK = 1 << 18
"""Bytes that are sent at once at least; 100 MB at once would hold the event loop."""
_NUMBERS = 1_000
"""Whose digits are kept: most means and bounds are one of a few, and finding digits takes long."""
_SHARED = "\0"
"""Stands in a form for labels that all its lines share; `label` leaves none in a page."""
_PLACE = _SHARED.encode()
_ODD = re.compile('["\\\\\n\0\ud800-\udfff]')
_ESCAPES = str.maketrans({"\\": r"\\", "\n": r"\n", '"': r"\""})
_TRACE_ID = re.compile(r"[\w.:/+=-]{1,120}", re.ASCII)
"""What an exemplar may name: OpenMetrics allows 128 characters of labels, `trace_id` included."""


def label(name: str, value: str) -> str:
    """A label as it stands in the page; what UTF-8 or Prometheus cannot hold becomes U+FFFD."""
    if _ODD.search(value):
        value = as_name(value).translate(_ESCAPES)
    return f'{name}="{value}"'


def labels(names: Iterable[str], values: Iterable[str]) -> str:
    """Several labels."""
    return ",".join(map(label, names, values))


class Form:
    """Lines of one family, with places for their first labels, which they share, and their values.

    Bytes are filled in four times as fast as text is.
    """

    __slots__ = ("counts", "name", "texts")

    def __init__(self, name: str, keys: Iterable[Key] = ((),), suffix: str = "") -> None:
        """Make a line for each key.

        Args:
            name: The family's, without the prefix.
            keys: The values of the labels that are not shared.
            suffix: What a part of a histogram has behind the name; a bucket's key ends in `le`.
        """
        names = _FAMILIES[name].labels + (("le",) if suffix == "_bucket" else ())
        heads = [_head(f"{PREFIX}{name}{suffix}", names, key) for key in keys]
        self.name = name
        self.counts = "".join(f"{head} %d\n" for head in heads).encode()
        self.texts = "".join(f"{head} %b\n" for head in heads).encode()


def _head(series: str, names: Key, key: Key) -> str:
    left = len(names) - len(key)
    inner = ",".join((*((_SHARED,) if left else ()), *map(label, names[left:], key)))
    return (f"{series}{{{inner}}}" if inner else series).replace("%", "%%")


@lru_cache(maxsize=_FORMS)
def each(name: str, values: tuple[str, ...]) -> Form:
    """The form of lines that differ in their last label alone."""
    return Form(name, [(value,) for value in values])


class Page:
    """Samples of all families, in the order of `FAMILIES`; one without any is left out.

    Attributes:
        content_type: What the page is, as the answer's header says it.
    """

    def __init__(self, accept: str | None, registry: CollectorRegistry) -> None:
        """Start empty, as OpenMetrics if a request's header `Accept` asks for it.

        Args:
            accept: The header, None without one.
            registry: The client library's own metrics, which end the page.
        """
        try:
            self._encode, wanted = choose_encoder(accept or "")
        except TypeError:  # of a version that is no number
            self._encode, wanted = choose_encoder("")
        self._registry = registry
        self.is_openmetrics = wanted.startswith("application/openmetrics-text")
        self.content_type = OPENMETRICS if self.is_openmetrics else CONTENT_TYPE_PLAIN_0_0_4
        self._texts: dict[str, list[bytes]] = {family.name: [] for family in FAMILIES}
        self._bodies: dict[str, list[bytes]] = {family.name: [] for family in FAMILIES}

    def add(self, form: Form, shared: str, counts: Iterable[int]) -> None:
        """Add a form's lines with whole numbers.

        Args:
            form: What the lines look like.
            shared: Their first labels, as `labels` makes them; empty if the keys hold them all.
            counts: One for each key.
        """
        self._put(form.name, form.counts % tuple(counts), shared)

    def add_numbers(self, form: Form, shared: str, values: Iterable[float | bytes]) -> None:
        """The same with any finite numbers, or what `marked` makes of them."""
        self._put(form.name, form.texts % tuple([_text(value) for value in values]), shared)

    def _put(self, name: str, lines: bytes, shared: str) -> None:
        texts = self._texts[name]
        texts.append(lines.replace(_PLACE, shared.encode()))
        if len(texts) == _TEXTS:
            self._pack(name)

    def marked(self, value: float, trace_id: str, of: float) -> float | bytes:
        """A sample's value with an exemplar, where the format has them and can hold this one.

        Args:
            value: The sample's.
            trace_id: The exemplar's label.
            of: The exemplar's own value.
        """
        if not self.is_openmetrics or not _TRACE_ID.fullmatch(trace_id):
            return value
        return f'{value!r} # {{trace_id="{trace_id}"}} {of!r}'.encode()

    def _pack(self, name: str) -> None:
        if text := b"".join(self._texts[name]):
            self._bodies[name].append(text)
        self._texts[name].clear()

    def chunks(self) -> Iterator[bytes]:
        """The whole page in pieces of a size that is worth sending."""
        ready, size = list[bytes](), 0
        for part in self._parts():
            ready.append(part)
            size += len(part)
            if size >= _CHUNK:
                yield b"".join(ready)
                ready, size = [], 0
        yield b"".join(ready)

    def _parts(self) -> Iterator[bytes]:
        for family in FAMILIES:
            self._pack(family.name)
            if body := self._bodies[family.name]:
                yield self._head(family).encode()
                yield from body
        yield self._encode(self._registry)

    def _head(self, family: Family) -> str:
        name, kind = PREFIX + family.name, str(family.kind)
        if self.is_openmetrics:
            name = name.removesuffix("_total").removesuffix("_info")
        elif kind == "info":
            kind = "gauge"
        return f"# HELP {name} {family.help}\n# TYPE {name} {kind}\n"


@lru_cache(maxsize=_NUMBERS, typed=True)
def _text(value: float | bytes) -> bytes:
    return value if isinstance(value, bytes) else repr(value).encode()
