"""The booker: what it books of the log, once, and what it never skips."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverboat.game.commands import Funded, NotFunded, Ordered
from riverboat.game.hand.events import HandEnded, Net
from riverboat.game.record import Record, UnknownEvent
from riverboat.game.table.events import (
    PlayerLeft,
    PlayerSeated,
    ReservationFailed,
    SatOut,
    SeatReserved,
    TableOpened,
)
from riverboat.ledger import accounts
from services.wallet.book import Batch, Booker, LedgerStopped
from services.wallet.check import faults, positions
from services.wallet.store import Store
from services.wallet.teller import Teller
from tests.ledger.toy_table import PLAYERS
from tests.ledger.toy_table import settings as table_settings
from tests.services.wallet.hand_log import (
    PARTITION,
    HandLog,
    assert_sound,
    balances,
    book,
    close_down,
    funded_store,
)

T, U = "1.3", "2.3"


def reserve(name: str, player: str, amount: int) -> SeatReserved:
    return SeatReserved(name, player, 1, amount, "", 0, "", post=False)


def opened(*tables: str) -> HandLog:
    log = HandLog(0, T, U)
    for table in tables:
        log.append(table, TableOpened(table_settings()))
    return log


@given(st.integers(0, 2**32), st.integers(1, 40))
@settings(max_examples=15, deadline=None)
def test_the_ledger_agrees_with_the_log_at_every_version_it_has_booked(arm, seed, batch):
    """ARCHITECTURE 3, laws 3 and 4, over chance, with duplicates and batches of every size."""
    store, log = funded_store(arm.store(), amount=100), HandLog(seed, T, U)
    booker = Booker(store)
    for _ in range(25):
        log.play(12)
        done = book(booker, log, batch)
        log.answer(done.orders)
        assert_sound(store, log)
    close_down(booker, log)
    assert_sound(store, log)
    raked = store.balance(accounts.rake("standard", "EUR"))
    assert raked == sum(table.raked for table in log.tables.values())
    assert sum(balances(store).values()) + raked == 100 * len(PLAYERS)


@given(st.integers(0, 2**32), st.lists(st.integers(1, 30), min_size=1, max_size=6))
@settings(max_examples=12, deadline=None)
def test_the_books_do_not_depend_on_where_batches_end(arm, seed, sizes):
    log, stores = HandLog(seed, T, U), [funded_store(arm.store()), funded_store(arm.store())]
    whole = Booker(stores[0])
    for _ in range(15):
        log.play(10)
        log.answer(book(whole, log).orders)
    cut, place = Booker(stores[1]), 0
    while cut.offsets([PARTITION])[PARTITION] < log.end:
        book(cut, log, sizes[place % len(sizes)])
        place += 1
    assert balances(stores[1]) == balances(stores[0])
    assert positions(stores[1]) == positions(stores[0])
    assert cut.owed([PARTITION]) == whole.owed([PARTITION])


def test_a_record_that_stands_twice_or_lost_is_counted_and_skipped(arm):
    """ARCHITECTURE 2: "Follows something older; stale; skip and count"."""
    store, log = funded_store(arm.store()), opened(T)
    asked = log.append(T, reserve("r", "ann", 40))
    log.put(asked)
    log.put(Record(T, 2, asked.parent, "dealer/2/0", "", None, 1, (reserve("q", "ann", 9),)))
    done = book(Booker(store), log)
    assert (done.applied, done.stale) == (2, 2)
    assert done.orders == (Ordered(T, "wallet:r", "wallet", Funded("r")),)
    assert balances(store)["ann"] == 460


@pytest.mark.parametrize(
    ("version", "parent"),
    [
        (4, "dealer/1/1"),  # one is missing
        (3, "dealer/9/9"),  # the version fits, the parent does not
    ],
)
def test_where_history_is_missing_the_partition_stops(arm, version, parent):
    """ARCHITECTURE 2: "history is missing: never skip"."""
    store, log = funded_store(arm.store()), opened(T, U)
    log.append(T, reserve("r", "ann", 40))
    log.put(Record(T, version, parent, "dealer/1/77", "", None, 1, (PlayerSeated("r"),)))
    log.append(U, reserve("s", "bob", 40))
    booker = Booker(store)
    done = book(booker, log)
    assert (done.next_offsets[PARTITION], done.applied, done.halted) == (3, 3, {})
    for _ in range(2):
        halted = book(booker, log).halted[PARTITION]
        assert halted.startswith(f"history of table 1.3 is missing: version {version}")
    assert booker.offsets([PARTITION]) == {PARTITION: 3}
    assert balances(store) == dict.fromkeys(PLAYERS, 500) | {"ann": 460}


def test_a_reservation_that_was_refused_stays_refused(arm):
    store, log = funded_store(arm.store(), amount=10), opened(T)
    log.append(T, reserve("r", "ann", 40))
    booker = Booker(store)
    refused = Ordered(T, "wallet:r", "wallet", NotFunded("r", "NOT_ENOUGH_MONEY"))
    assert book(booker, log).orders == (refused,)
    Teller(store).deposit("till", "k", "ann", "EUR", 1_000, "", 1)
    assert Booker(store).owed([PARTITION]) == (refused,)
    log.append(T, ReservationFailed("r", "NOT_ENOUGH_MONEY"))
    book(booker, log)
    assert booker.owed([PARTITION]) == ()
    assert balances(store)["ann"] == 1_010


def test_an_answer_is_owed_until_the_table_shows_it(arm):
    """A wallet that died between its commit and its answer finds the answer again."""
    store, log = funded_store(arm.store()), opened(T)
    log.append(T, reserve("r", "ann", 40))
    book(Booker(store), log)
    successor = Booker(store)
    owed = successor.owed([PARTITION])
    assert owed == (Ordered(T, "wallet:r", "wallet", Funded("r")),)
    assert successor.owed([0, 1]) == ()
    log.append(T, SatOut("bob", "asked"))
    assert book(successor, log).orders == ()
    assert successor.owed([PARTITION]) == owed
    log.append(T, PlayerSeated("r"))
    book(successor, log)
    assert successor.owed([PARTITION]) == ()
    assert balances(store)["ann"] == 460


class PowerCut(Exception):
    pass


def cut_off(store: Store) -> None:
    with store.writing() as writing:
        assert writing.offsets([PARTITION]) == {PARTITION: 0}
        writing.move({PARTITION: 2})
        writing.stop(T, PARTITION, 1, "why")
        raise PowerCut


def test_a_transaction_that_is_cut_off_has_not_been(arm):
    """ARCHITECTURE 3, law 4: "whatever crashes in between"."""

    store, log = funded_store(arm.store()), opened(T)
    log.append(T, reserve("r", "ann", 40))
    before = arm.backup(store)
    with pytest.raises(PowerCut):
        cut_off(store)
    assert store.offsets([PARTITION]) == before.offsets([PARTITION]) == {PARTITION: 0}
    assert store.stopped([PARTITION]) == []
    assert book(Booker(store), log).applied == 2


def test_a_wallet_that_wakes_up_late_books_nothing(arm):
    """The transaction compares the offset that it started from."""
    store, log = funded_store(arm.store()), opened(T)
    log.append(T, reserve("r", "ann", 40))
    asleep, awake = Booker(store), Booker(store)
    book(awake, log)
    late = asleep.book([Batch(PARTITION, 0, log.reads, log.end)])
    assert late.overtaken == {PARTITION}
    assert (late.next_offsets, late.postings, late.orders) == ({PARTITION: log.end}, 0, ())
    assert balances(store)["ann"] == 460


def test_two_wallets_on_one_ledger_at_once_book_everything_once(arm):
    path = arm.place()
    log, alone = HandLog(11, T, U), funded_store()
    booker = Booker(alone)
    for _ in range(60):
        log.play(10)
        log.answer(book(booker, log).orders)
    funded_store(Store(path)).close()
    stores = [Store(path), Store(path)]
    lost: list[int] = []

    def follow(store: Store) -> None:
        mine, at = Booker(store), 0
        while at < log.end:
            reads = log.reads[at : at + 7]
            done = mine.book([Batch(PARTITION, at, reads, at + len(reads))])
            lost.append(bool(done.overtaken))
            at = done.next_offsets[PARTITION]

    threads = [threading.Thread(target=follow, args=(store,)) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert any(lost), "the two met"
    assert_sound(stores[0], log)
    assert balances(stores[1]) == balances(alone)
    assert Booker(stores[0]).owed([PARTITION]) == booker.owed([PARTITION])


@given(st.integers(0, 2**32))
@settings(max_examples=6, deadline=None)
def test_a_ledger_from_an_older_backup_catches_up_with_the_log(arm, seed):
    """ARCHITECTURE 5: "The log is final"; deposits made after the backup are gone."""
    store, log = funded_store(arm.store(), amount=60), HandLog(seed, T, U)
    booker, till, backup = Booker(store), Teller(store), arm.backup(store)
    for turn in range(40):
        log.play(10)
        log.answer(book(booker, log).orders)
        till.deposit("till", f"k{turn}", PLAYERS[turn % 5], "EUR", 200, "", 1)
        if turn == 10:
            backup = arm.backup(store)
    restored = Booker(backup)
    done = restored.book([Batch(PARTITION, log.end, [], log.end)])
    assert done.overtaken
    done = book(restored, log)
    assert done.applied
    assert_sound(backup, log)
    close_down(restored, log)
    assert_sound(backup, log)
    # To the unit: what everybody had, less the deposits that are missing.
    raked = backup.balance(accounts.rake("standard", "EUR"))
    assert sum(balances(backup).values()) + raked == 5 * 60 + 11 * 200


def test_a_seating_that_a_restored_ledger_had_refused_is_booked_into_debt_and_flagged(arm):
    store, log = funded_store(arm.store(), amount=10), opened(T)
    backup = arm.backup(store)
    Teller(store).deposit("till", "k", "ann", "EUR", 90, "", 1)
    log.append(T, reserve("r", "ann", 100))
    assert book(Booker(store), log).orders[0].order == Funded("r")
    log.append(T, PlayerSeated("r"))
    done = book(Booker(backup), log)
    assert done.flagged == 1
    assert balances(backup)["ann"] == -90
    assert Booker(backup).owed([PARTITION]) == ()
    line, *_ = backup.statement(accounts.player_account("ann", "EUR"), 99, 9)
    assert (line.posting, line.flag, line.balance) == ("fund:r", "log_wins", -90)
    assert_sound_at(backup, T, {"r": 100})


def assert_sound_at(store: Store, table: str, at_table: dict[str, int]) -> None:
    assert faults(store) == []
    assert positions(store)[table].at_table == at_table


CANNOT_BE_BOOKED = [
    (UnknownEvent("field 99"), "tells what is not known here"),
    (PlayerLeft("ann", "r", 1, 39, "asked"), "left 1 behind"),
    (HandEnded("1.3-1", (Net(1, "ann", "r", -3),), 2), "does not sum to zero"),
    (PlayerSeated("nobody"), "never reserved"),
]


@pytest.mark.parametrize(("event", "why"), CANNOT_BE_BOOKED)
def test_what_cannot_be_booked_stops_its_table_and_no_other(arm, event, why):
    """ARCHITECTURE 2: "An unknown or failing event stops that table in that reader"."""
    store, log = funded_store(arm.store()), opened(T, U)
    log.append(T, reserve("r", "ann", 40))
    log.append(T, PlayerSeated("r"))
    log.append(T, SatOut("ann", "asked"), event)
    log.append(U, reserve("s", "bob", 40))
    log.append(T, reserve("more", "cem", 5))
    booker = Booker(store)
    done = book(booker, log)
    assert (done.applied, done.waiting) == (5, 2)
    assert done.next_offsets == {PARTITION: log.end}
    (stop,) = done.stopped
    assert (stop.table, stop.next_offset) == (T, 4)
    assert why in stop.why
    assert booker.stopped([PARTITION]) == [stop]
    assert [order.table for order in done.orders] == [U]
    assert_sound_at(store, T, {"r": 40})
    # Later records of the table wait too, and tell nobody twice.
    log.append(T, SatOut("ann", "asked"))
    done = book(booker, log)
    assert (done.waiting, done.stopped) == (1, ())


def test_a_stopped_table_is_read_on_when_its_record_can_be_booked(arm):
    store, log = funded_store(arm.store()), opened(T, U)
    log.append(T, reserve("r", "ann", 40))
    unknown = log.append(T, UnknownEvent("field 99"))
    log.append(U, reserve("s", "bob", 40))
    log.append(T, PlayerSeated("r"))
    booker = Booker(store)
    (stop,) = book(booker, log).stopped
    mine = [read for read in log.reads[stop.next_offset :] if read.record.table == T]

    still = booker.book_stopped(stop, mine, log.end)
    assert (still.applied, still.stopped) == (0, (stop,))

    # A version that knows the event reads the same bytes.
    unknown.events = (SatOut("ann", "asked"),)
    half = booker.book_stopped(stop, mine[:1], stop.next_offset + 1)
    assert half.applied == 1
    (stop,) = booker.stopped([PARTITION])
    assert stop.next_offset == 4
    booker.book_stopped(stop, mine[1:], log.end)
    assert booker.stopped([PARTITION]) == []
    assert_sound_at(store, T, {"r": 40})
    assert booker.book_stopped(stop, mine, log.end).overtaken


def test_a_stopped_table_with_missing_history_stops_the_ledger(arm):
    store, log = funded_store(arm.store()), opened(T)
    log.append(T, UnknownEvent("field 99"))
    log.append(T, SatOut("ann", "asked"))
    booker = Booker(store)
    (stop,) = book(booker, log).stopped
    with pytest.raises(LedgerStopped, match="history of table"):
        booker.book_stopped(stop, log.reads[2:], log.end)


def test_partitions_that_share_a_transaction_share_no_trouble(arm):
    """A gap halts its partition, a late start leaves its own out, and the others are booked."""
    store, logs = (
        funded_store(arm.store()),
        [HandLog(0, f"1.{partition}") for partition in range(4)],
    )
    for partition, log in enumerate(logs):
        log.append(f"1.{partition}", TableOpened(table_settings()))
        log.append(f"1.{partition}", reserve(f"r{partition}", "ann", 10))
    gap = Record("1.1", 9, "dealer/1/9", "dealer/1/10", "", None, 1, ())
    logs[1].reads.insert(0, logs[1].reads[0]._replace(record=gap))
    batches = [Batch(at, 0, log.reads, log.end) for at, log in enumerate(logs)]
    batches[2] = batches[2]._replace(start=1)
    done = Booker(store).book(batches)
    assert done.halted.keys() == {1}
    assert done.overtaken == {2}
    assert done.next_offsets == {0: 2, 2: 0, 3: 2}
    assert [order.table for order in done.orders] == ["1.0", "1.3"]
    assert Booker(store).offsets(range(4)) == {0: 2, 1: 0, 2: 0, 3: 2}
    assert balances(store)["ann"] == 480
