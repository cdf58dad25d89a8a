"""A ledger that many use at once, and whose server is stopped, killed and started again."""

from __future__ import annotations

import asyncio
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa
from google.rpc import code_pb2

from riverboat.game.refusals import Refusal
from riverboat.game.table.events import PlayerSeated, TableOpened
from riverboat.ledger import accounts
from riverboat.ledger.standing import LimitKey, LimitKind, Period
from riverboat.log import topics
from riverboat.log.embedded import EmbeddedLog
from services.wallet.book import Batch, Booker
from services.wallet.check import faults, positions
from services.wallet.conduct import Conduct, Said
from services.wallet.store import LedgerAway, Store, WrongLedger
from services.wallet.teller import Teller
from tests.ledger.toy_table import PLAYERS, settings
from tests.services.wallet.hand_log import (
    PARTITION,
    HandLog,
    assert_sound,
    balances,
    book,
    close_down,
    funded_store,
)
from tests.services.wallet.test_wallet_loop import PARTITIONS, Network, T, funded, reserve
from tests.services.wallet.test_wallet_rpc import BOSS, Desk, told
from tests.waiting import until

ROOT = Path(__file__).parents[3]


def test_two_wallets_and_many_tellers_move_every_unit_once(arm):
    """Whoever meets waits or is run anew; nobody waits for one who waits for him."""
    place, log, alone = arm.place(), HandLog(3, "1.3", "2.3", "3.3"), funded_store()
    booker = Booker(alone)
    for _ in range(30):
        log.play(10)
        log.answer(book(booker, log).orders)
    funded_store(Store(place)).close()
    stores = [Store(place), Store(place)]
    tellers = [Teller(store) for store in stores]
    failed: list[BaseException] = []
    paid_in: list[int] = []

    def follow(store: Store) -> None:
        mine, at = Booker(store), 0
        while at < log.end:
            reads = log.reads[at : at + 9]
            at = mine.book([Batch(PARTITION, at, reads, at + len(reads))]).next_offsets[PARTITION]

    def pay(number: int) -> None:
        # Both tellers are asked for the same, at once; new accounts in a currency of their own too.
        chance = random.Random(number)
        for turn in range(25):
            player, currency = chance.choice(PLAYERS), chance.choice(("EUR", "RON", "SEK"))
            done = tellers[number % 2].deposit("till", f"{turn}", player, currency, 7, "", 1)
            if not isinstance(done, Refusal):
                paid_in.append(7)

    def run(work, *arguments) -> None:
        try:
            work(*arguments)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=(follow, store)) for store in stores]
    threads += [threading.Thread(target=run, args=(pay, number)) for number in (0, 2, 1, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert_sound(stores[0], log)
    there = Store(place)
    booked = sum(
        there.balance(accounts.player_account(player, currency))
        for player in PLAYERS
        for currency in ("EUR", "RON", "SEK")
    )
    outside = sum(there.balance(accounts.external(each)) for each in ("EUR", "RON", "SEK"))
    assert outside == -(500 * len(PLAYERS) + 25 * 7), "a key moves money once, whoever is asked"
    assert booked < -outside
    assert Booker(there).owed([PARTITION]) == booker.owed([PARTITION])


BOOK_AND_HOLD = """
import sys
from services.wallet.store import Store
from services.wallet.writing import Source
from riverboat.ledger import accounts
from riverboat.ledger.books import Books
from riverboat.ledger.postings import transfer
ann, world = accounts.player_account("ann", "EUR"), accounts.external("EUR")
with Store(sys.argv[1]).writing() as writing:
    books = Books()
    writing.offsets([3])
    writing.load(books, {ann, world}, ())
    books.book(transfer("half", world, ann, 77))
    writing.write(books, [Source(1)], {})
    writing.move({3: 99})
    print("written", flush=True)
    sys.stdin.read()
"""


def test_a_client_that_is_killed_in_its_transaction_leaves_nothing_half(arm):
    """ARCHITECTURE 5: "in one transaction"; its rows are free again at once."""
    place = arm.place()
    funded_store(Store(place)).close()
    with subprocess.Popen(
        [sys.executable, "-c", BOOK_AND_HOLD, place],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "written\n"
        process.send_signal(signal.SIGKILL)
    store = Store(place)
    assert not isinstance(Teller(store).deposit("till", "k", "ann", "EUR", 5, "", 1), Refusal)
    assert balances(store)["ann"] == 505
    assert store.offsets([3]) == {3: 0}
    assert faults(store) == []


def test_a_ledger_from_a_dump_catches_up_with_the_log(own_postgres, tmp_path):
    """ARCHITECTURE 5: the backup is a real `pg_dump`, older than much that happened since."""
    store, log = funded_store(Store(own_postgres.url())), HandLog(9, "1.3", "2.3")
    booker = Booker(store)
    for turn in range(16):
        log.play(10)
        log.answer(book(booker, log).orders)
        if turn == 6:
            own_postgres.command("pg_dump", "-Fc", "-f", str(tmp_path / "dump"), "riverboat")
    own_postgres.command("createdb", "restored")
    own_postgres.command("pg_restore", "-d", "restored", str(tmp_path / "dump"))
    restored = Store(own_postgres.url("restored"))
    assert positions(restored)["1.3"].version < positions(store)["1.3"].version
    again = Booker(restored)
    book(again, log)
    assert_sound(restored, log)
    assert balances(restored) == balances(store)
    close_down(again, log)
    assert_sound(restored, log)
    # Numbers go on behind those that were restored.
    assert not isinstance(Teller(restored).deposit("till", "z", "ann", "EUR", 5, "", 1), Refusal)
    restored.close()
    store.close()


@pytest.mark.parametrize("end", ["stop", "kill"])
async def test_while_the_server_is_down_callers_are_told_and_nothing_is_lost(
    own_postgres, tmp_path, end
):
    """Issue: "new buy-ins get a clear error, running hands go on, nothing is lost"."""
    now_ms = iter(range(1_000, 1_000_000))
    log = await EmbeddedLog.open(
        tmp_path, topics.topics_with(PARTITIONS), clock=lambda: next(now_ms)
    )
    network = Network(log)
    store = funded_store(Store(own_postgres.url()))
    desk = Desk(store=store)
    loop = await network.wallet(store, resend_ms=200)
    await network.append(T, TableOpened(settings()))
    await network.append(T, reserve("r", "ann", 40))
    assert await network.order() == funded(T, "r")
    await network.append(T, PlayerSeated("r"))
    await until(lambda: positions(store)[T].at_table == {"r": 40})

    await asyncio.to_thread(getattr(own_postgres, end))
    # The log goes on without it.
    await network.append(T, reserve("q", "bob", 30))
    await until(lambda: loop.away)
    for call in (
        desk.deposit(5, "k"),
        desk.withdraw(5, "w", BOSS, player="ann"),
        desk.call("Balance", BOSS, player="ann"),
        desk.call("Statement", BOSS, player="ann", currency="EUR"),
    ):
        fault = await call
        assert told(fault) == (code_pb2.UNAVAILABLE, "LEDGER_AWAY")
        assert fault.retry_after_ms > 0

    await asyncio.to_thread(own_postgres.start)
    while (order := await network.order()) != funded(T, "q"):
        assert order == funded(T, "r"), "what was told before is told again at most"
    await until(lambda: not loop.away)
    assert (await desk.deposit(5, "k")).balance == 465
    assert positions(store)[T].in_transit == {"q": 30}
    assert faults(store) == []
    await loop.stop()
    await log.close()
    store.close()
    assert network.broken == []


def test_a_server_that_is_not_there_is_told_from_one_that_lets_nobody_in(own_postgres):
    Store(own_postgres.url()).close()
    with pytest.raises(WrongLedger, match="password authentication failed"):
        Store(own_postgres.url(password="wrong"))
    with pytest.raises(WrongLedger, match="does not exist"):
        Store(own_postgres.url("nowhere"))
    own_postgres.stop()
    with pytest.raises(LedgerAway) as away:
        Store(own_postgres.url())
    assert own_postgres.password not in str(away.value)
    with pytest.raises(LedgerAway):
        Store("postgresql://somebody@127.0.0.1:1/ledger")


def test_a_database_of_something_else_is_no_ledger(own_postgres):
    with pytest.raises(WrongLedger, match="is no ledger") as wrong:
        Store(own_postgres.url("postgres"), read_only=True)
    assert own_postgres.password not in str(wrong.value)
    assert ":***@" in str(wrong.value)


def test_callers_who_meet_about_one_key_or_one_player_take_turns(arm):
    """A key is used once whatever it names, and a limit holds for all that comes in at once."""
    place = arm.place()
    Store(place).close()
    stores = [Store(place), Store(place)]
    one, two = stores
    daily = LimitKey(LimitKind.DEPOSIT, Period.DAY, "EUR")
    for number in range(10):
        ann, bob, key = f"ann{number}", f"bob{number}", f"k{number}"
        Conduct(one).set_limit(Said("x", f"limit{number}", ann, 1), daily, 100)
        _at_once(
            [
                partial(Teller(store).deposit, "op", f"{ann}{place}", ann, "EUR", 100, "", 2)
                for place, store in enumerate(stores)
            ]
        )
        assert one.balance(accounts.player_account(ann, "EUR")) == 100
        _at_once(
            [
                partial(Teller(one).deposit, "op", key, bob, "EUR", 5, "", 2),
                partial(Conduct(two).freeze, Said("op", key, ann, 2)),
            ]
        )
        paid = one.balance(accounts.player_account(bob, "EUR")) == 5
        assert paid != Conduct(one).standing(ann).frozen
    for store in stores:
        store.close()


def _at_once(works: list[Callable[[], object]]) -> None:
    gate = threading.Barrier(len(works))
    failed: list[BaseException] = []

    def run(work: Callable[[], object]) -> None:
        gate.wait()
        try:
            work()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_a_server_that_is_there_and_slow_counts_as_away(own_postgres):
    store = Store(own_postgres.url())
    Teller(store).deposit("op", "0", "ann", "EUR", 9, "", 1)
    other = Store(own_postgres.url())
    with other.connection(write=True) as person:
        person.execute(sa.text("LOCK TABLE accounts"))
        with pytest.raises(LedgerAway):
            _meet_a_lock(store)
    with pytest.raises(LedgerAway):
        _sleep_within(store, other)
    assert store.balance(accounts.player_account("ann", "EUR")) == 9
    other.close()
    store.close()


def _meet_a_lock(store: Store) -> None:
    with store.connection(write=True) as connection:
        connection.execute(sa.text("SET LOCAL lock_timeout = '50ms'"))
        connection.execute(sa.text("LOCK TABLE accounts"))


def _sleep_within(store: Store, other: Store) -> None:
    with store.connection(write=True) as connection:
        mine = connection.scalar(sa.text("SELECT pg_backend_pid()"))
        connection.execute(sa.text("SET LOCAL idle_in_transaction_session_timeout = '1ms'"))
        there = sa.text("SELECT count(*) FROM pg_stat_activity WHERE pid = :mine")
        is_there = True
        while is_there:
            with other.connection(write=False) as person:
                is_there = bool(person.scalar(there, {"mine": mine}))
        connection.execute(sa.text("SELECT 1"))
