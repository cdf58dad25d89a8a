"""What a rule case expects, field by field, held against the hand played anew for each.

A check is given the case and what it expects of one field. Fields that are prose for a reader are
listed with the cases in which they stand, so that nothing is passed over by accident.
"""

from __future__ import annotations

import re
from typing import Any, Final

from riverboat.game.cards import cards
from riverboat.game.hand.events import (
    Called,
    Checked,
    Post,
    Posted,
    RoundClosed,
    StreetDealt,
    TimedOut,
)
from riverboat.game.hand.options import options
from riverboat.game.hand.state import Phase
from tests.rules.ends import ENDS
from tests.rules.runner import Case, Check, Legal, Played, names

# Fields that say in words what other fields hold in numbers, or warn of wrong answers.
PROSE: Final = {
    "note": "BC-009 BC-037",
    "wrong_answer": "BC-030 BC-187",
}


def _legal(case: Case, expected: Legal) -> None:
    played = Played(case)
    seen = {key: value for key, value in expected.items() if key != "kind"}
    assert played.legal() == seen
    if expected.get("kind") == "all-in only":
        seat = played.dealt.hand.seats[played.dealt.hand.turn]
        assert seen["min_raise_to"] == seat.bet + seat.stack


def _then(case: Case, expected: dict[str, Legal] | str) -> None:
    played = Played(case)
    if isinstance(expected, str):
        # "after seat 2 calls, seat 3 also has only call 3 / fold"
        after, actor, call = re.findall(r"\d+", expected)
        played.calls(after)
        assert (played.next_to_act(), played.call_amount()) == (int(actor), int(call))
        assert names(played.dealt.offered) == ["fold", "call"]
        return
    for condition, legal in expected.items():
        who = re.match(r"(?:if|after) seats? ([\d and]+) calls?", condition)
        assert who, condition
        for seat in re.findall(r"\d+", who[1]):
            played.calls(seat)
        assert played.legal() == legal


def _by_ruleset(case: Case, expected: dict[str, Any]) -> None:
    for ruleset, value in expected.items():
        for rulebook in RULESETS[case["id"], ruleset]:
            legal = Played(case, rulebook).legal()
            assert (legal if isinstance(value, dict) else legal["max_raise_to"]) == value


DOCUMENTS: Final = ("lt", "et", "ro")

# Which rulebooks of ours each of them is; none of ours where the case only tells of others.
RULESETS: Final = {
    ("BC-069", "TDA 54-B (both blinds are counted in full before the flop)"): ("standard",),
    ("BC-069", "actual pot"): DOCUMENTS,
    ("BC-070", "TDA 54-B"): ("standard",),
    ("BC-070", "actual pot, full call price"): DOCUMENTS,
    ("BC-077", "dead ante counted (literal pot)"): ("standard", *DOCUMENTS),
    ("BC-077", "ante not counted before the flop (many live tournaments)"): (),
    ("BC-084", "Robert's Rules / most live cash games"): ("standard",),
    ("BC-084", "TDA 48 with two players left in the whole event"): (),
    ("BC-084", "TDA 48 while the event has more players; PokerStars-like online cap"): DOCUMENTS,
}


def _legal_actions(case: Case, expected: list[str]) -> None:
    assert names(Played(case).dealt.offered) == expected


def _call_amount(case: Case, expected: int, seat: int) -> None:
    """What the seat has to call when its first turn comes."""
    played = Played({**case, "actions": []})
    for action in [*case["actions"], {}]:
        if played.next_to_act() == seat:
            assert played.call_amount() == expected
            return
        if not action:
            # The case stops short of this seat: those before it check, or call.
            offered = played.dealt.offered
            action = {"seat": offered.seat, "act": "check" if offered.check else "call"}
        played.acts(action)
    assert (played.next_to_act(), played.call_amount()) == (seat, expected)


def _seat_2_call(case: Case, expected: int) -> None:
    played = Played(case)
    assert (played.next_to_act(), played.call_amount()) == (2, expected)


