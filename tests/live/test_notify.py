"""Whom a webhook is told of, how often it is tried, and what is shown of its secrets."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from live_scoring.adapters.metrics import Notified
from live_scoring.adapters.webhook import Address, Unanswered
from live_scoring.config.webhook import WebhookConfig
from live_scoring.core.errors import LiveScoringError
from live_scoring.core.transition import Transition
from live_scoring.core.verdict import Verdict, VerdictState
from live_scoring.formats.verdict_json import encode_verdict
from live_scoring.live.notify import Notifier, Webhook, idempotency_key, webhooks_of
from tests.live.fakes import NOW_MS

HIDDEN = "t0p-s3cret"


def _webhook(**raw: Any) -> Webhook:
    config = WebhookConfig.model_validate(
        {"url": "https://example.com/${KEY}", "headers": {"X-Key": "${KEY}"}} | raw
    )
    return webhooks_of({"pager": config}, {"KEY": HIDDEN})[0]


def _transition(
    state: VerdictState = "failed", agent: str = "weather-agent", at_ms: int = NOW_MS
) -> Transition:
    return Transition(agent, "prod", "5m", Verdict(state, ()), "passed", at_ms, 0, 17, "hash-1")


@dataclass
class FakeHook:
    """Answers as it was told, takes no time to, and lets time pass while one waits."""

    answers: list[int | Unanswered] = field(default_factory=list)
    now_ms: int = NOW_MS
    keys: list[str] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    results: list[tuple[str, Notified]] = field(default_factory=list)

    async def post(
        self, _address: Address, _body: bytes, headers: Mapping[str, str]
    ) -> int | Unanswered:
        self.keys.append(headers["Idempotency-Key"])
        return self.answers.pop(0) if self.answers else 200

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now_ms += int(seconds * 1000)

    def told(self, *transitions: Transition, **webhook: Any) -> "FakeHook":
        notifier = Notifier(
            _webhook(**webhook),
            lambda name, result: self.results.append((name, result)),
            lambda: self.now_ms,
            self.post,
            self.sleep,
        )
        for transition in transitions:
            asyncio.run(notifier.tell(encode_verdict(transition)))
        return self


def test_a_webhook_is_told_of_failures_and_of_their_end_by_default() -> None:
    states: tuple[VerdictState, ...] = ("failed", "scored", "no_data", "passed")
    hook = FakeHook().told(*map(_transition, states))
    assert hook.keys == [f"weather-agent/prod/5m/{state}/17" for state in ("failed", "passed")]
    assert hook.results == [("pager", "delivered")] * 2


def test_a_webhook_is_told_of_the_agents_that_its_glob_matches() -> None:
    agents = [_transition(agent=agent) for agent in ("weather-1", "refund-1")]
    assert FakeHook().told(*agents, agents="refund-*").keys == ["refund-1/prod/5m/failed/17"]


@pytest.mark.parametrize("answer", [500, 503, 429, 408, 425, Unanswered("TimeoutError")])
def test_what_may_pass_is_tried_again_with_longer_and_longer_waits(
    answer: int | Unanswered,
) -> None:
    hook = FakeHook([answer] * 8).told(_transition())
    assert hook.waits == [1, 2, 4, 8, 16, 32, 60, 60]
    assert len(set(hook.keys)) == 1
    assert hook.results == [("pager", "delivered")]


@pytest.mark.parametrize("answer", [302, 400, 401, 404, 410])
def test_what_will_not_pass_is_not_tried_again(answer: int) -> None:
    hook = FakeHook([answer]).told(_transition())
    assert (len(hook.keys), hook.results) == (1, [("pager", "refused")])


def test_a_webhook_that_stays_away_is_given_up_at_the_transitions_age() -> None:
    hook = FakeHook([500] * 100).told(_transition(), give_up_after="10s")
    assert hook.waits == [1, 2, 4, 8]
    assert hook.results == [("pager", "expired")]


def test_an_old_transition_is_tried_once() -> None:
    old = _transition(at_ms=NOW_MS - 3_600_000)
    assert FakeHook().told(old).results == [("pager", "delivered")]
    assert FakeHook([500] * 2).told(old).results == [("pager", "expired")]


def test_what_is_no_verdict_is_passed_over() -> None:
    hook = FakeHook()
    notifier = Notifier(_webhook(), lambda *_: None, lambda: NOW_MS, hook.post, hook.sleep)
    for record in (None, b"", b"not json"):
        asyncio.run(notifier.tell(record))
    assert hook.keys == []


def test_a_key_fits_a_header_whatever_an_agent_is_called() -> None:
    key = idempotency_key(_transition(agent="wetter/ägent\r\n\ud800"))
    assert key.isascii()
    assert key.isprintable()
    assert key.startswith("wetter%2F%C3%A4gent%0D%0A")


def test_secrets_come_from_the_environment() -> None:
    webhook = _webhook()
    assert webhook.address.url == f"https://example.com/{HIDDEN}"
    assert webhook.address.headers == {"X-Key": HIDDEN}


def test_a_secret_is_not_shown(caplog: pytest.LogCaptureFixture) -> None:
    FakeHook([500, 404]).told(_transition())
    assert HIDDEN not in repr(_webhook())
    assert not any(HIDDEN in str(vars(record)) for record in caplog.records)


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("", "${KEY} is not set; set the environment variable KEY"),
        ("a\nb", "is no address; give one that begins with https:// or http://"),
    ],
)
def test_an_address_that_cannot_be_used_is_told_without_it(value: str, sentence: str) -> None:
    config = WebhookConfig(url="https://example.com/${KEY}")
    with pytest.raises(LiveScoringError) as raised:
        webhooks_of({"pager": config}, {"KEY": value})
    assert str(raised.value) == f"worker.yaml: notify.pager.url: {sentence}"


def test_a_header_with_a_line_break_is_refused_without_it() -> None:
    config = WebhookConfig(url="https://example.com/", headers={"X-Key": "${KEY}"})
    with pytest.raises(LiveScoringError, match=r"headers\.X-Key: holds a line break") as raised:
        webhooks_of({"pager": config}, {"KEY": f"{HIDDEN}\n"})
    assert HIDDEN not in str(raised.value)
