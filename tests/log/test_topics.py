"""The table of topics, how partitions are shared out, and how a log is addressed."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.log import topics
from riverboat.log.log import LogError, WrongTopic
from riverboat.log.opening import open_log
from riverboat.log.sharing import share_out
from riverboat.log.topics import TABLE_KEYED, TOPICS, aligned, by_name

TABLE = by_name(TOPICS)


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_a_topic_is_named_by_the_house_s_rule(topic):
    house, name, version = topic.name.split(".")
    assert (house, version) == ("riverboat", "v1")
    assert name == name.lower()
    assert topic.writers
    assert topic.readers


def test_truth_and_money_are_kept_for_ever():
    """ARCHITECTURE 1: hand log, tournament log and wallet log are kept for ever."""
    for name in (topics.HAND_LOG, topics.TOURNAMENT_LOG, topics.WALLET_LOG):
        assert TABLE[name].kafka_settings(replicas=3)["retention.ms"] == "-1"
        assert TABLE[name].kafka_settings(replicas=3)["cleanup.policy"] == "delete"


def test_what_is_said_is_soon_forgotten():
    """ARCHITECTURE 1: "Topics kept for ever hold pseudonymous ids only: no name, address, chat"."""
    keep_ms = TABLE[topics.TABLE_CHAT].keep_ms
    assert keep_ms is not None
    assert keep_ms <= 7 * topics.DAY_MS


def test_only_snapshots_and_mutes_are_compacted():
    assert [topic.name for topic in TOPICS if topic.compacted] == [topics.TABLES, topics.MUTES]


def test_the_edge_writes_nothing_but_what_players_ask():
    """ARCHITECTURE 1: "so that access lists keep the edge from writing money"."""
    written = [topic.name for topic in TOPICS if "session" in topic.writers]
    said = [topics.TABLE_COMMANDS, topics.TABLE_CHAT, topics.MUTES]
    assert written == [*said, topics.DEAD_LETTERS, topics.CLOCK]


def test_topics_keyed_by_table_are_aligned():
    assert aligned([TABLE[name] for name in TABLE_KEYED]) == topics.PARTITIONS
    assert {name for name in TABLE if TABLE[name].keyed_by == "table"} == set(TABLE_KEYED)


def test_topics_of_different_sizes_are_not_owned_together():
    other = dataclasses.replace(TABLE[topics.TABLES], partitions=8)
    with pytest.raises(WrongTopic, match="8"):
        aligned([TABLE[topics.HAND_LOG], other])


@pytest.mark.parametrize(("replicas", "in_sync"), [(1, "1"), (2, "1"), (3, "2"), (5, "3")])
def test_a_write_survives_the_loss_of_a_minority(replicas, in_sync):
    settings = TABLE[topics.HAND_LOG].kafka_settings(replicas=replicas)
    assert settings["min.insync.replicas"] == in_sync
    assert settings["unclean.leader.election.enable"] == "false"
    assert settings["message.timestamp.type"] == "LogAppendTime"


NAMES = st.sets(st.text(min_size=1, max_size=8), min_size=1, max_size=9)


@given(st.integers(1, 64), NAMES)
def test_every_partition_has_one_owner_and_shares_are_even(partitions, names):
    shares = share_out(partitions, names)
    assert sorted(p for share in shares.values() for p in share) == list(range(partitions))
    sizes = {len(share) for share in shares.values()}
    assert max(sizes) - min(sizes) <= 1


@given(NAMES)
def test_shares_depend_on_the_names_alone(names):
    assert share_out(32, sorted(names)) == share_out(32, sorted(names, reverse=True))


@pytest.mark.parametrize("members", [2, 3, 4, 7])
def test_most_partitions_stay_when_a_member_comes(members):
    before = share_out(32, [f"dealer-{n}" for n in range(members)])
    after = share_out(32, [f"dealer-{n}" for n in range(members + 1)])
    stayed = sum(len(before[name] & after[name]) for name in before)
    assert stayed >= 32 // 2


def test_nobody_owns_nothing():
    assert share_out(4, []) == {}


@pytest.mark.parametrize(
    "address",
    ["kafka://", "kafka://host", "kafka://a:1,b", "kafka://:9", "kafka://a:x", "http://x"],
)
async def test_an_address_that_is_no_log_is_refused(address):
    with pytest.raises(LogError, match="HOST:PORT"):
        await open_log(address, clock=lambda: 0)
