"""Rule cases that no single hand shows: leavers, races, mucks, rake tables, books.

Each proves every field of one case, and says which; nothing of them is left to a table of checks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from riverboat.game.cards import cards
from riverboat.game.commands import Act, Action, Leave, LoseLine
from riverboat.game.hand.events import (
    Called,
    Folded,
    HandEvent,
    HandMucked,
    HandShown,
    PlayerProtected,
    Pot,
    PotAwarded,
    PotsMade,
    Stakes,
    TimedOut,
    UncalledReturned,
)
from riverboat.game.hand.judge import judge
from riverboat.game.hand.rake import rake
from riverboat.game.hand.sight import public
from riverboat.game.money import split_evenly
from riverboat.game.refusals import HandCode, Refusal
from riverboat.game.rules import game
from riverboat.game.rules.schema import RakeRow
from riverboat.ledger import accounts
from riverboat.ledger.accounts import at_table
from riverboat.ledger.books import Books
from riverboat.ledger.money_at_table import result
from riverboat.ledger.postings import transfer
from services import betting
from services.cli.words import amount as in_words
from tests.game.hand.dealt import Dealt
from tests.game.table.house import House
from tests.game.table.tables import SETTINGS
from tests.rules.runner import Case, Played, Proof
from tests.rules.showdowns import judged, over, winners_of

HOLDEM = game("standard", "holdem", "nl")


# Who comes and goes while a hand runs.


def _house(*stacks: int, button: int) -> House:
    """A table of players p1, p2, ... in seats 1, 2, ..., its first hand dealt from this button."""
    house = House.opened(
        SETTINGS, None, **{f"p{seat}": stack for seat, stack in enumerate(stacks, 1)}
    )
    house.run(drawn=button - 1)
    assert house.hand.button == button
    return house


def leaves_out_of_turn(case: Case) -> set[str]:
    """BC-186: who left is folded when the turn comes to him, and nobody waits for his clock."""
    expected = case["expected"]
    house = _house(500, 500, 500, button=3)
    house.act(Action.RAISE, 30)
    house.ask("p2", Leave())
    house.run()
    assert expected["event"] == "seat 2 (big blind) leaves while seat 1 has to act"
    assert house.hand.turn == expected["next_to_act"]
    before = len(house.log)
    house.act(Action.FOLD)
    events = [event for record, _ in house.log[before:] for event in record.events]
    assert Folded(2) in events
    assert not any(isinstance(event, TimedOut) for event in events)
    assert UncalledReturned(3, 20) in events
    (award,) = [event for event in events if isinstance(event, PotAwarded)]
    assert [(share.seat, share.amount) for share in award.shares] == [(3, 5 + 10 + 10)]
    return {"event", "next_to_act", "seat_2", "then"}


def sits_down_during_a_hand(case: Case) -> set[str]:
    """BC-189: "The turn order is fixed when the hand starts"."""
    expected = case["expected"]
    house = _house(500, 500, 500, button=3)
    pot = house.hand.pot
    house.seat("p4", 500, seat=4)
    house.run()
    assert house.hand.pot == pot
    assert expected["blinds_of_running_hand"] == "not recomputed"
    house.act(Action.FOLD)
    house.act(Action.CALL)
    assert house.hand.turn == expected["next_to_act"]
    assert (4 in house.hand.seats) is expected["seat_4_in_turn_order"]
    dealt = [
        to.seat for record, _ in house.log for e in record.events for to in getattr(e, "to", ())
    ]
    assert (4 in dealt) is expected["seat_4_receives_cards"]
    return set(expected)


def act_and_time_out_race(case: Case) -> set[str]:
    """BC-204: whichever is first in the log stands, and the other one does nothing."""

    def at_the_deadline() -> tuple[House, Act]:
        house = _house(500, 500, button=1)
        hand = house.hand
        assert hand.turn == 1
        return house, Act(hand.id, hand.turn_number, hand.price, Action.CALL, 0, ())

    house, call = at_the_deadline()
    alarm = betting.MANIFEST.alarm(house.table)
    assert alarm is not None
    house.now_ms = alarm.at_ms
    acted = house.ask("p1", call)
    assert isinstance(acted, list)
    assert acted[0] == Called(1, 10)
    # The deadline that has passed is no alarm any more: that of the next turn is.
    assert house.wait(1) == []
    assert house.hand.turn == 2

    house, call = at_the_deadline()
    rung = house.wait(SETTINGS.turn_ms + 1)
    assert [type(event) for event in rung[:2]] == [TimedOut, Folded]
    assert rung[1] == Folded(1)
    refused = house.ask("p1", call)
    assert isinstance(refused, Refusal)
    assert refused.code in (HandCode.TURN_PASSED, HandCode.NO_HAND)
    # Nobody else is folded by the same alarm.
    assert not any(isinstance(event, Folded) for event in house.wait(0))
    return {"if_action_first", "if_timeout_first", "never"}


# Showdowns.


def _seats(events: Sequence[HandEvent], kind: type[HandShown] | type[HandMucked]) -> list[int]:
    return [event.seat for event in events if isinstance(event, kind)]


def odd_units_of_a_pot(case: Case) -> set[str]:
    """BC-023: 100 three ways, the button on seat 3."""
    pot = case["setup"]["pot_only"]
    each, odd = divmod(pot["amount"], len(pot["winners"]))
    hand = over(pot["winners"], "AsKsQsJsTs", put=each, dead=odd, button=case["setup"]["button"])
    own = {1: cards("2c3d"), 2: cards("2d3h"), 3: cards("2h3c")}
    (award,) = [e for e in judge(hand, own) if isinstance(e, PotAwarded)]
    got = {str(share.seat): share.amount for share in award.shares}
    assert got == case["expected"]["payouts"]
    assert tuple(got.values()) == split_evenly(pot["amount"], 3)
    return {"payouts"}


def only_beaten_hands_muck(case: Case) -> set[str]:
    """BC-161, and its note: a better hand is opened by the server."""
    expected = case["expected"]
    events = judged(case)
    assert _seats(events, HandShown) == expected["shown"]
    assert _seats(events, HandMucked) == expected["mucked"]
    better = judged(case, {**case["setup"]["hands"], "1": "QsJs"})
    assert _seats(better, HandShown) == [3, 1]
    assert winners_of(better) == [1]
    return {"shown", "mucked", "note"}


def last_hand_wins_unshown(case: Case) -> set[str]:
    """BC-162: seat 1 mucks, and seat 2 need not show."""
    order = case["setup"]["show_order"]
    events = judge(over(order, first_to_show=order[0]), {2: cards("KsKh")})
    assert winners_of(events) == [case["expected"]["winner"]]
    assert bool(_seats(events, HandShown)) is case["expected"]["must_show"]
    assert _seats(events, HandMucked) == [1]
    return set(case["expected"])


def what_is_mucked_stays_private(case: Case) -> set[str]:
    """BC-163 by "privacy first": in the log and in every stream, only what was shown."""
    setup, expected = case["setup"], case["expected"]
    own = {1: cards("QsQh"), 2: cards("JsJh"), 3: cards("AsAh")}
    hand = over(setup["seats"], first_to_show=3, folded=setup["folded"])
    events = judge(hand, {seat: held for seat, held in own.items() if seat != 2})
    assert _seats(events, HandShown) == setup["shown"]
    assert _seats(events, HandMucked) == setup["mucked"]
    for stream in (events, [public(event) for event in events]):
        seen = {card for event in stream for card in getattr(event, "cards", ())}
        visible = {str(seat): not seen.isdisjoint(held) for seat, held in own.items()}
        assert visible == expected["visible_at_table"]
        assert visible == expected["by_ruleset"]["privacy first"]
    return set(expected)


# Rake and money.


def _raked(percent: int, caps: tuple[int, ...], pot: int, dealt: int) -> int:
    row = RakeRow((), 0, step=100 // percent, fee=1, caps=caps)
    (taken,) = rake(replace(HOLDEM, rake=(row,)), [Pot(pot, 0, (1, 2))], dealt, True, 10)
    return taken


def cap_by_players_dealt_in(case: Case) -> set[str]:
    """BC-166: "A player who sits out does not count, a player who folded does"."""
    setup, expected = case["setup"], case["expected"]
    of = setup["rake"]
    caps = (of["caps"]["2"], of["caps"]["3-4"], of["caps"]["3-4"], of["caps"]["5+"])
    assert _raked(of["percent"], caps, setup["pot"], setup["dealt_in"]) == expected["rake"]
    by_seated = _raked(of["percent"], caps, setup["pot"], setup["seated"])
    assert by_seated == expected["wrong_answers"]["cap by seated players"]
    return {"rake", "wrong_answers"}


def rake_is_rounded_down(case: Case) -> set[str]:
    """BC-167, "round down" [RULES 9]; and no amount was ever anything but an int."""
    for pot, fee in case["expected"]["by_ruleset"]["round down"].items():
        taken = _raked(case["setup"]["percent"], (), int(pot), 6)
        assert taken == fee
        assert type(taken) is int
    assert case["expected"]["forbidden"] == "binary floating point"
    return {"by_ruleset", "forbidden"}


def pot_is_exact(case: Case) -> set[str]:
    """BC-078, "exact" [RULES 9]: a pot of 80 may be bet, not 75 and not 100."""
    setup = {
        "seats": [1, 2],
        "button": 2,
        "stacks": {"1": 1000, "2": 1000},
        "blinds": {"sb": 20, "bb": 40},
    }
    actions = [{"seat": 2, "act": "call"}, {"seat": 1, "act": "check"}, {"deal": "2c7d9h"}]
    played = Played({"variant": "any", "limit": "pot-limit", "setup": setup, "actions": actions})
    assert played.dealt.hand.pot == case["setup"]["pot_before_action"]
    most = case["expected"]["by_ruleset"]["online (exact)"]["max_bet"]
    assert played.legal()["max_raise_to"] == most
    return {"by_ruleset"}


def money_is_whole(case: Case) -> set[str]:
    """BC-200: 0.10 and 0.20 of 1000.25 leave 999.95, in whole cents."""
    setup, expected = case["setup"], case["expected"]
    stack, *bets = (int(text.replace(".", "")) for text in (setup["stack"], *setup["bets"]))
    assert stack == expected["stack_minor_units"]
    assert in_words(stack, "EUR").replace(",", "") == setup["stack"]
    dealt = Dealt(
        ("standard", "holdem", "nl"),
        {1: stack, 2: stack},
        Stakes(small_blind=5, big_blind=bets[0]),
        range(52),
        button=2,
        blinds=(2, 1),
    )
    dealt.does(2, Action.CALL)
    dealt.does(1, Action.CHECK)
    dealt.deals()
    dealt.does(1, Action.RAISE, bets[1])
    seat = dealt.hand.seats[1]
    assert seat.put == expected["pot_minor_units"]
    assert seat.stack == expected["stack_after_both"]
    assert {type(amount) for amount in (seat.put, seat.stack, dealt.hand.pot)} == {int}
    return set(expected)


def paid_once(case: Case) -> set[str]:
    """BC-205: "one effect for three deliveries"; the key is the hand's. [RULES 9]"""
    setup, expected = case["setup"], case["expected"]
    books = Books()
    for seat in (1, 2):
        outside = accounts.external("EUR")
        books.book(transfer(f"in:{seat}", outside, at_table(f"s{seat}", "EUR"), 1000))
    winner, pot = setup["winner"], setup["pot"]
    nets = [(at_table(f"s{winner}", "EUR"), pot), (at_table("s1", "EUR"), -pot)]
    booked = [
        books.book(result(setup["hand"], nets, 0, "standard", "EUR"))
        for _ in range(expected["deliveries"])
    ]
    assert booked == [True, False, False]
    assert books.balance(at_table(f"s{winner}", "EUR")) == expected["wallet_after"]
    assert setup["hand"] in result(setup["hand"], nets, 0, "standard", "EUR").id
    assert expected["payout_key"].startswith(setup["hand"])
    return set(expected)


