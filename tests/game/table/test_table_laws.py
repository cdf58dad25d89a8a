"""Whatever players and the house do, in any order: the laws hold at every event."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypothesis import given as given_any
from hypothesis import settings as how
from hypothesis import strategies as st

from riverboat.game.commands import (
    Action,
    ChangeOptions,
    DrainTable,
    Funded,
    HoldSeat,
    JoinList,
    Leave,
    LeaveList,
    LoseLine,
    NotFunded,
    OpenTable,
    PauseTable,
    RegainLine,
    ReleaseSeat,
    RemovePlayer,
    ResumeTable,
    SetPreferences,
    SitDown,
    SitIn,
    SitOut,
    TopUp,
    VoidHand,
)
from riverboat.game.hand.options import options
from riverboat.game.table.digest import digest
from riverboat.game.table.events import Apart, ButtonRule, Preferences
from tests.game.table.house import DECIDERS, House, chips, folded
from tests.game.table.tables import SETTINGS, given

PLAYERS = ("ann", "bob", "cas", "dan", "eve")
players = st.sampled_from(PLAYERS)
Step = Callable[[House], object]


def act(house: House, wanted: int) -> None:
    """One of the legal actions of whoever is on turn."""
    hand = house.table.hand
    offered = options(hand) if hand is not None else None
    if offered is None:
        return
    choices = [(Action.FOLD, 0)]
    if offered.check:
        choices.append((Action.CHECK, 0))
    if offered.call:
        choices.append((Action.CALL, 0))
    if offered.raise_least:
        choices += [(Action.RAISE, offered.raise_least), (Action.RAISE, offered.raise_most)]
    house.act(*choices[wanted % len(choices)])


def money(house: House, comes: bool) -> None:
    """The wallet answers the oldest reservation."""
    held = next(iter(house.table.reservations), None)
    if held is not None:
        house.order(Funded(held) if comes else NotFunded(held, "TOO_LITTLE"))


def void(house: House) -> None:
    house.order(VoidHand(f"1.0-{house.table.hands}", "operator"))


steps: st.SearchStrategy[Step] = st.one_of(
    st.builds(
        lambda player, seat, amount, post: (
            lambda house: house.ask(player, SitDown(seat, amount, post, f"line of {player}"))
        ),
        players,
        st.integers(0, 7),
        st.sampled_from([0, 3, 8, 12, 40, 200, 1000, 1001]),
        st.booleans(),
    ),
    st.builds(
        lambda comes: lambda house: money(house, comes), st.sampled_from([True, True, False])
    ),
    st.builds(
        lambda player, amount: lambda house: house.ask(player, TopUp(amount)),
        players,
        st.sampled_from([0, 50, 700]),
    ),
    st.builds(
        lambda player, command: lambda house: house.ask(player, command),
        players,
        st.sampled_from(
            [Leave(), SitOut(), SitIn(True), SitIn(False), LoseLine("x", False), RegainLine("x")]
        ),
    ),
    *[
        st.builds(lambda wanted: lambda house: act(house, wanted), st.integers(0, 4))
        for _ in range(3)
    ],
    st.builds(
        lambda ms: lambda house: house.wait(ms),
        st.sampled_from([500, 2_000, 20_000, 24_000, 90_000]),
    ),
    *[
        st.builds(
            lambda decider, drawn: lambda house: house.owe(decider, drawn),
            st.sampled_from(DECIDERS),
            st.integers(0, 5),
        )
        for _ in range(3)
    ],
    st.just(void),
)


# All that a table may have besides.
RICH = replace(
    SETTINGS,
    seats=3,
    buy_in_least=1,
    away_ms=60_000,
    away_rounds=2,
    hold_ms=20_000,
    offer_ms=20_000,
    auto_top_up=True,
    bank_ms=10_000,
    gateway_ms=30_000,
    apart=(Apart(("ann", "eve")),),
)


def lose_session(house: House) -> None:
    """Every line that ends at the session x is lost with it."""
    silent = given(house.now_ms)._replace(silent=frozenset({"x"}))
    events = DECIDERS[0].duty(house.table, silent)
    if events:
        house.append("dealer", events)


life: st.SearchStrategy[Step] = st.one_of(
    st.builds(
        lambda player, command: lambda house: house.ask(player, command),
        players,
        st.sampled_from(
            [
                HoldSeat(0, "x.1", b""),
                HoldSeat(2, "y.1", b""),
                ReleaseSeat(),
                JoinList("x.1", b""),
                LeaveList(),
                SitOut(now=True),
                SitOut(at_big_blind=True),
                SetPreferences(Preferences(top_up_below=20, top_up_to=200)),
                RegainLine("x.2"),
            ]
        ),
    ),
    st.builds(
        lambda order: lambda house: house.order(order),
        st.sampled_from(
            [
                PauseTable("repair", 0),
                PauseTable("repair", 30_000),
                ResumeTable(),
                ChangeOptions(RICH),
                ChangeOptions(replace(RICH, seats=4, offer_ms=0)),
                ChangeOptions(replace(RICH, seats=2, button_rule=ButtonRule.DEAD)),
            ]
        ),
    ),
    st.builds(lambda player: lambda house: house.order(RemovePlayer(player, "excluded")), players),
    st.just(lose_session),
)


def check(house: House) -> None:
    table = house.table
    assert not table.stopped
    assert table.bought_in - table.cashed_out - table.raked == chips(table)
    there = [sitting.player for sitting in table.sittings.values()]
    assert len(there) == len(set(there))
    for seat, sitting in table.sittings.items():
        assert sitting.seat == seat
        assert sitting.stack >= 0
        assert sitting.behind >= 0
    if table.deal is not None:
        assert set(table.deal.seats) <= set(table.sittings)
    taken = [*table.sittings, *[hold.seat for hold in table.holds.values()]]
    taken += [
        held.seat for held in table.reservations.values() if not held.top_up and not held.freed
    ]
    assert len(taken) == len(set(taken)), "a chair is one player's"
    waits = [waiter.player for waiter in table.waiters]
    assert len(waits) == len(set(waits))
    assert not {*waits} & {*there, *table.holds}
    tops = [held.top_up for held in table.reservations.values() if held.top_up]
    assert len(tops) == len(set(tops)), "a stack is filled up once at a time"


@how(max_examples=150, deadline=None)
@given_any(
    st.sampled_from(ButtonRule),
    st.lists(st.sampled_from([3, 6, 11, 25, 200]), min_size=2, max_size=4),
    st.lists(steps, max_size=60),
)
def test_the_laws_hold_whatever_is_done(
    rule: ButtonRule, stacks: list[int], done: list[Step]
) -> None:
    """Law 2: "Chips are conserved at every event". Law 1: "Any reader ... folds to the same
    state".
    """
    house = House()
    house.order(OpenTable(replace(SETTINGS, button_rule=rule, buy_in_least=1)))
    for player, stack in zip(PLAYERS, stacks, strict=False):
        house.seat(player, stack)
    for step in done:
        step(house)
        check(house)
    assert digest(folded(house)) == digest(house.table)
    half = folded(house, len(house.log) // 2)
    assert half.version == len(house.log) // 2


@how(max_examples=40, deadline=None)
@given_any(
    st.lists(st.sampled_from([3, 6, 11, 25, 200]), min_size=2, max_size=3),
    st.lists(st.one_of(steps, life), min_size=60, max_size=120),  # what is rare needs long runs
    st.booleans(),
)
def test_the_laws_hold_whatever_a_table_has_besides(
    stacks: list[int], done: list[Step], drains: bool
) -> None:
    """Laws 1 and 2; and whatever was begun, ends: the hand, the table's wait, and the table."""
    house = House()
    house.order(OpenTable(RICH))
    for player, stack in zip(PLAYERS, stacks, strict=False):
        house.seat(player, stack)
    for step in done:
        step(house)
        check(house)
    assert digest(folded(house)) == digest(house.table)
    house.order(ResumeTable())
    if drains:
        house.order(DrainTable("night"))
    for player in PLAYERS:
        house.order(RemovePlayer(player, "night"))
    for _ in range(200):
        money(house, comes=True)
        house.run()
        house.wait(5_000)
        check(house)
    table = house.table
    assert not table.sittings and table.deal is None
    assert not table.holds and not table.waiters and not table.paused
    assert table.closed or not table.draining


@how(max_examples=60, deadline=None)
@given_any(st.sampled_from(ButtonRule), st.lists(st.integers(0, 99), min_size=5, max_size=40))
def test_nobody_skips_or_pays_twice_for_the_big_blind(rule: ButtonRule, drawn: list[int]) -> None:
    """RULES 4: "the big blind goes to the next player after the last big blind", whoever sits out
    and comes back. Nobody posts it in two hands running while another is there.
    """
    house = House.opened(replace(SETTINGS, button_rule=rule), None, **dict.fromkeys(PLAYERS, 1000))
    last = 0
    for number in drawn:
        player = PLAYERS[number % 5]
        house.ask(player, SitOut() if number % 2 else SitIn(number % 3 == 0))
        house.wait(SETTINGS.pause_ms)
        house.run(number)
        deal = house.table.deal
        if deal is None:
            continue
        assert deal.big_blind in deal.seats
        assert deal.big_blind != last
        passed = [
            seat
            for seat in deal.seats
            if last and (seat - last - 1) % 6 < (deal.big_blind - last - 1) % 6
        ]
        assert passed == []
        last = deal.big_blind
        while house.table.deal is not None:
            act(house, 0)
