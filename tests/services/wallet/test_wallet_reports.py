"""Reports on both databases: held against the log that they were booked from."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

from riverboat.game.hand.events import HandEnded, Net
from riverboat.game.table.events import (
    OptionsChanged,
    PlayerSeated,
    SeatReserved,
    Settings,
    TableOpened,
)
from riverboat.ledger.accounts import Kind
from riverboat.ledger.standing import DAY_MS
from services.wallet import reports
from services.wallet.book import Batch, Booker
from services.wallet.reports import Contributed, Earned, Span
from services.wallet.store import Store
from services.wallet.teller import Teller
from tests.ledger.toy_table import PLAYERS, settings
from tests.services.wallet.hand_log import HandLog, book, funded_store

ALL = Span(0, 2**62)
OMAHA = replace(settings(), variant="omaha", limit="pl")


def told(store: Store, table: str, opened: Settings, *hands: tuple[int, int, list[int]]) -> HandLog:
    """A table where ann, bob and cem sit, and hands: the day, the rake and each one's result."""
    log = HandLog(0)
    log.append(table, TableOpened(opened))
    for player in PLAYERS[:3]:
        sitting = f"{table}:{player}"
        log.append(table, SeatReserved(sitting, player, 1, 100, "", 0, "", post=False))
        log.append(table, PlayerSeated(sitting))
    for number, (day, rake, results) in enumerate(hands):
        nets = tuple(
            Net(seat, player, f"{table}:{player}", amount)
            for seat, (player, amount) in enumerate(zip(PLAYERS, results, strict=False))
        )
        log.append(table, HandEnded(f"{table}-{number}", nets, rake))
        log.reads[-1] = log.reads[-1]._replace(time_ms=day * DAY_MS)
    partition = int(table.partition(".")[2])
    Booker(store).book([Batch(partition, 0, log.reads, log.end)])
    return log


def test_rake_hands_and_players_come_by_day_and_game(arm):
    store = funded_store(arm.store())
    told(store, "1.0", settings(), (7, 2, [-10, 8, 0]), (7, 0, [-1, 1, 0]), (8, 1, [-1, -1, 1]))
    told(store, "1.1", OMAHA, (8, 3, [-3, 0, 0]))
    game = ("standard", "holdem", "nl", "1/2", "EUR")
    first, second, other = (
        Earned(7, *game, hands=2, players=2, rake=2),
        Earned(8, *game, hands=1, players=3, rake=1),
        Earned(8, "standard", "omaha", "pl", "1/2", "EUR", hands=1, players=1, rake=3),
    )
    assert reports.earned(store, ALL) == [first, second, other]
    assert reports.earned(store, Span(7 * DAY_MS, 8 * DAY_MS)) == [first]
    assert reports.earned(store, Span(8 * DAY_MS + 1, 2**62)) == []


def test_a_hand_stays_told_under_what_it_was_dealt_under(arm):
    """Whatever the table's options become."""
    store = funded_store(arm.store())
    log = told(store, "1.0", settings(), (7, 2, [-10, 8, 0]))
    before = reports.earned(store, ALL)
    nets = (Net(1, "ann", "1.0:ann", -3), Net(2, "bob", "1.0:bob", 0))
    log.append("1.0", OptionsChanged(OMAHA))
    log.append("1.0", HandEnded("1.0-9", nets, 3))
    log.reads[-1] = log.reads[-1]._replace(time_ms=7 * DAY_MS)
    log.append("1.0", OptionsChanged(settings()))
    booker = Booker(store)
    start = booker.offsets([0])[0]
    booker.book([Batch(0, start, log.reads[start:], log.end)])
    omaha = Earned(7, "standard", "omaha", "pl", "1/2", "EUR", hands=1, players=1, rake=3)
    assert reports.earned(store, ALL) == [*before, omaha]


