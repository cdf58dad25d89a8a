"""What the dealer answers: given a table, when a command comes, then events or a refusal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from riverboat.game.commands import (
    Asked,
    CloseTable,
    Funded,
    Leave,
    LoseLine,
    NotFunded,
    OpenTable,
    Ordered,
    RegainLine,
    SitDown,
    SitIn,
    SitOut,
    TopUp,
    VoidHand,
)
from riverboat.game.hand.events import HandVoided, Stakes
from riverboat.game.refusals import Refusal, TableCode
from riverboat.game.table.besides import AMOUNT_MOST
from riverboat.game.table.decide import answer
from riverboat.game.table.events import (
    BuyInReturned,
    LeaveNoted,
    LineBack,
    LineLost,
    PlayerLeft,
    PlayerSeated,
    ReservationFailed,
    SatIn,
    SatOut,
    SeatReserved,
    TableClosing,
    TableOpened,
    ToppedUp,
)
from riverboat.game.table.state import Deal, Reservation, Table
from tests.game.table.tables import NOW_MS, SETTINGS, given, sitting, table

DEADLINE_MS = NOW_MS + 15_000


def asked(state, command, player="ann", number=3):
    return answer(state, Asked(state.id, player, number, command), given(offset=41))


def ordered(state, order):
    return answer(state, Ordered(state.id, "o1", "wallet", order), given(offset=9))


def held(player="ann", seat=3, amount=500, **rest):
    made = Reservation("r", player, seat, amount, "", DEADLINE_MS, "line1")
    return {"r": replace(made, **rest)}


def full():
    return table(*[sitting(seat) for seat in range(1, 7)])


@pytest.mark.parametrize(
    ("state", "command", "outcome"),
    [
        (Table("1.0"), SitDown(1, 500, True, ""), Refusal(TableCode.NO_TABLE)),
        (table(closed=True), SitDown(1, 500, True, ""), Refusal(TableCode.TABLE_CLOSED)),
        (table(closing=True), SitDown(1, 500, True, ""), Refusal(TableCode.TABLE_CLOSING)),
        (
            table(sitting(2, player="ann")),
            SitDown(1, 500, True, ""),
            Refusal(TableCode.ALREADY_SEATED, seat=2),
        ),
        (
            table(reservations=held(freed=True)),
            SitDown(1, 500, True, ""),
            Refusal(TableCode.ALREADY_RESERVED),
        ),
        (table(), SitDown(7, 500, True, ""), Refusal(TableCode.NO_SUCH_SEAT, seats=6)),
        (table(), SitDown(-1, 500, True, ""), Refusal(TableCode.NO_SUCH_SEAT, seats=6)),
        (
            table(sitting(1)),
            SitDown(1, 500, True, ""),
            Refusal(TableCode.SEAT_TAKEN, seat=1),
        ),
        (
            table(reservations=held("bob", seat=1)),
            SitDown(1, 500, True, ""),
            Refusal(TableCode.SEAT_TAKEN, seat=1),
        ),
        (full(), SitDown(0, 500, True, ""), Refusal(TableCode.TABLE_FULL)),
        (table(), SitDown(1, 199, True, ""), Refusal(TableCode.BELOW_LEAST_BUY_IN, least=200)),
        (table(), SitDown(1, 1001, True, ""), Refusal(TableCode.ABOVE_MOST_BUY_IN, most=1000)),
        (
            table(),
            SitDown(1, 200, True, "line1"),
            (SeatReserved("1.0:ann:3@41", "ann", 1, 200, "", DEADLINE_MS, "line1", True, 1000),),
        ),
        (
            table(sitting(1), reservations=held("bob", seat=2)),
            SitDown(0, 1000, False, ""),
            (SeatReserved("1.0:ann:3@41", "ann", 3, 1000, "", DEADLINE_MS, "", False, 1000),),
        ),
        (
            table(reservations=held("bob", seat=1, top_up="gone")),
            SitDown(1, 500, False, ""),
            (SeatReserved("1.0:ann:3@41", "ann", 1, 500, "", DEADLINE_MS, "", False, 1000),),
        ),
        (
            table(reservations=held("bob", seat=1, freed=True)),
            SitDown(1, 500, False, ""),
            (SeatReserved("1.0:ann:3@41", "ann", 1, 500, "", DEADLINE_MS, "", False, 1000),),
        ),
    ],
)
def test_sitting_down_holds_a_seat_until_the_money_comes(state, command, outcome):
    assert asked(state, command) == outcome


@pytest.mark.parametrize(
    ("limit", "stakes", "least", "most"),
    [
        ("fl", Stakes(small_blind=12, big_blind=25), 300, 0),
        ("fl", Stakes(small_blind=250, big_blind=500), 5000, 0),
        ("fl", Stakes(small_blind=5, big_blind=10), 100, 0),
        ("nl", Stakes(small_blind=25, big_blind=50), 1000, 5000),
    ],
)
def test_the_buy_in_is_the_rulebooks_where_the_table_names_none(limit, stakes, least, most):
    """RULES 4: "0.25/0.50 → 3; ... 5/10 → 50 ([field] unlisted stakes: 10 big blinds)"; "default
    20 to 100 big blinds".
    """
    state = table(settings=replace(SETTINGS, rulebook="lt", limit=limit, stakes=stakes))
    refusal = Refusal(TableCode.BELOW_LEAST_BUY_IN, least=least)
    assert asked(state, SitDown(1, least - 1, True, "")) == refusal
    assert not isinstance(asked(state, SitDown(1, least, True, "")), Refusal)
    most = most or AMOUNT_MOST
    over = asked(state, SitDown(1, most + 1, True, ""))
    assert over == Refusal(TableCode.ABOVE_MOST_BUY_IN, most=most)
    assert not isinstance(asked(state, SitDown(1, most, True, "")), Refusal)


def test_where_who_left_with_more_comes_back_with_it_the_wallet_says_what_is_too_much():
    """RULES 4: "A player who left with more may not come back within a set time with less"."""
    state = table(settings=replace(SETTINGS, south_ms=1))
    (reserved,) = asked(state, SitDown(1, 1001, True, ""))
    assert (reserved.amount, reserved.most) == (1001, 1000)
    (reserved,) = asked(state, SitDown(1, AMOUNT_MOST, True, ""))
    assert (reserved.amount, reserved.most) == (AMOUNT_MOST, 1000)
    over = asked(state, SitDown(1, AMOUNT_MOST + 1, True, ""))
    assert over == Refusal(TableCode.ABOVE_MOST_BUY_IN, most=AMOUNT_MOST)
    under = asked(state, SitDown(1, 199, True, ""))
    assert under == Refusal(TableCode.BELOW_LEAST_BUY_IN, least=200)


def test_a_tables_own_buy_in_goes_first():
    state = table(settings=replace(SETTINGS, buy_in_least=50, buy_in_most=60))
    assert asked(state, SitDown(1, 49, True, "")) == Refusal(TableCode.BELOW_LEAST_BUY_IN, least=50)
    assert asked(state, SitDown(1, 61, True, "")) == Refusal(TableCode.ABOVE_MOST_BUY_IN, most=60)


def ann(**rest):
    return sitting(3, **{"player": "ann", "stack": 400, "behind": 100, "line": "line2", **rest})


IN_HAND = Deal("1.0-4", (2, 3), 2, 2, 3)


@pytest.mark.parametrize(
    ("state", "amount", "outcome"),
    [
        (table(), 100, Refusal(TableCode.NOT_SEATED)),
        (table(ann(), closing=True), 100, Refusal(TableCode.TABLE_CLOSING)),
        (table(ann(leaving=True)), 100, Refusal(TableCode.LEAVING)),
        (table(ann(), reservations=held()), 100, Refusal(TableCode.ALREADY_RESERVED)),
        (table(ann()), 0, Refusal(TableCode.BELOW_LEAST_BUY_IN, least=1)),
        (table(ann()), -5, Refusal(TableCode.BELOW_LEAST_BUY_IN, least=1)),
        (table(ann()), 501, Refusal(TableCode.ABOVE_MOST_BUY_IN, most=500)),
        (table(ann(stack=4000)), 1, Refusal(TableCode.ABOVE_MOST_BUY_IN, most=0)),
        (
            table(ann()),
            500,
            (SeatReserved("1.0:ann:3@41", "ann", 3, 500, "r3", DEADLINE_MS, "line2", False),),
        ),
        (
            table(sitting(2), ann(), deal=IN_HAND),
            1,
            (SeatReserved("1.0:ann:3@41", "ann", 3, 1, "r3", DEADLINE_MS, "line2", False),),
        ),
    ],
)
def test_topping_up_asks_for_money_up_to_the_greatest_buy_in(state, amount, outcome):
    """RULES 4: "Top-ups between hands only": whenever it is asked, it plays from the next hand."""
    assert asked(state, TopUp(amount)) == outcome


@pytest.mark.parametrize(
    ("state", "command", "outcome"),
    [
        (table(), Leave(), Refusal(TableCode.NOT_SEATED)),
        (table(ann(leaving=True), deal=IN_HAND), Leave(), Refusal(TableCode.LEAVING)),
        (table(ann(), sitting(2), deal=IN_HAND), Leave(), (LeaveNoted("ann"),)),
        (
            table(ann(), sitting(2), sitting(1), deal=Deal("1.0-4", (1, 2), 2, 2, 1)),
            Leave(),
            (PlayerLeft("ann", "r3", 3, 500, "asked"),),
        ),
        (table(ann()), Leave(), (PlayerLeft("ann", "r3", 3, 500, "asked"),)),
        (table(), SitOut(), Refusal(TableCode.NOT_SEATED)),
        (table(ann(leaving=True)), SitOut(), Refusal(TableCode.LEAVING)),
        (table(ann(away=True)), SitOut(), Refusal(TableCode.ALREADY_AWAY)),
        (table(ann()), SitOut(), (SatOut("ann", "asked"),)),
        (table(), SitIn(True), Refusal(TableCode.NOT_SEATED)),
        (table(ann(away=True, leaving=True)), SitIn(True), Refusal(TableCode.LEAVING)),
        (table(ann()), SitIn(True), Refusal(TableCode.NOT_AWAY)),
        (table(ann(owes_big=True, post=True)), SitIn(True), Refusal(TableCode.NOT_AWAY)),
        (table(ann(owes_big=True)), SitIn(True), (SatIn("ann", True),)),
        (table(ann(away=True)), SitIn(False), (SatIn("ann", False),)),
    ],
)
def test_leaving_and_sitting_out_and_in(state, command, outcome):
    """RULES 4: "nothing leaves the table but by leaving it"."""
    assert asked(state, command) == outcome


@pytest.mark.parametrize(
    ("state", "command", "outcome"),
    [
        (table(), LoseLine("line2", False), Refusal(TableCode.NOT_SEATED)),
        (table(ann()), LoseLine("line1", False), Refusal(TableCode.STALE_LINE)),
        (table(ann()), LoseLine("line2", True), (LineLost("ann", "line2", True),)),
        (table(ann(line="")), LoseLine("line1", False), (LineLost("ann", "line1", False),)),
        (
            table(reservations=held()),
            LoseLine("line1", False),
            (LineLost("ann", "line1", False),),
        ),
        (table(reservations=held()), LoseLine("old", False), Refusal(TableCode.STALE_LINE)),
        (table(), RegainLine("line3"), Refusal(TableCode.NOT_SEATED)),
        (table(ann(line_lost=True)), RegainLine("line3"), (LineBack("ann", "line3"),)),
        (table(reservations=held()), RegainLine("line3"), (LineBack("ann", "line3"),)),
    ],
)
def test_lines_are_lost_and_come_back(state, command, outcome):
    """ARCHITECTURE 7: "an old one cannot end a newer"."""
    assert asked(state, command) == outcome


@pytest.mark.parametrize(
    ("state", "outcome"),
    [
        (table(), None),
        (table(reservations=held()), (PlayerSeated("r"),)),
        (table(reservations=held(freed=True)), (BuyInReturned("r"),)),
        (table(reservations=held(), closing=True), (BuyInReturned("r"),)),
        (table(ann(), reservations=held(top_up="r3")), (ToppedUp("r"),)),
        (table(reservations=held(top_up="r3")), (BuyInReturned("r"),)),
        (table(ann(id="r9"), reservations=held(top_up="r3")), (BuyInReturned("r"),)),
    ],
)
def test_money_that_came(state, outcome):
    """ARCHITECTURE 5: "a late Funded becomes BuyInReturned. An answer to a reservation that is not
    there is counted and ignored."
    """
    assert ordered(state, Funded("r")) == outcome


def test_money_that_could_not_be_had():
    state = table(reservations=held())
    assert ordered(state, NotFunded("r", "TOO_LITTLE")) == (ReservationFailed("r", "TOO_LITTLE"),)
    assert ordered(state, NotFunded("other", "TOO_LITTLE")) is None


@pytest.mark.parametrize(
    ("state", "order", "outcome"),
    [
        (Table("1.0"), OpenTable(SETTINGS), (TableOpened(SETTINGS),)),
        (table(), OpenTable(SETTINGS), Refusal(TableCode.ALREADY_OPEN)),
        (table(closed=True), OpenTable(SETTINGS), Refusal(TableCode.ALREADY_OPEN)),
        (Table("1.0"), CloseTable("late"), Refusal(TableCode.NO_TABLE)),
        (table(closed=True), CloseTable("late"), Refusal(TableCode.TABLE_CLOSED)),
        (table(closing=True), CloseTable("late"), Refusal(TableCode.TABLE_CLOSING)),
        (table(), CloseTable("late"), (TableClosing("late"),)),
        (table(), VoidHand("1.0-4", "x"), Refusal(TableCode.NO_SUCH_HAND, hand="1.0-4")),
        (
            table(deal=IN_HAND),
            VoidHand("1.0-3", "x"),
            Refusal(TableCode.NO_SUCH_HAND, hand="1.0-3"),
        ),
        (table(deal=IN_HAND), VoidHand("1.0-4", "x"), (HandVoided("1.0-4", "x"),)),
        (
            table(deal=IN_HAND, stopped="unknown event"),
            VoidHand("1.0-4", "x"),
            (HandVoided("1.0-4", "x"),),
        ),
    ],
)
def test_orders_of_the_house(state, order, outcome):
    assert ordered(state, order) == outcome


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("variant", {"rulebook": "lv"}),
        ("variant", {"variant": "snap"}),
        ("variant", {"limit": "xl"}),
        ("seats", {"seats": 1}),
        ("seats", {"seats": 11}),
        ("runs", {"runs": 0}),
        ("runs", {"runs": 4}),
        ("turn_ms", {"turn_ms": 999}),
        ("grace_ms", {"grace_ms": 0}),
        ("reserve_ms", {"reserve_ms": -1}),
        ("pause_ms", {"pause_ms": -1}),
        ("name", {"name": ""}),
        ("name", {"name": "x" * 81}),
        ("name", {"name": "a\x1b[2J"}),
        ("currency", {"currency": ""}),
        ("currency", {"currency": "eur"}),
        ("currency", {"currency": "PLAYS"}),
        ("stakes.big_blind", {"stakes": Stakes(5, AMOUNT_MOST + 1)}),
        ("stakes.straddles", {"stakes": Stakes(5, 10, straddles=(AMOUNT_MOST + 1,))}),
        ("buy_in_least", {"stakes": Stakes(5, AMOUNT_MOST)}),
        ("stakes.ante", {"stakes": Stakes(5, 10, ante=-1)}),
        ("stakes.big_blind", {"stakes": Stakes(0, 0)}),
        ("stakes.small_blind", {"stakes": Stakes(11, 10)}),
        ("stakes.big_bet", {"stakes": Stakes(5, 10, big_bet=9)}),
        ("stakes.straddles", {"stakes": Stakes(5, 10, straddles=(20, 39))}),
        ("stakes.button_straddle", {"stakes": Stakes(5, 10, button_straddle=19)}),
        ("stakes.spread", {"limit": "sl", "rulebook": "lt"}),
        (
            "stakes.spread",
            {"limit": "sl", "rulebook": "lt", "stakes": Stakes(5, 10, spread=(10, 9, 30))},
        ),
        (
            "stakes.spread",
            {"limit": "sl", "rulebook": "lt", "stakes": Stakes(5, 10, spread=(0, 9, 30))},
        ),
        ("stakes.ante", {"variant": "soko", "stakes": Stakes()}),
        ("stakes.bring_in", {"variant": "soko", "stakes": Stakes(ante=5)}),
        (
            "stakes.small_bet",
            {"variant": "soko", "limit": "fl", "stakes": Stakes(ante=5, bring_in=10)},
        ),
        (
            "stakes.bring_in",
            {
                "variant": "soko",
                "limit": "fl",
                "stakes": Stakes(ante=5, bring_in=10, small_bet=10, big_bet=20),
            },
        ),
        (
            "stakes.bring_in",
            {
                "variant": "soko",
                "rulebook": "lt",
                "limit": "sl",
                "stakes": Stakes(ante=5, bring_in=10, spread=(10, 20, 30)),
            },
        ),
        (
            "stakes.button_straddle",
            {"stakes": Stakes(5, 10, straddles=(20, 40), button_straddle=79)},
        ),
        ("buy_in_least", {"buy_in_least": -1}),
        ("buy_in_most", {"buy_in_most": -1}),
        ("buy_in_most", {"buy_in_most": 199}),
    ],
)
def test_a_table_that_makes_no_sense_is_not_opened(field, changes):
    outcome = ordered(Table("1.0"), OpenTable(replace(SETTINGS, **{"seats": 6, **changes})))
    assert isinstance(outcome, Refusal)
    assert outcome.code is TableCode.BAD_SETTING
    assert outcome.facts["field"] == field
    assert outcome.facts["reason"]
