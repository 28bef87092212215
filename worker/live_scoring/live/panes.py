"""What the panes topic is for: a restart counts the last few scores again, and not all."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from live_scoring.adapters.kafka import Outgoing, read_partitions, until_connected
from live_scoring.core.errors import LiveScoringError
from live_scoring.core.pane import Stretch
from live_scoring.core.pipeline import SKEW_LIMIT_MS
from live_scoring.core.score import Failure
from live_scoring.formats.pane_sheet import decode_sheet, encode_sheet
from live_scoring.live.board import Board, Share
from live_scoring.live.chain import Link, Sheets
from live_scoring.live.draft import Draft
from live_scoring.live.rewind import since_ms
from live_scoring.live.services import Services
from live_scoring.live.turn import Turn

logger = logging.getLogger(__name__)

_READ_SECONDS = 300.0
_PUBLISH_SECONDS = 5.0
"""How long a turn waits for the broker to take panes; it can go on without."""
_RETRY_SECONDS = 30.0
_TRIES = 100
"""After so many a draft that cannot be written, and grows, is given up."""


class PaneKeeper:
    """Writes to the panes topic what scores have added to windows, and reads it back.

    Whatever goes wrong here costs time at the next restart and nothing else: what no pane tells
    is counted again from the scores topic.
    """

    def __init__(self, services: Services, topic: str | None, writer: str) -> None:
        """Prepare.

        Args:
            services: Configuration, publisher and clock.
            topic: With as many partitions as the scores topic; None keeps no panes.
            writer: Tells two workers apart.
        """
        self._restored = 0
        """How often. Each time scores may be counted again, by another plan or clock: what comes
        of it is not to be mixed with what was written before."""
        self._services = services
        self._topic = topic
        self._writer = writer
        self._retry_at = services.clock.monotonic()

    @property
    def is_on(self) -> bool:
        """Whether panes are kept."""
        return self._topic is not None

    # After an assignment.

    async def restore(self, board: Board, shares: Mapping[int, Share]) -> None:
        """Fill shares that are to be read from `next_offset` on, and move it behind that."""
        found = await self._read(board, shares)
        self._restored += 1
        writer = f"{self._writer}-{self._restored}"
        for partition, share in shares.items():
            chain = found.pop(partition, Sheets()).chain(share.next_offset, board.plan)
            if chain and await self._is_of_this_log(partition, chain[-1].stretch):
                await self._include(board, partition, chain)
            share.draft = Draft(share.next_offset, writer) if self._topic else None
            share.awaits_panes = False

    async def _read(self, board: Board, shares: Mapping[int, Share]) -> dict[int, Sheets]:
        if self._topic is None:
            return {}
        found: defaultdict[int, Sheets] = defaultdict(Sheets)
        topic, config = self._topic, self._services.config
        now_ms = self._services.clock.now_ms()
        since = since_ms(board.plan.longest_ms, now_ms - SKEW_LIMIT_MS)

        async def read() -> None:
            turn = Turn(self._services.clock.monotonic)
            async for records in read_partitions(config.kafka, topic, shares, since_ms=since):
                for record in records:
                    sheet = decode_sheet(record.value, now_ms - SKEW_LIMIT_MS)
                    if isinstance(sheet, Failure):
                        facts = {"partition": record.partition, "offset": record.offset}
                        logger.warning("not a pane", extra={**facts, "reason": sheet.reason})
                    elif record.timestamp <= now_ms + SKEW_LIMIT_MS:
                        # By a clock ahead of ours more may have been late than is by ours.
                        found[record.partition].add(sheet)
                    await turn.pause()

        try:
            async with asyncio.timeout(_READ_SECONDS):
                await until_connected(read, config.kafka)
        except (LiveScoringError, TimeoutError) as error:
            self._give_up(error)
            return {}
        return found

    async def _is_of_this_log(self, partition: int, stretch: Stretch) -> bool:
        """Whether the scores topic still is the one that was counted, and not one made anew."""
        kafka, topic = self._services.config.kafka, self._services.config.topics.scores
        last = stretch.next_offset - 1

        async def read() -> tuple[int, int] | None:
            records = read_partitions(kafka, topic, [partition], {partition: last})
            try:
                async for first, *_ in records:
                    return first.offset, first.timestamp
            finally:
                await records.aclose()
            return None

        found = await until_connected(read, kafka)
        if found != (last, stretch.ends_ms):
            logger.warning("panes of another scores topic", extra={"partition": partition})
        return found == (last, stretch.ends_ms)

    async def _include(self, board: Board, partition: int, chain: Sequence[Link]) -> None:
        turn, share = Turn(self._services.clock.monotonic), board.shares[partition]
        for link in chain:
            for sheet in link.sheets:
                for agent in sheet.agents:
                    board.include(share, agent)
                    await turn.pause()
        share.next_offset = chain[-1].stretch.next_offset
        sheets = sum(len(link.sheets) for link in chain)
        facts = {"partition": partition, "sheets": sheets, "offset": share.next_offset}
        logger.info("panes read back", extra=facts)
        if share.is_truncated:
            share.begins_at_ms = chain[0].stretch.begins_ms

    # While scores come in.

    async def keep(self, board: Board, partition: int, may_publish: Callable[[], bool]) -> None:
        """Write what is due of a share's draft, unless a clock ahead has kept scores from it.

        What was late by that clock is not in the draft, and not late by the right one.
        """
        share, now_ms = board.shares[partition], self._services.clock.now_ms()
        draft = share.draft
        if draft is None or not draft.is_due(self._services.config.panes_every):
            return
        if board.has_overtaken(now_ms):
            return
        if self._topic is None or draft.is_broken or draft.tries >= _TRIES:
            logger.warning("no panes kept until the next start", extra={"partition": partition})
            share.draft = None
        elif self._services.clock.monotonic() >= self._retry_at:
            draft.tries += 1
            records = await self._records(partition, draft, now_ms)
            if await self._publish(self._topic, records, may_publish):
                share.draft = draft.after()
            else:
                self._retry_at = self._services.clock.monotonic() + _RETRY_SECONDS

    async def _records(self, partition: int, draft: Draft, now_ms: int) -> Sequence[Outgoing]:
        """The draft as records of a moment, whatever becomes of the clock until they are sent."""
        records, turn = list[Outgoing](), Turn(self._services.clock.monotonic)
        for sheet in draft.sheets(now_ms):
            if sheet is not None:
                payload = encode_sheet(sheet)
                records.append(Outgoing(None, payload, partition, timestamp_ms=now_ms))
            await turn.pause()
        return records

    async def _publish(
        self, topic: str, records: Sequence[Outgoing], may_publish: Callable[[], bool]
    ) -> bool:
        """Publish records; whether the broker has confirmed all of them."""
        clock = self._services.clock
        until = clock.monotonic() + _PUBLISH_SECONDS

        def is_worth_it() -> bool:
            return may_publish() and clock.monotonic() < until

        try:
            refused = await self._services.publisher.publish(topic, records, is_worth_it)
        except LiveScoringError as error:
            self._give_up(error)
            return False
        if refused:
            size = max(len(each.record.value or b"") for each in refused)
            sentence = f"a record of {size:,} bytes is too large; raise its max.message.bytes"
            self._give_up(LiveScoringError(f"topic {topic}: {sentence}"))
        return not refused and is_worth_it()

    def _give_up(self, error: LiveScoringError | TimeoutError) -> None:
        facts = {"topic": self._topic, "error": str(error) or type(error).__name__}
        logger.warning("panes cannot be kept", extra=facts)
        self._topic = None
