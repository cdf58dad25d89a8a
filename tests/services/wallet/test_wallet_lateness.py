"""A wallet that cannot book says so to tables, and says no more than that."""

from __future__ import annotations

from riverboat.game.table.events import PlayerSeated, TableOpened
from riverboat.log import topics
from riverboat.log.embedded import EmbeddedLog
from riverboat.log.log import Append
from riverboat.wire.beats import decode_word
from services.wallet.check import faults, positions
from services.wallet.lateness import LATE_S, TOLD_S, Lateness
from services.wallet.store import Store
from tests.ledger.toy_table import settings
from tests.services.wallet.hand_log import funded_store
from tests.services.wallet.test_wallet_loop import PARTITIONS, Network, T, funded, reserve
from tests.waiting import until

OWNED = frozenset({1, 2})


def said(words: list[Append]) -> list[tuple[int, bool | None]]:
    return [(word.partition, decode_word(word.value or b"")) for word in words]


def test_what_is_late_for_a_while_is_told_again_and_again_and_then_that_it_is_over():
    lateness = Lateness("one")
    assert lateness.words(OWNED, OWNED, 0.0) == []
    assert lateness.words(OWNED, OWNED, LATE_S - 0.1) == []
    assert said(lateness.words(OWNED, {1}, LATE_S)) == [(1, True)]
    assert lateness.words(OWNED, {1}, LATE_S + TOLD_S - 0.1) == []
    assert said(lateness.words(OWNED, {1}, LATE_S + TOLD_S)) == [(1, True)]
    assert said(lateness.words(OWNED, {2}, LATE_S + TOLD_S)) == [(1, False)]
    assert lateness.words(OWNED, {1}, 100.0) == [], "it is late anew"


def test_what_was_late_too_short_to_be_told_is_not_told_to_be_over():
    lateness = Lateness("one")
    assert lateness.words(OWNED, OWNED, 0.0) == []
    assert lateness.words(OWNED, set(), 1.0) == []


def test_of_what_another_owns_now_the_other_tells():
    lateness = Lateness("one")
    lateness.words(OWNED, OWNED, 0.0)
    assert said(lateness.words(OWNED, OWNED, LATE_S)) == [(1, True), (2, True)]
    assert said(lateness.words({1}, set(), LATE_S + 1)) == [(1, False)]


async def test_tables_are_told_while_the_database_is_away_and_when_all_is_booked(
    own_postgres, tmp_path
):
    now_ms = iter(range(1_000, 1_000_000))
    log = await EmbeddedLog.open(
        tmp_path, topics.topics_with(PARTITIONS), clock=lambda: next(now_ms)
    )
    network = Network(log)
    store = funded_store(Store(own_postgres.url()))
    loop = await network.wallet(store, resend_ms=200)
    await network.append(T, TableOpened(settings()))
    await network.append(T, reserve("r", "ann", 40))
    assert await network.order() == funded(T, "r")
    await network.append(T, PlayerSeated("r"))
    await until(lambda: positions(store)[T].version == 3)
    assert network.words == []

    own_postgres.kill()
    await network.append(T, reserve("q", "bob", 30))
    for partition in range(PARTITIONS):
        await network.told(partition, away=True)
    assert not any(word == (3, False) for word in network.words)
    own_postgres.start()
    await network.told(3, away=False)
    assert positions(store)[T].in_transit == {"q": 30}, "what came meanwhile is booked by then"
    while (order := await network.order()) != funded(T, "q"):
        assert order == funded(T, "r"), "what was told before is told again at most"
    assert faults(store) == []
    await loop.stop()
    await log.close()
    store.close()
    assert network.broken == []


async def test_a_database_that_hangs_is_told_as_one_that_is_away(tmp_path):
    log = await EmbeddedLog.open(tmp_path, topics.topics_with(PARTITIONS), clock=lambda: 1)
    network = Network(log)
    store = funded_store(Store(tmp_path / "ledger.sqlite"))
    loop = await network.wallet(store)
    other = Store(tmp_path / "ledger.sqlite")
    with other.writing():
        # Whoever writes waits for this one; nothing is broken, and nothing comes.
        await network.append(T, TableOpened(settings()))
        await network.told(3, away=True)
        assert loop.away
    await network.told(3, away=False)
    assert positions(store)[T].version == 1
    other.close()
    await loop.stop()
    await log.close()
    store.close()
    assert network.broken == []
