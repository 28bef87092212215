"""Asks a page of another process, as often as one that waits does."""

import httpx

_CLIENT = httpx.Client(
    timeout=10, trust_env=False, limits=httpx.Limits(max_keepalive_connections=0)
)
"""One for all: each that is made reads the certificates of all authorities, 30 ms of work. It keeps
no connection, as a process that is killed would leave it a dead one."""


def ask(url: str) -> httpx.Response | None:
    """What it answers; None while nobody does."""
    try:
        return _CLIENT.get(url)
    except httpx.TransportError:
        return None


def is_well(url: str) -> bool:
    """Whether it answers with 200."""
    answer = ask(url)
    return answer is not None and answer.status_code == httpx.codes.OK
