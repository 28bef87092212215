"""Who is told of transitions: one webhook of `notify`, and the links of the status page."""

import re
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field

from live_scoring.config.values import Length, Pattern, Seconds, Section
from live_scoring.config.variables import variables_in
from live_scoring.core.verdict import VerdictState

_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}")
_TRACE_ID = "{trace_id}"


def check_address(url: str) -> None:
    """Refuse what is no address to post to; never with the address in the message.

    Raises:
        ValueError: Says what is wrong and what to do.
    """
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in {"http", "https"} and bool(parts.hostname)
        _ = parts.port, (parts.hostname or "").encode("idna")  # raise for what is none
    except ValueError:
        is_address = False
    if not is_address or not url.isprintable() or " " in url:
        raise ValueError("is no address; give one that begins with https:// or http://")


def check_header(value: str) -> None:
    """Refuse what no header can hold; never with the value in the message.

    Raises:
        ValueError: Says what is wrong and what to do.
    """
    if not value.isascii() or not value.isprintable():
        raise ValueError("holds a line break or an accent; give letters of ASCII")


def _text(value: object) -> object:
    if not isinstance(value, str):
        raise ValueError("is no text; give it as one")  # noqa: TRY004 -- and without its value
    return value


def _url(value: str) -> str:
    if variables_in(value):
        return value
    check_address(value)
    if "@" in urlsplit(value).netloc:
        raise ValueError("is a secret in a file; give it as ${VARIABLE}")
    return value


def _header_name(value: str) -> str:
    if not _HEADER.fullmatch(value):
        raise ValueError("is no name of a header; use letters, digits and -")
    return value


def _header_value(value: str) -> str:
    if not variables_in(value):
        raise ValueError("is a secret in a file; give it as ${VARIABLE}")
    return value


def _trace_link(value: str) -> str:
    check_address(value)
    if _TRACE_ID not in value or "{" in value.replace(_TRACE_ID, ""):
        raise ValueError(f"does not say where the trace's id stands; write {_TRACE_ID} there")
    return value


HeaderName = Annotated[str, AfterValidator(_header_name)]
HeaderValue = Annotated[str, BeforeValidator(_text), AfterValidator(_header_value)]


class WebhookConfig(Section):
    """An address that transitions are posted to."""

    url: Annotated[str, BeforeValidator(_text), AfterValidator(_url)]
    """Where to post; `${VARIABLE}` in it comes from the environment."""
    verdicts: Annotated[tuple[VerdictState, ...], Field(min_length=1)] = ("failed", "passed")
    """Transitions into which verdicts are told."""
    agents: Pattern = "*"
    """Agent id, or a glob over agent ids."""
    headers: dict[HeaderName, HeaderValue] = Field(default_factory=dict)
    """Headers by name, such as `{Authorization: "Bearer ${PAGER_TOKEN}"}`; secrets, so each holds
    a `${VARIABLE}`."""
    timeout_seconds: Seconds = 10.0
    """How long one attempt may take."""
    give_up_after: Length = Field(default="15m", validate_default=True)
    """A transition this old is not tried again."""


class LinksConfig(Section):
    """Where the status page's links lead."""

    trace: Annotated[str | None, AfterValidator(lambda v: v and _trace_link(v))] = None
    """A trace in your tracing system, such as `https://traces.example.com/trace/{trace_id}`."""
