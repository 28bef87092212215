"""`live-scoring dead-letters`: from options to what is printed and ended with."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from live_scoring.adapters.kafka import ConsumerRecord, Publisher, count_partitions, unless_away
from live_scoring.config import WorkerConfig, load_config
from live_scoring.core.errors import LiveScoringError
from live_scoring.core.quote import counted
from live_scoring.dead_letters.choosing import Choice, Left, Wanted, choose
from live_scoring.dead_letters.listing import listing_to_json, listing_to_text
from live_scoring.dead_letters.retry import Retry
from live_scoring.dead_letters.showing import show_letter
from live_scoring.dead_letters.survey import Survey, read_record, survey_topic
from live_scoring.formats.dead_letter import DeadLetter, Position, read_headers

_WHY: Mapping[Left, str] = {
    "retried": "sent back before",
    "repeat": "of the same record as another",
    "unreadable": "still cannot be read; see `show`, or send them nevertheless with --force",
    "truncated": "hold only the head of their record",
    "score": "scores, not runs; raise max.message.bytes of the scores topic for the next ones",
    "trace": "spans, among which may be such of traces that were scored; use live-scoring replay",
    "topic": "of a topic that topics.runs does not name, or that does not exist",
    "refused": "refused by the broker for their size; raise max.message.bytes of the topic",
    "gone": "gone from the topic meanwhile",
}
"""What is said of letters that are not sent."""
_UNWELL: tuple[Left, ...] = ("unreadable", "refused")
"""Of these, whoever retries expected better."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RetryOptions:
    """How `retry` is to go about it."""

    is_dry: bool
    is_forced: bool
    confirm: Callable[[str], bool]
    """Asks a question before anything is sent."""


@dataclass(frozen=True, slots=True)
class RetryReport:
    """What `retry` is to say, and whether all went well."""

    lines: tuple[str, ...]
    is_well: bool


def list_letters(folder: Path, environ: Mapping[str, str], *, is_json: bool) -> Iterable[str]:
    """Count what stands on the dead-letter topic.

    Raises:
        LiveScoringError: The configuration cannot be used, or no broker answers.
    """
    config = load_config(folder, environ).worker
    topic = config.topics.dead_letters
    survey = _run(config, survey_topic(config.kafka, topic))
    if is_json:
        return [listing_to_json(topic, survey or Survey())]
    return [_no_topic(topic)] if survey is None else listing_to_text(topic, survey)


def show(folder: Path, environ: Mapping[str, str], at: Position) -> Iterable[str]:
    """Show one dead letter.

    Raises:
        LiveScoringError: The configuration cannot be used, no broker answers, or no dead letter
            stands there.
    """
    config = load_config(folder, environ).worker
    record = _read(config, at)
    letter = read_headers(record.headers)
    if not isinstance(letter, DeadLetter):
        what = "a foreign record" if letter is None else "the mark of a retry"
        raise LiveScoringError(
            f"{config.topics.dead_letters}: {at}: is {what}; take a position that `list` names"
        )
    return show_letter(record, letter, config)


def read_bytes(folder: Path, environ: Mapping[str, str], at: Position) -> bytes:
    """The bytes of whatever stands at a position.

    Raises:
        LiveScoringError: The configuration cannot be used, no broker answers, or nothing stands
            there.
    """
    return _read(load_config(folder, environ).worker, at).value or b""


def retry(
    folder: Path, environ: Mapping[str, str], wanted: Wanted, options: RetryOptions
) -> RetryReport:
    """Send dead letters back to the topics that their records came from, each once.

    Raises:
        LiveScoringError: The configuration cannot be used, no broker answers, or it refuses.
    """
    config = load_config(folder, environ).worker
    dead_letters = config.topics.dead_letters
    survey = _run(config, survey_topic(config.kafka, dead_letters))
    if survey is None:
        return RetryReport((_no_topic(dead_letters),), is_well=True)
    topics = _run(config, _count(config, config.topics.runs))
    choice = choose(survey, wanted, topics)
    if choice.letters and not options.is_dry and not options.confirm(_question(choice)):
        return RetryReport(("nothing sent",), is_well=True)
    done = _run(config, _retry(config, survey, choice, topics, options))
    lines = tuple(_told(done, is_dry=options.is_dry))
    return RetryReport(lines, not any(done.left[why] for why in _UNWELL))


async def _retry(
    config: WorkerConfig,
    survey: Survey,
    choice: Choice,
    topics: Mapping[str, int],
    options: RetryOptions,
) -> Retry:
    if options.is_dry:
        done = Retry(config, None, is_forced=options.is_forced)
        await done.run(survey, choice, topics)
        return done
    publisher = Publisher(config.kafka, lambda _: None)
    await publisher.start()
    try:
        done = Retry(config, publisher, is_forced=options.is_forced)
        await done.run(survey, choice, topics)
    finally:
        await publisher.stop()
    return done


def _question(choice: Choice) -> str:
    topics = sorted({letter.facts.source.topic for letter in choice.letters.values()})
    letters = counted(len(choice.letters), "dead letter")
    return f"Send up to {letters} back to {', '.join(topics)}?"


def _told(done: Retry, *, is_dry: bool) -> Iterator[str]:
    verb = "would be sent" if is_dry else "sent"
    for topic, count in sorted(done.sent.items()):
        yield f"{count:7}  {verb} back to {topic}"
    for why, sentence in _WHY.items():
        if done.left[why]:
            yield f"{done.left[why]:7}  not sent: {sentence}"
    if not done.sent and not any(done.left.values()):
        yield "no dead letter is meant"


def _no_topic(topic: str) -> str:
    return f"{topic}: does not exist, as no worker has started here, or lacks the right Describe"


def _read(config: WorkerConfig, at: Position) -> ConsumerRecord:
    topic = config.topics.dead_letters
    record = _run(config, read_record(config.kafka, topic, at))
    if record is None:
        raise LiveScoringError(f"{topic}: {at}: no record; take a position that `list` names")
    return record


async def _count(config: WorkerConfig, topics: Iterable[str]) -> Mapping[str, int]:
    return await unless_away(partial(count_partitions, config.kafka, topics), config.kafka)


def _run(config: WorkerConfig, work: Coroutine[Any, Any, T]) -> T:
    """Do what needs a broker, unless none answers."""

    async def run() -> T:
        await _count(config, ())
        return await work

    try:
        return asyncio.run(run())
    finally:
        work.close()  # if it was never begun