def _pot_limit_most(case: Case, expected: int) -> None:
    assert Played(case).legal()["max_raise_to"] == expected


def _not_most(case: Case, wrong: Any) -> None:
    assert Played(case).legal()["max_raise_to"] != wrong


def _after_check(case: Case, expected: Legal) -> None:
    played = Played(case)
    played.acts({"seat": played.next_to_act(), "act": "check"})
    assert played.legal() == expected


def _raise_to_1000(case: Case, expected: str) -> None:
    assert expected.startswith("illegal")
    played = Played(case)
    actor = played.legal()["actor"]
    assert played.refuses_raise(actor, 1000).facts == {"least": played.legal()["min_raise_to"]}
    assert played.next_to_act() == actor


def _reject(case: Case, expected: str) -> None:
    """ "bet of 100 by seat 1 on the flop" """
    amount, seat = map(int, re.findall(r"\d+", expected))
    played = Played(case)
    played.refuses_raise(seat, amount)
    while played.dealt.hand.phase is Phase.DEAL:
        played.dealt.deals()
        played.refuses_raise(seat, amount)


def _next_to_act(case: Case, expected: int | None) -> None:
    played = Played(case)
    assert played.next_to_act() == expected
    assert (options(played.dealt.hand) is None) == (expected is None)


def _no_more_betting(case: Case, expected: bool) -> None:
    assert expected
    played = Played(case)
    while played.dealt.hand.phase is Phase.DEAL:
        played.dealt.deals()
        assert played.next_to_act() is None
    assert played.dealt.hand.phase is Phase.SHOW


def _dealt_without_action(case: Case, expected: list[str]) -> None:
    played = Played(case)
    before = len(played.dealt.events)
    played.dealt.deals()
    dealt = [e for e in played.dealt.events[before:] if isinstance(e, StreetDealt)]
    assert [event.board[0].cards for event in dealt] == [cards(letters) for letters in expected]


def _pot_after_posting(case: Case, expected: int) -> None:
    assert Played({**case, "actions": []}).dealt.hand.pot == expected


def _pot_total(case: Case, expected: int) -> None:
    assert Played(case).dealt.hand.pot == expected


def _first_to_act(case: Case, expected: int) -> None:
    assert Played({**case, "actions": []}).next_to_act() == expected


def _posted(case: Case, expected: dict[str, Any]) -> None:
    played = Played(case)
    for seat, amounts in expected.items():
        posts = {
            event.post: event.amount
            for event in played.dealt.events
            if isinstance(event, Posted) and event.seat == played.seat(seat)
        }
        if isinstance(amounts, dict):
            assert posts == {Post.EXTRA_BLIND: amounts["live"], Post.DEAD_BLIND: amounts["dead"]}
        else:
            assert list(posts.values()) == [amounts]


def _all_in(case: Case, expected: list[int]) -> None:
    seats = Played(case).dealt.hand.seats.values()
    assert [seat.seat for seat in seats if seat.all_in] == expected


def _main_pot_share(case: Case, expected: dict[str, str]) -> None:
    """ "wins the whole main pot including all dead money" """
    (seat,) = map(int, expected)
    played = Played(case)
    while played.dealt.hand.turn and played.dealt.hand.street == 0:
        offered = played.dealt.offered
        played.acts({"seat": offered.seat, "act": "check" if offered.check else "call"})
    put = sum(each.put + each.dead for each in played.dealt.hand.seats.values())
    while played.next_to_act() is not None or played.dealt.hand.phase is Phase.DEAL:
        played.to_the_flop()
        if played.dealt.hand.phase is Phase.DEAL:
            played.dealt.deals()
        else:
            played.acts({"seat": played.next_to_act(), "act": "check"})
    played.to_the_end()
    (main,) = played.dealt.hand.pots
    assert (main.amount, seat in main.seats) == (put, True)
    assert sum(each.dead for each in played.dealt.hand.seats.values()) == 2


def _can_fold(case: Case, expected: bool) -> None:
    assert Played(case).dealt.offered.fold is expected


