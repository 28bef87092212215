"""Posting JSON to a webhook, one attempt at a time."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from aiohttp import ClientError, ClientSession, ClientTimeout

_HEADERS = {"Content-Type": "application/json", "User-Agent": "live-scoring"}


@dataclass(frozen=True, slots=True)
class Address:
    """Where to post, with all that is secret about it."""

    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    timeout_seconds: float


class Unanswered(str):
    """Why an attempt got no answer: the kind of error, which names neither address nor secret."""

    __slots__ = ()


async def post(address: Address, body: bytes, headers: Mapping[str, str]) -> int | Unanswered:
    """Post once, following no redirect; the status of the answer, or that there was none.

    Args:
        address: Where to.
        body: JSON.
        headers: Of this request alone; they win over the address's.
    """
    try:
        async with (
            ClientSession(timeout=ClientTimeout(address.timeout_seconds)) as session,
            session.post(
                address.url,
                data=body,
                headers={**_HEADERS, **address.headers, **headers},
                allow_redirects=False,
            ) as answer,
        ):
            return answer.status
    except (ClientError, OSError, TimeoutError, ValueError) as error:
        return Unanswered(type(error).__name__)
