"""Telling webhooks of transitions: which ones, how often to try, and when to give up."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from fnmatch import fnmatchcase
from urllib.parse import quote

from live_scoring.adapters.metrics import Notified
from live_scoring.adapters.webhook import Address, Unanswered, post
from live_scoring.config.variables import filled_in
from live_scoring.config.webhook import WebhookConfig, check_address, check_header
from live_scoring.core.errors import LiveScoringError
from live_scoring.core.run import to_utf8
from live_scoring.core.score import Failure
from live_scoring.core.transition import Transition
from live_scoring.core.verdict import VerdictState
from live_scoring.formats.verdict_json import decode_verdict

logger = logging.getLogger(__name__)

Post = Callable[[Address, bytes, Mapping[str, str]], Awaitable[int | Unanswered]]

_FIRST_WAIT_SECONDS, _LONGEST_WAIT_SECONDS = 1.0, 60.0
_WORTH_ANOTHER_TRY = frozenset({408, 425, 429})
"""Beside all answers from 500 on."""


@dataclass(frozen=True, slots=True)
class Webhook:
    """Who is told of what. Its name alone may be shown: an address can hold a secret."""

    name: str
    address: Address = field(repr=False)
    verdicts: frozenset[VerdictState]
    agents: str
    """A glob over agent ids."""
    give_up_after_ms: int

    def wants(self, transition: Transition) -> bool:
        """Whether it is to be told."""
        is_state = transition.verdict.state in self.verdicts
        return is_state and fnmatchcase(transition.agent_id, self.agents)


def webhooks_of(
    notify: Mapping[str, WebhookConfig], environ: Mapping[str, str]
) -> tuple[Webhook, ...]:
    """The webhooks with their secrets, by name.

    Raises:
        LiveScoringError: A variable is not set, or what it holds makes no address or header.
    """
    return tuple(_webhook(name, config, environ) for name, config in sorted(notify.items()))


def _webhook(name: str, config: WebhookConfig, environ: Mapping[str, str]) -> Webhook:
    place = f"notify.{name}"
    url = _secret(f"{place}.url", config.url, environ, check_address)
    headers = {
        header: _secret(f"{place}.headers.{header}", value, environ, check_header)
        for header, value in config.headers.items()
    }
    return Webhook(
        name,
        Address(url, headers, config.timeout_seconds),
        frozenset(config.verdicts),
        config.agents,
        config.give_up_after // timedelta(milliseconds=1),
    )


def _secret(
    place: str, template: str, environ: Mapping[str, str], check: Callable[[str], None]
) -> str:
    try:
        value = filled_in(template, environ)
        check(value)
    except ValueError as error:
        raise LiveScoringError(f"worker.yaml: {place}: {error}") from None
    return value


class Notifier:
    """Tells one webhook of transitions, one after the other, each until the webhook has it.

    A webhook that is down makes the next transition wait, so they arrive in order; each is
    given up at a stated age, so the wait has an end. Every transition is tried once at least.
    """

    def __init__(
        self,
        webhook: Webhook,
        on_result: Callable[[str, Notified], None],
        now_ms: Callable[[], int],
        post: Post = post,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Have told nothing yet.

        Args:
            webhook: Who is told.
            on_result: Told the webhook's name and what became of each notification.
            now_ms: Milliseconds since the epoch.
            post: One attempt.
            sleep: Waits between two attempts.
        """
        self.webhook = webhook
        self._on_result = on_result
        self._now_ms = now_ms
        self._post = post
        self._sleep = sleep

    async def tell(self, record: bytes | None) -> None:
        """Tell of a record of the verdicts topic, if it is one that the webhook wants."""
        transition = decode_verdict(record)
        if isinstance(transition, Failure) or not self.webhook.wants(transition):
            return
        result = await self._deliver(record or b"", transition)
        self._on_result(self.webhook.name, result)

    async def _deliver(self, body: bytes, transition: Transition) -> Notified:
        headers = {"Idempotency-Key": idempotency_key(transition)}
        waits = _waits()
        while True:
            answer = await self._post(self.webhook.address, body, headers)
            result = self._result_of(answer, transition)
            if result != "delivered":
                facts = {"webhook": self.webhook.name, "answer": str(answer)}
                logger.warning("notification not taken", extra={**facts, "result": result})
            if result is not None:
                return result
            await self._sleep(next(waits))

    def _result_of(self, answer: int | Unanswered, transition: Transition) -> Notified | None:
        """What an attempt has come to; None if there is to be another."""
        if isinstance(answer, int) and 200 <= answer < 300:  # noqa: PLR2004 -- HTTP's success
            return "delivered"
        if isinstance(answer, int) and not _may_pass(answer):
            return "refused"
        is_old = self._now_ms() - transition.at_ms >= self.webhook.give_up_after_ms
        return "expired" if is_old else None


def idempotency_key(transition: Transition) -> str:
    """The same whenever a transition is posted again, and of no other transition."""
    names = transition.agent_id, transition.group, transition.window, transition.verdict.state
    parts = [quote(to_utf8(name), safe="") for name in names]
    return "/".join([*parts, str(transition.scores_offset)])


def _may_pass(status: int) -> bool:
    return status >= 500 or status in _WORTH_ANOTHER_TRY  # noqa: PLR2004 -- HTTP's server errors


def _waits() -> Iterator[float]:
    """Seconds before each further attempt."""
    wait = _FIRST_WAIT_SECONDS
    while True:
        yield wait
        wait = min(2 * wait, _LONGEST_WAIT_SECONDS)