def test_rake_is_shared_by_what_each_put_in_to_the_unit(arm):
    store = funded_store(arm.store())
    told(
        store,
        "1.0",
        settings(),
        (7, 3, [-10, 17, -10]),  # three of ten each
        (7, 5, [-30, 25, 0]),  # two of thirty each; the odd unit to the first
        (8, 2, [-1, 0, -1]),
    )
    assert reports.contributed(store, ALL) == [
        Contributed("ann", "EUR", hands=3, rake=1 + 3 + 1),
        Contributed("bob", "EUR", hands=2, rake=1 + 2),
        Contributed("cem", "EUR", hands=2, rake=1 + 1),
    ]
    assert reports.contributed(store, Span(8 * DAY_MS, 2**62)) == [
        Contributed("ann", "EUR", hands=1, rake=1),
        Contributed("cem", "EUR", hands=1, rake=1),
    ]


def test_rake_is_shared_by_what_the_record_says_that_each_put_in(arm):
    """Not by results: a short all-in that wins put in little, and who breaks even put in too."""
    store = funded_store(arm.store())
    log = told(store, "1.0", settings(), (7, 3, [-10, 17, -10]))
    put = {"ann": (40, 10), "bob": (-42, 50), "cem": (0, 40)}
    nets = tuple(
        Net(seat, player, f"1.0:{player}", amount, contributed=contributed)
        for seat, (player, (amount, contributed)) in enumerate(put.items())
    )
    log.append("1.0", HandEnded("1.0-9", nets, 2))
    log.reads[-1] = log.reads[-1]._replace(time_ms=8 * DAY_MS)
    nets = tuple(replace(net, amount=0 if net.player != "bob" else -20) for net in nets)
    log.append("1.0", HandEnded("1.0-10", nets, 20))
    log.reads[-1] = log.reads[-1]._replace(time_ms=8 * DAY_MS)
    booker = Booker(store)
    start = booker.offsets([0])[0]
    booker.book([Batch(0, start, log.reads[start:], log.end)])
    assert reports.contributed(store, Span(8 * DAY_MS, 2**62)) == [
        Contributed("ann", "EUR", hands=2, rake=0 + 2),
        Contributed("bob", "EUR", hands=2, rake=1 + 10),
        Contributed("cem", "EUR", hands=2, rake=1 + 8),
    ]
    everything = {one.player: one.rake for one in reports.contributed(store, ALL)}
    assert everything == {"ann": 3, "bob": 12, "cem": 10}, "one of an older record beside them"


def test_over_chance_every_unit_of_rake_is_somebodys_and_the_sums_agree_with_the_log(arm):
    store, log = funded_store(arm.store()), HandLog(4, "1.3", "2.3")
    booker = Booker(store)
    for _ in range(25):
        log.play(12)
        log.answer(book(booker, log).orders)
    raked = sum(table.raked for table in log.tables.values())
    assert raked > 0
    assert sum(one.rake for one in reports.earned(store, ALL)) == raked
    assert sum(one.rake for one in reports.contributed(store, ALL)) == raked
    kept = {one.kind: one for one in reports.kept(store, 2**62)}
    assert kept[Kind.RAKE].balance == raked
    assert not kept[Kind.RAKE].is_liability
    at_tables = sum(sum(table.stacks.values()) for table in log.tables.values())
    assert kept[Kind.AT_TABLE].balance == at_tables
    assert sum(one.balance for one in kept.values()) == 0
    owed = sum(one.balance for one in kept.values() if one.is_liability)
    assert owed + raked == 500 * len(PLAYERS)


def test_what_stood_on_a_day_past_is_told_as_of_then(arm):
    store = arm.store()
    teller, chance, stood = Teller(store), random.Random(3), Counter[int]()
    for day in range(1, 6):
        amount = chance.randint(1, 99)
        teller.deposit("till", f"k{day}", "ann", "EUR", amount, "", day * DAY_MS)
        stood[day] = stood[day - 1] + amount
    for day in range(1, 6):
        kept = {one.kind: one.balance for one in reports.kept(store, (day + 1) * DAY_MS)}
        assert kept == {Kind.PLAYER: stood[day], Kind.EXTERNAL: -stood[day]}


def test_a_statement_is_exported_whole(arm):
    store = arm.store()
    teller = Teller(store)
    count = reports.PAGE + 3
    for number in range(count):
        teller.deposit("till", f"k{number}", "ann", "EUR", 1, "", number)
    lines = list(reports.statement(store, "ann", "EUR"))
    assert [line.number for line in lines] == list(range(count, 0, -1))
    assert list(reports.statement(store, "bob", "EUR")) == []
