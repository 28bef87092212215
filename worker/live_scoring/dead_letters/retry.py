"""Sending dead letters back to where their records came from, each once.

A mark on the dead-letter topic says before a letter is sent that it will be, and another one
afterwards that it was. A letter with the first mark alone is looked for in its topic.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import partial

from live_scoring.adapters.kafka import (
    ConsumerRecord,
    Publisher,
    end_offsets,
    read_partitions,
    until_connected,
)
from live_scoring.config import WorkerConfig
from live_scoring.core.score import Failure
from live_scoring.dead_letters.arrived import find_arrived
from live_scoring.dead_letters.choosing import Choice, Left
from live_scoring.dead_letters.reading import read_again
from live_scoring.dead_letters.sending import Ends, Sending, address, mark_record
from live_scoring.dead_letters.survey import Letter, Survey, position_of
from live_scoring.formats.dead_letter import Position

_BATCH_LETTERS, _BATCH_BYTES = 500, 8 * 1024 * 1024


class Retry:
    """One run of the command; of two at the same time both may send a letter."""

    def __init__(
        self, config: WorkerConfig, publisher: Publisher | None, *, is_forced: bool
    ) -> None:
        """Prepare.

        Args:
            config: How to connect, the topics, and how bytes are read.
            publisher: None sends nothing, and what would be sent is counted.
            is_forced: Whether to send what still cannot be read.
        """
        self._config = config
        self._dead_letters = config.topics.dead_letters
        self._publisher = publisher
        self._is_forced = is_forced
        self.sent: Counter[str] = Counter()
        """Letters sent, or that would be, by topic."""
        self.left: Counter[Left] = Counter()
        """Letters not sent."""

    async def run(self, survey: Survey, choice: Choice, topics: Mapping[str, int]) -> None:
        """Send what is chosen.

        Args:
            survey: What was read before, marks included.
            choice: The letters.
            topics: How many partitions each topic has that letters may go to.

        Raises:
            LiveScoringError: Something that waiting cannot mend; the next run goes on from there.
        """
        self.left += choice.left
        chosen = {letter.facts.source: letter for letter in choice.letters.values()}
        ends = {
            topic: await self._ends(topic, topics[topic]) for topic in {s.topic for s in chosen}
        }
        begun = [mark for source in chosen for mark in survey.begun.get(source, ())]
        arrived = await find_arrived(self._config.kafka, self._dead_letters, begun, ends)
        if self._publisher:
            marks = [mark_record(replace(mark, step="sent")) for mark in arrived.values()]
            await self._publisher.publish(self._dead_letters, marks)
        self.left["retried"] += len(arrived)
        for batch in _batches(x for source, x in chosen.items() if source not in arrived):
            for topic, sendings in (await self._readable(batch, ends)).items():
                await self._send(topic, sendings)

    async def _ends(self, topic: str, partitions: int) -> Mapping[int, int]:
        read = partial(end_offsets, self._config.kafka, topic, partitions)
        return await until_connected(read, self._config.kafka)

    async def _readable(
        self, batch: Mapping[Position, Letter], ends: Ends
    ) -> Mapping[str, Sequence[Sending]]:
        """The letters to send, with their bytes, by topic."""
        sendings: defaultdict[str, list[Sending]] = defaultdict(list)
        for position, record in (await self._fetch(batch)).items():
            facts = batch[position].facts
            read = read_again(record, facts, self._config)
            if isinstance(read, Failure) and not self._is_forced:
                self.left["unreadable"] += 1
            else:
                sendings[facts.source.topic].append(address(batch[position], record, ends))
        return sendings

    async def _fetch(self, batch: Mapping[Position, Letter]) -> Mapping[Position, ConsumerRecord]:
        """The records of letters; those that are gone meanwhile are counted."""
        begin: dict[int, int] = {}
        for at, offset in batch:
            begin.setdefault(at, offset)

        async def read() -> dict[Position, ConsumerRecord]:
            found: dict[Position, ConsumerRecord] = {}
            kafka = self._config.kafka
            async with aclosing(
                read_partitions(kafka, self._dead_letters, begin, begin)
            ) as reading:
                async for records in reading:
                    found |= {place: r for r in records if (place := position_of(r)) in batch}
                    if len(found) == len(batch):
                        break
            return found

        found = await until_connected(read, self._config.kafka)
        self.left["gone"] += len(batch) - len(found)
        return found

    async def _send(self, topic: str, sendings: Sequence[Sending]) -> None:
        """Send letters to their topic, between their two marks."""
        if self._publisher is None:
            self.sent[topic] += len(sendings)
            return
        publish = self._publisher.publish
        await publish(self._dead_letters, [sending.mark("begun") for sending in sendings])
        records = [sending.outgoing() for sending in sendings]
        refused = {id(r.record) for r in await publish(topic, records)}
        both = zip(sendings, records, strict=True)
        taken = [sending for sending, record in both if id(record) not in refused]
        await publish(self._dead_letters, [sending.mark("sent") for sending in taken])
        self.sent[topic] += len(taken)
        self.left["refused"] += len(refused)


def _batches(letters: Iterable[Letter]) -> Iterator[Mapping[Position, Letter]]:
    """Parts of bounded number and size, in the order given."""
    batch: dict[Position, Letter] = {}
    size = 0
    for letter in letters:
        if batch and (len(batch) == _BATCH_LETTERS or size + letter.size > _BATCH_BYTES):
            yield batch
            batch, size = {}, 0
        batch[letter.position] = letter
        size += letter.size
    if batch:
        yield batch