def _street(case: Case, expected: str) -> None:
    assert expected == "flop (board is dealt next)"
    hand = Played(case).dealt.hand
    assert (hand.phase, hand.street) == (Phase.DEAL, 0)


def _legal_after_flop(case: Case, expected: Legal) -> None:
    played = Played(case)
    played.to_the_flop()
    assert played.legal() == expected


def _order_on_flop(case: Case, expected: list[int]) -> None:
    played = Played(case)
    played.to_the_flop()
    order = []
    while (turn := played.next_to_act()) is not None:
        order.append(turn)
        played.acts({"seat": turn, "act": "check"})
    assert order == expected


def _dealt_last_card(case: Case, expected: int) -> None:
    played = Played(case)
    first = next(event for event in played.dealt.events if isinstance(event, StreetDealt))
    last = max(first.to, key=lambda to: max(to.down))
    assert last.seat == played.seat(expected)


def _committed(case: Case, expected: dict[str, int]) -> None:
    """What each put in before anything came back: a call must not be recorded as less."""
    played = Played(case)
    live = {str(seat): 0 for seat in case["setup"]["seats"]}
    for event in played.dealt.events:
        if isinstance(event, RoundClosed):
            break
        if isinstance(event, Posted):
            live[str(event.seat - played.base)] += event.amount
        elif isinstance(event, Called):
            live[str(event.seat - played.base)] = event.total
    assert live == expected


def _call_amount_paid(case: Case, expected: dict[str, int]) -> None:
    for seat, paid in expected.items():
        before = Played({**case, "actions": case["actions"][:-1]})
        stack = before.dealt.hand.seats[before.seat(seat)].stack
        assert stack - Played(case).dealt.hand.seats[before.seat(seat)].stack == paid


def _command(case: Case, expected: Case) -> None:
    played = Played(case)
    seat = played.dealt.hand.seats[played.seat(expected["seat"])]
    stack = seat.stack
    played.acts(expected)
    of = case["expected"]
    assert (stack - seat.stack, seat.bet, seat.stack) == (
        of["pays"],
        of["in_front"],
        of["stack_after"],
    )


def _in_command(case: Case, _expected: int) -> None:
    assert "command" in case["expected"]


def _on_timeout(case: Case, expected: str) -> None:
    assert expected == "check"
    played = Played(case)
    seat = played.dealt.hand.turn
    before = len(played.dealt.events)
    played.dealt.times_out()
    late, done = played.dealt.events[before : before + 2]
    assert isinstance(late, TimedOut)
    assert done == Checked(seat)


def _calls_for(seat: int) -> Check:
    return lambda case, expected: _call_amount(case, expected, seat)


CHECKS: Final[dict[str, Check]] = {
    **ENDS,
    "after_check_seat_4": _after_check,
    "all_in": _all_in,
    "by_ruleset": _by_ruleset,
    "call_amount_for_seat_2": _seat_2_call,
    "call_amount_for_seat_3": _calls_for(3),
    "call_amount_for_seat_4": _calls_for(4),
    "call_amount_paid": _call_amount_paid,
    "can_fold": _can_fold,
    "command": _command,
    "committed": _committed,
    "dealt_last_card": _dealt_last_card,
    "dealt_without_action": _dealt_without_action,
    "first_to_act_preflop": _first_to_act,
    "in_front": _in_command,
    "legal": _legal,
    "legal_actions": _legal_actions,
    "legal_after_flop": _legal_after_flop,
    "main_pot_share": _main_pot_share,
    "next_to_act": _next_to_act,
    "no_more_betting": _no_more_betting,
    "on_timeout": _on_timeout,
    "order_on_flop": _order_on_flop,
    "pays": _in_command,
    "posted": _posted,
    "pot_after_posting": _pot_after_posting,
    "pot_limit_max_raise_to": _pot_limit_most,
    "pot_total": _pot_total,
    "raise_to_1000": _raise_to_1000,
    "reject": _reject,
    "stack_after": _in_command,
    "street": _street,
    "then": _then,
    "wrong_answer": _not_most,
}
