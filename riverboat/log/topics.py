"""The one table of topics: what is kept where, for how long, written and read by whom.

Deployment files, access lists and documents are rendered from this table. It holds settings only,
never a connection.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from riverboat.log.log import Append, Place, RecordTooLarge, WrongTopic

PARTITIONS = 32
DAY_MS = 24 * 60 * 60 * 1000

# Key and value together. Kafka's own default for a message, which every client library takes.
RECORD_BYTES_MAX = 1024 * 1024
# What one append may bring to one partition: it travels as one record batch, whole or not at all.
BATCH_BYTES_MAX = 8 * 1024 * 1024
# A record's own frame (offset, time, lengths), at the most; it counts towards the batch.
RECORD_FRAME_BYTES = 48
# A batch's own header, at the most.
BATCH_HEADER_BYTES = 1024


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic's settings. The same for both logs; the embedded one has no use for segments."""

    name: str
    keyed_by: str
    writers: tuple[str, ...]
    readers: tuple[str, ...]
    keep_ms: int | None = None  # None keeps for ever
    compacted: bool = False  # only the newest record of a key must stay
    partitions: int = PARTITIONS
    segment_bytes: int = 256 * 1024 * 1024
    segment_ms: int = 7 * DAY_MS
    record_bytes_max: int = RECORD_BYTES_MAX

    def kafka_settings(self, *, replicas: int) -> dict[str, str]:
        """The topic's settings by Kafka's names, for a cluster that keeps `replicas` copies."""
        return {
            "cleanup.policy": "compact" if self.compacted else "delete",
            "retention.ms": "-1" if self.keep_ms is None else str(self.keep_ms),
            "retention.bytes": "-1",
            "segment.bytes": str(self.segment_bytes),
            "segment.ms": str(self.segment_ms),
            "max.message.bytes": str(BATCH_BYTES_MAX + BATCH_HEADER_BYTES),
            "message.timestamp.type": "LogAppendTime",
            "unclean.leader.election.enable": "false",
            # Two of three: a write survives the loss of any one broker.
            "min.insync.replicas": str(max(1, replicas // 2 + replicas % 2)),
        }


TABLE_COMMANDS = "riverboat.table-commands.v1"
TABLE_ORDERS = "riverboat.table-orders.v1"
HAND_LOG = "riverboat.hand-log.v1"
TABLES = "riverboat.tables.v1"
TABLE_CHAT = "riverboat.table-chat.v1"
MUTES = "riverboat.mutes.v1"
TOURNAMENT_LOG = "riverboat.tournament-log.v1"
WALLET_LOG = "riverboat.wallet-log.v1"
OPERATOR_LOG = "riverboat.operator-log.v1"
DEAD_LETTERS = "riverboat.dead-letters.v1"
CLOCK = "riverboat.clock.v1"

TOPICS: tuple[Topic, ...] = (
    # What players ask. The session writes it, and nobody who can be reached from outside writes
    # anything else.
    Topic(
        TABLE_COMMANDS,
        keyed_by="table",
        writers=("session",),
        readers=("dealer", "betting", "operator"),
        keep_ms=7 * DAY_MS,
        segment_ms=DAY_MS,
    ),
    # What the house orders. A topic apart, so that access lists keep the edge from writing money.
    Topic(
        TABLE_ORDERS,
        keyed_by="table",
        writers=("wallet", "lobby", "tournament", "operator", "cli"),
        readers=("dealer", "operator"),
        keep_ms=7 * DAY_MS,
        segment_ms=DAY_MS,
    ),
    Topic(
        HAND_LOG,
        keyed_by="table",
        writers=("dealer", "betting", "showdown"),
        readers=(
            "dealer",
            "betting",
            "showdown",
            "session",
            "wallet",
            "lobby",
            "tournament",
            "operator",
            "analytics",
            "cli",
        ),
        segment_bytes=1024 * 1024 * 1024,
    ),
    # Snapshots, and each partition's recovery mark. Small segments, so that compaction gets at
    # superseded snapshots soon: it never touches the segment that is being written.
    Topic(
        TABLES,
        keyed_by="table",
        writers=("dealer",),
        readers=("dealer", "betting", "showdown", "session", "lobby", "operator", "cli"),
        compacted=True,
        segment_bytes=16 * 1024 * 1024,
        segment_ms=60 * 60 * 1000,
    ),
    # What is said at tables. Nothing of it stands in a topic that is kept for ever.
    Topic(
        TABLE_CHAT,
        keyed_by="table",
        writers=("session",),
        readers=("session",),
        keep_ms=7 * DAY_MS,
        segment_bytes=16 * 1024 * 1024,
        segment_ms=DAY_MS,
    ),
    # Who does not want to hear whom, until he does again: by both their ids, and nothing else.
    Topic(
        MUTES,
        keyed_by="players",
        writers=("session",),
        readers=("session",),
        compacted=True,
        segment_bytes=16 * 1024 * 1024,
        segment_ms=DAY_MS,
    ),
    Topic(
        TOURNAMENT_LOG,
        keyed_by="tournament",
        writers=("tournament", "wallet"),
        readers=("tournament", "wallet", "lobby", "session", "analytics", "cli"),
    ),
    Topic(
        WALLET_LOG,
        keyed_by="account",
        writers=("wallet",),
        readers=("analytics", "cli"),
    ),
    # What operators did, with who and why: a measure is here before it has any effect.
    Topic(
        OPERATOR_LOG,
        keyed_by="subject",
        writers=("operator",),
        readers=("operator", "session", "cli"),
    ),
    # Records whose envelope could not be read, as they came, under the key that they came with.
    Topic(
        DEAD_LETTERS,
        keyed_by="source",
        writers=("dealer", "betting", "showdown", "session", "wallet"),
        readers=("cli",),
        keep_ms=28 * DAY_MS,
        segment_ms=7 * DAY_MS,
    ),
    # Empty records: whoever must know the log's own time appends one and is told its stamp.
    Topic(
        CLOCK,
        keyed_by="nothing",
        writers=("dealer", "betting", "showdown", "session", "wallet", "operator"),
        readers=("cli",),
        keep_ms=DAY_MS,
        segment_ms=DAY_MS,
    ),
)

# The topics whose partition number is the one in a table's id, so that whoever owns partition 7
# owns it of each of them.
TABLE_KEYED: tuple[str, ...] = (TABLE_COMMANDS, TABLE_ORDERS, HAND_LOG, TABLES, TABLE_CHAT)


def topics_with(partitions: int, topics: Iterable[Topic] = TOPICS) -> tuple[Topic, ...]:
    """The same table with another number of partitions, chosen when a network is first made."""
    return tuple(dataclasses.replace(topic, partitions=partitions) for topic in topics)


def by_name(topics: Iterable[Topic]) -> dict[str, Topic]:
    """The topics by their names."""
    return {topic.name: topic for topic in topics}


def places(topic: Topic) -> tuple[Place, ...]:
    """Every partition of `topic`."""
    return tuple(Place(topic.name, partition) for partition in range(topic.partitions))


def aligned(topics: Sequence[Topic]) -> int:
    """How many partitions these topics all have; they are owned together, number by number."""
    counts = {topic.partitions for topic in topics}
    if len(counts) != 1:
        counted = ", ".join(f"{topic.name} {topic.partitions}" for topic in topics)
        raise WrongTopic(f"these topics are owned together and differ in partitions: {counted}")
    return counts.pop()


def check_batch(batch: Sequence[Append], topics: Mapping[str, Topic]) -> int:
    """The bytes of `batch`, or `RecordTooLarge` or `WrongTopic` naming the first that is wrong."""
    total = 0
    for topic, partition, key, value in batch:
        settings = topics.get(topic)
        if settings is None or not 0 <= partition < settings.partitions:
            raise WrongTopic(f"this network has no partition {partition} of {topic}")
        size = record_bytes(key, value)
        if size > settings.record_bytes_max:
            raise RecordTooLarge(
                f"a record of {size} bytes for {topic}, partition {partition}, key {key[:60]!r}:"
                f" it takes {settings.record_bytes_max}"
            )
        total += size + RECORD_FRAME_BYTES
    if total > BATCH_BYTES_MAX:
        _check_each_partition(batch)
    return total


def record_bytes(key: str, value: bytes | None) -> int:
    """What a record's key and value weigh."""
    size = len(key) if key.isascii() else len(key.encode())
    return size + len(value) if value is not None else size


def _check_each_partition(batch: Sequence[Append]) -> None:
    sizes: dict[tuple[str, int], int] = {}
    for topic, partition, key, value in batch:
        size = sizes.get((topic, partition), 0) + record_bytes(key, value) + RECORD_FRAME_BYTES
        sizes[topic, partition] = size
        if size > BATCH_BYTES_MAX:
            raise RecordTooLarge(
                f"a batch of more than {BATCH_BYTES_MAX} bytes for {topic}, partition {partition}"
            )
