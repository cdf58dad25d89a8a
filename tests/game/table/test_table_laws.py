"""Whatever players and the house do, in any order: the laws hold at every event."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypothesis import given as given_any
from hypothesis import settings as how
from hypothesis import strategies as st

from riverboat.game.commands import (
    Action,
    Funded,
    Leave,
    LoseLine,
    NotFunded,
    OpenTable,
    RegainLine,
    SitDown,
    SitIn,
    SitOut,
    TopUp,
    VoidHand,
)
from riverboat.game.hand.options import options
from riverboat.game.table.digest import digest
from riverboat.game.table.events import ButtonRule
from tests.game.table.house import DECIDERS, House, chips, folded
from tests.game.table.tables import SETTINGS

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
