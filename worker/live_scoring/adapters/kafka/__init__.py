"""The one package that speaks aiokafka: consuming, publishing, reading back, topics."""

from aiokafka import ConsumerRecord, TopicPartition

from live_scoring.adapters.kafka.batches import Outgoing
from live_scoring.adapters.kafka.connection import until_connected
from live_scoring.adapters.kafka.consumer import GroupConsumer, Handover
from live_scoring.adapters.kafka.groups import begin_at_end
from live_scoring.adapters.kafka.partitions import partition_of
from live_scoring.adapters.kafka.patience import unless_away
from live_scoring.adapters.kafka.publisher import Publisher, Refused
from live_scoring.adapters.kafka.reader import end_offsets, read_partitions
from live_scoring.adapters.kafka.stretch import Extent, StretchConsumer
from live_scoring.adapters.kafka.topics import TopicNeed, count_partitions, prepare_topics

__all__ = [
    "ConsumerRecord",
    "Extent",
    "GroupConsumer",
    "Handover",
    "Outgoing",
    "Publisher",
    "Refused",
    "StretchConsumer",
    "TopicNeed",
    "TopicPartition",
    "begin_at_end",
    "count_partitions",
    "end_offsets",
    "partition_of",
    "prepare_topics",
    "read_partitions",
    "unless_away",
    "until_connected",
]
