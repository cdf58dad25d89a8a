"""What a rule case expects of a hand's end: pots, payouts, rake, showing, hand values.

Each check plays the case anew, to its end.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any, Final

from riverboat.game.cards import RANKS, cards
from riverboat.game.hand.events import HandEnded, HandShown
from riverboat.game.hand.shows import show_order
from riverboat.game.ranking import ranking
from riverboat.game.rules.schema import RakeRow
from tests.rules.runner import Case, Check, Played
from tests.rules.showdowns import judged, winners_of


def _ended(case: Case) -> Played:
    """The case played to its end; raked where its setting says so."""
    played = Played(case)
    rake = case["setup"].get("rake")
    if rake:
        hand = played.dealt.hand
        row = RakeRow((), 0, step=100 // rake["percent"], fee=1, caps=())
        hand.raked = True
        hand.game = replace(hand.game, rake=(row,))
    played.to_the_end()
    return played


def _pots(case: Case, expected: list[list[Any]]) -> None:
    assert _ended(case).pots() == expected


def _pot_count(case: Case, expected: int) -> None:
    assert len(_ended(case).pots()) == expected


def _uncalled(case: Case, expected: dict[str, int]) -> None:
    assert _ended(case).returned() == expected


def _payouts(case: Case, expected: dict[str, int]) -> None:
    assert _ended(case).paid() == {seat: amount for seat, amount in expected.items() if amount}


def _final_stacks(case: Case, expected: dict[str, int]) -> None:
    played = _ended(case)
    seats = played.dealt.hand.seats
    assert {seat: seats[played.seat(seat)].stack for seat in expected} == expected


def _net(case: Case, expected: dict[str, int]) -> None:
    played = _ended(case)
    (ended,) = played.dealt.happened(HandEnded)
    assert isinstance(ended, HandEnded)
    assert {str(net.seat - played.base): net.amount for net in ended.nets} == expected
    assert sum(expected.values()) == -ended.rake


def _rake(case: Case, expected: int) -> None:
    (ended,) = _ended(case).dealt.happened(HandEnded)
    assert isinstance(ended, HandEnded)
    assert ended.rake == expected


def _pot(case: Case, expected: int) -> None:
    assert sum(amount for amount, _ in _ended(case).pots()) == expected


def _after_rake(case: Case, expected: int) -> None:
    assert sum(_ended(case).paid().values()) == expected


def _paid_at_once(case: Case, expected: int) -> None:
    """What only seat 4 can win, with what nobody matched."""
    played = _ended(case)
    alone = sum(amount for amount, seats in played.pots() if seats == [4])
    assert alone + played.returned()["4"] == expected


def _show_order(case: Case, expected: list[int]) -> None:
    assert show_order(Played(case).dealt.hand) == expected


def _hole_cards_public(case: Case, expected: list[str]) -> None:
    assert expected == []
    assert not _ended(case).dealt.happened(HandShown)


# Hands at their showdown.


def _winners(case: Case, expected: list[int]) -> None:
    assert winners_of(judged(case)) == expected


def _five(case: Case, seat: str) -> tuple[int, tuple[int, ...]]:
    """The seat's best hand: its value, and its cards from the top."""
    own, board = cards(case["setup"]["hands"][seat]), cards(case["setup"]["board"])
    fives = (
        ((*two, *three) for two in combinations(own, 2) for three in combinations(board, 3))
        if case["variant"].startswith("omaha")
        else combinations((*own, *board), 5)
    )
    standard = ranking("standard")
    return max((standard.value(five), tuple(sorted(five, reverse=True))) for five in fives)


def _best(case: Case, expected: dict[str, str]) -> None:
    for seat, ranks in expected.items():
        got = "".join(RANKS[card >> 2] for card in _five(case, seat)[1])
        assert sorted(got) == sorted(ranks)


def _category(case: Case, expected: str) -> None:
    for seat in case["expected"]["winners"]:
        meaning = ranking("standard").meaning(_five(case, str(seat))[0])
        assert meaning is not None
        assert meaning.category == expected


ENDS: Final[dict[str, Check]] = {
    "after_rake": _after_rake,
    "best": _best,
    "category": _category,
    "final_stacks": _final_stacks,
    "hole_cards_public": _hole_cards_public,
    "net": _net,
    "paid_to_seat_4_at_once": _paid_at_once,
    "payouts": _payouts,
    "pot": _pot,
    "pot_count": _pot_count,
    "pots": _pots,
    "rake": _rake,
    "show_order": _show_order,
    "uncalled_returned": _uncalled,
    "winners": _winners,
}