# Lines that are lost.


def no_protection_in_no_limit(case: Case) -> set[str]:
    """BC-188: no limit has none; in fixed limit he plays on for what he has put in. [RULES 9]"""
    without, with_it = case["expected"]["by_ruleset"].values()
    house = _faces_the_bet(case, "nl")
    turn = house.hand.turn_number
    assert house.wait(SETTINGS.turn_ms + 14_999) == []  # "after the extra time"
    assert house.wait(1)[:2] == [TimedOut(1, turn, False), Folded(1)]
    house.run()
    assert without["seat_1"] == "folds after the extra time when facing the bet"
    house.play_out()
    assert [pot.seats for pot in _pots(house)] == [tuple(without["eligible_for_300"])]

    house = _faces_the_bet(case, "fl")
    turn = house.hand.turn_number
    protected = PlayerProtected(1, turn, "p1", house.hand.seats[1].sitting)
    assert protected in house.wait(SETTINGS.turn_ms + 15_000)
    house.run()
    assert with_it["seat_1"] == "treated as all-in for what is in the pot"
    house.act(Action.RAISE, 200)  # "200 + further bets"
    house.act(Action.CALL)
    house.play_out()
    main, side = _pots(house)
    assert [main.amount, sorted(main.seats)] == with_it["main_pot"]
    assert with_it["side_pot"] == "200 + further bets, seats 2 and 3"
    assert (side.amount, sorted(side.seats)) == (2 * 200 + 2 * 200, [2, 3])
    return {"by_ruleset"}


def _faces_the_bet(case: Case, limit: str) -> House:
    """Seat 2 has bet on the turn, seat 3 has called, and seat 1, whose line is lost, is on turn."""
    setup = case["setup"]
    stakes = Stakes(small_blind=50, big_blind=100, small_bet=100, big_bet=200)
    house = House.opened(replace(SETTINGS, limit=limit, stakes=stakes, raked=False, bank_ms=15_000))
    for seat in setup["seats"]:
        house.seat(f"p{seat}", 5_000, seat=seat, protections=2)
    house.run()
    assert house.hand.button == 1
    while house.hand.street < 2:
        hand = house.hand
        house.act(Action.CHECK if hand.price == hand.seats[hand.turn].bet else Action.CALL)
    assert (house.hand.pot, setup["street"]) == (setup["pot_before_street"], "turn")
    house.act(Action.RAISE, setup["bets"]["2"])
    house.act(Action.CALL)
    assert house.hand.turn == setup["disconnected"]
    house.ask("p1", LoseLine("line of p1", False))
    return house


def _pots(house: House) -> Sequence[Pot]:
    (made,) = [
        event for record, _ in house.log for event in record.events if isinstance(event, PotsMade)
    ]
    return made.pots


PROOFS: Final[dict[str, Proof]] = {
    "BC-023": odd_units_of_a_pot,
    "BC-078": pot_is_exact,
    "BC-161": only_beaten_hands_muck,
    "BC-162": last_hand_wins_unshown,
    "BC-163": what_is_mucked_stays_private,
    "BC-166": cap_by_players_dealt_in,
    "BC-167": rake_is_rounded_down,
    "BC-186": leaves_out_of_turn,
    "BC-188": no_protection_in_no_limit,
    "BC-189": sits_down_during_a_hand,
    "BC-200": money_is_whole,
    "BC-204": act_and_time_out_race,
    "BC-205": paid_once,
}
