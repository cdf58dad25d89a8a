"""Dealing: one card at a time, run-outs, boards run twice, draws and reshuffles."""

from __future__ import annotations

from random import Random

import pytest

from riverboat.game import rules
from riverboat.game.cards import DECKS, cards
from riverboat.game.commands import Action
from riverboat.game.hand.deal import first_street
from riverboat.game.hand.events import (
    BoardCards,
    DealtTo,
    Drew,
    HandShown,
    Reshuffled,
    RoundClosed,
    Stakes,
    StreetDealt,
    UncalledReturned,
)
from riverboat.game.hand.state import Baton, Phase
from riverboat.game.refusals import HandCode, Refusal
from tests.game.hand.dealt import Dealt, dealt_places, no_proof

CALL, CHECK, RAISE, DRAW = Action.CALL, Action.CHECK, Action.RAISE, Action.DRAW
PACK = DECKS["52"]


def holdem(stacks: tuple[int, ...], runs: int = 1, variant: str = "holdem") -> Dealt:
    many = len(stacks)
    return Dealt(
        ("standard", variant, "nl"),
        dict(enumerate(stacks, 1)),
        Stakes(small_blind=5, big_blind=10),
        PACK,
        button=many,
        blinds=(1, 2) if many > 2 else (2, 1),
        runs=runs,
    )


def test_cards_go_one_at_a_time_in_dealing_order():
    """RULES 4: "cards go clockwise from the first active seat"."""
    game = rules.game("standard", "holdem", "nl")
    dealt = first_street(game, (4, 7, 2), PACK, no_proof)
    assert dealt.to == (
        DealtTo(4, (0, 3), (), ()),
        DealtTo(7, (1, 4), (), ()),
        DealtTo(2, (2, 5), (), ()),
    )
    assert dealt.proofs == b""


def test_cards_face_down_come_before_those_face_up():
    """RULES 1: "1 down 1 up"; "two down, one up"."""
    soko = first_street(rules.game("lt", "soko", "fl"), (1, 2), PACK, no_proof)
    assert soko.to == (DealtTo(1, (0,), (2,), (2,)), DealtTo(2, (1,), (3,), (3,)))
    stud = first_street(rules.game("lt", "stud7", "fl"), (1, 2), PACK, no_proof)
    assert stud.to == (DealtTo(1, (0, 2), (4,), (4,)), DealtTo(2, (1, 3), (5,), (5,)))


def test_only_what_lies_open_is_proved():
    """ARCHITECTURE 4: "cards nobody saw stay closed"."""
    asked = []

    def prove(places):
        asked.append(tuple(places))
        return b"proof"

    game = rules.game("lt", "soko", "fl")
    assert first_street(game, (1, 2), PACK, prove).proofs == b"proof"
    assert asked == [(2, 3)]


def test_the_board_comes_next_without_a_burn():
    """RULES 1: "No burn cards"."""
    dealt = holdem((100, 100))
    dealt.does(2, CALL)
    dealt.does(1, CHECK)
    dealt.deals()
    flop = dealt.happened(StreetDealt)[-1]
    assert flop == StreetDealt(1, (), (BoardCards(0, (4, 5, 6), (4, 5, 6)),), b"")
    assert dealt.hand.boards == [[4, 5, 6]]


def all_in(dealt: Dealt) -> Dealt:
    """The button puts everything in and everybody calls."""
    seat = dealt.hand.seats[dealt.hand.turn]
    dealt.does(seat.seat, RAISE, seat.bet + seat.stack)
    while dealt.hand.turn:
        dealt.does(dealt.hand.turn, CALL)
    return dealt


def test_an_all_in_is_turned_up_and_run_out_in_one_decision():
    """RULES 5, who shows first: "all live hands are turned up"."""
    dealt = all_in(holdem((100, 100)))
    before = len(dealt.events)
    dealt.deals()
    kinds = [type(event) for event in dealt.events[before:]]
    assert kinds == [HandShown, HandShown, StreetDealt, StreetDealt, StreetDealt]
    assert dealt.hand.seats[1].shown == (0, 2)
    assert dealt.hand.boards == [[4, 5, 6, 7, 8]]
    assert dealt.hand.shows == []
    assert dealt.hand.baton is Baton.SHOWDOWN


def test_posts_alone_may_end_the_betting_and_the_dealer_closes_it():
    """BC-055: "No action is requested, 14 goes back, the board is run out"."""
    dealt = Dealt(
        ("standard", "holdem", "nl"),
        {2: 500, 1: 6},
        Stakes(small_blind=10, big_blind=20),
        PACK,
        button=1,
        blinds=(1, 2),
    )
    assert dealt.hand.baton.name == "DEALER"
    assert dealt.closes() == [UncalledReturned(2, 14), RoundClosed(0)]
    dealt.deals()
    assert dealt.hand.baton is Baton.SHOWDOWN
    assert dealt.hand.pot == 12


@pytest.mark.parametrize(
    ("runs", "boards"),
    [
        (1, [[4, 5, 6, 7, 8]]),
        (2, [[4, 5, 6, 7, 8], [9, 10, 11, 12, 13]]),
        (3, [[4, 5, 6, 7, 8], [9, 10, 11, 12, 13], [14, 15, 16, 17, 18]]),
    ],
)
def test_a_board_is_run_as_often_as_the_table_says(runs, boards):
    """RULES 8: "Run it twice or three times"; the first board's cards come first."""
    dealt = all_in(holdem((100, 100), runs))
    dealt.deals()
    assert dealt.hand.boards == boards
    assert dealt.hand.board_places == boards


def test_boards_run_again_share_what_lay_before():
    dealt = holdem((100, 100), runs=2)
    dealt.does(2, CALL)
    dealt.does(1, CHECK)
    dealt.deals()
    all_in(dealt)
    dealt.deals()
    assert dealt.hand.boards == [[4, 5, 6, 7, 8], [4, 5, 6, 9, 10]]


def test_a_board_is_run_no_oftener_than_the_deck_holds():
    """Ten players with four cards each leave twelve: two boards, not three."""
    dealt = all_in(holdem((100,) * 10, 3, "omaha"))
    dealt.deals()
    assert len(dealt.hand.boards) == 2
    assert dealt.hand.next_place == 50


def test_a_street_that_could_be_bet_on_is_dealt_alone():
    dealt = all_in(holdem((500, 500, 100), runs=2))
    while dealt.hand.phase is Phase.DEAL:
        dealt.deals()
        while dealt.hand.turn:
            dealt.does(dealt.hand.turn, CHECK)
    assert len(dealt.hand.boards) == 1
    assert dealt.happened(HandShown) == []


# Draws.


def drawing(stacks: tuple[int, ...], game: tuple[str, str, str], holes=None) -> Dealt:
    """Everybody called, and the first draw is open; the button is the last seat."""
    many = len(stacks)
    deck_name = rules.game(*game).deck
    order = range(1, many + 1)
    deck = dealt_places(order, holes, deck_name) if holes else DECKS[deck_name]
    dealt = Dealt(
        game,
        dict(zip(order, stacks, strict=True)),
        Stakes(small_blind=5, big_blind=10),
        deck,
        button=many,
        blinds=(1, 2) if many > 2 else (2, 1),
    )
    while dealt.hand.phase is Phase.BET:
        dealt.does(dealt.hand.turn, CALL if dealt.offered.call else CHECK)
    dealt.deals()
    return dealt


TRIPLE = ("standard", "triple_draw27", "fl")
DRAW32 = ("lt", "draw32", "fl")


@pytest.mark.parametrize(
    ("action", "throw", "outcome"),
    [
        (Action.FOLD, (), Refusal(HandCode.NOT_OFFERED)),
        (CHECK, (), Refusal(HandCode.NOT_OFFERED)),
        (DRAW, (0, 1, 2, 3, 4), Refusal(HandCode.BAD_DISCARD, most=4)),
        (DRAW, (1, 0), Refusal(HandCode.BAD_DISCARD, most=4)),
        (DRAW, (1, 1), Refusal(HandCode.BAD_DISCARD, most=4)),
        (DRAW, (5,), Refusal(HandCode.BAD_DISCARD, place=5)),
        (DRAW, (-1,), Refusal(HandCode.BAD_DISCARD, place=-1)),
        (DRAW, (), [Drew(1, (), ())]),
        (DRAW, (0, 4), [Drew(1, (0, 4), (15, 16))]),
    ],
)
def test_what_may_be_thrown(action, throw, outcome):
    """RULES 5, draws: "0-5 cards (draw32: 0-4)"."""
    dealt = drawing((500, 500, 500), DRAW32)
    assert dealt.tries(dealt.the_act(action, throw=throw)) == outcome


def test_all_in_players_draw_and_do_not_bet():
    """BC-112: "It takes part in all three draws and in no betting round"."""
    dealt = drawing((500, 500, 10), TRIPLE)
    draws, bets = [], []
    while dealt.hand.baton is not Baton.SHOWDOWN:
        if dealt.hand.baton is Baton.DEALER and dealt.hand.phase is Phase.DEAL:
            dealt.deals()
        elif dealt.hand.phase is Phase.DRAW:
            draws.append(dealt.hand.turn)
            dealt.does(dealt.hand.turn, DRAW, throw=(0,))
        else:
            bets.append(dealt.hand.turn)
            dealt.does(dealt.hand.turn, CHECK)
    assert draws == [1, 2, 3] * 3
    assert bets == [1, 2] * 3


def test_hands_are_not_turned_up_before_the_last_draw():
    """RULES 5: "after the last draw and never before"."""
    dealt = drawing((10, 10, 10), TRIPLE)
    for _ in range(3):
        assert dealt.happened(HandShown) == []
        for seat in (1, 2, 3):
            dealt.does(seat, DRAW)
        if dealt.hand.phase is Phase.DEAL:
            dealt.deals()
    assert dealt.hand.baton is Baton.SHOWDOWN
    dealt.ends()
    assert dealt.happened(HandShown)


def test_a_draw_not_answered_bars_raises_for_one_round():
    """RULES 5, draws: "stands pat **and may not bet or raise in the next round**"."""
    dealt = drawing((500, 500), TRIPLE)
    dealt.times_out()
    assert dealt.events[-1] == Drew(1, (), ())
    dealt.does(2, DRAW)
    assert dealt.hand.turn == 1
    assert dealt.offered.check
    assert dealt.offered.no_raise == "late_draw"
    command = dealt.the_act(RAISE, 10)
    assert dealt.tries(command) == Refusal(HandCode.CANNOT_RAISE, reason="late_draw")
    dealt.does(1, CHECK)
    dealt.does(2, CHECK)
    dealt.deals()
    dealt.does(1, DRAW)
    dealt.does(2, DRAW)
    assert dealt.offered.raise_least == 20


def test_the_clock_of_a_draw_is_its_own():
    """RULES 5, draws: "30 seconds"."""
    dealt = drawing((500, 500), TRIPLE)
    assert dealt.hand.deadline_ms == dealt.now_ms + 30_000
    dealt.does(1, DRAW)
    assert dealt.hand.deadline_ms == dealt.now_ms + 30_000


def hold_the_cards(dealt: Dealt) -> set[int]:
    """Every place went to one seat or waits, no card is in two hands; the cards that wait."""
    hand, deck = dealt.hand, dealt.deck
    got = [place for seat in hand.seats.values() for place in (*seat.places, *seat.thrown)]
    assert sorted([*got, *hand.skipped]) == list(range(hand.next_place))
    held = [deck[place] for seat in hand.seats.values() for place in seat.places]
    waiting = [deck[place] for place in hand.skipped] + deck[hand.next_place :]
    assert len({*held, *waiting}) == len(held) + len(waiting)
    return set(waiting)


def test_five_players_draw_four_from_a_stub_of_seven():
    """House case 7: "four reshuffles; nobody gets a card that he discarded"."""
    dealt = drawing((500,) * 5, DRAW32)
    first = {dealt.deck[place] for place in dealt.hand.seats[1].places[:4]}
    waiting: list[set[int]] = [set()]
    for seat in range(1, 6):
        mine = {dealt.deck[place] for place in dealt.hand.seats[seat].places[:4]}
        dealt.does(seat, DRAW, throw=(0, 1, 2, 3))
        got = {dealt.deck[place] for place in dealt.hand.seats[seat].places[:4]}
        assert not mine & got
        waiting.append(hold_the_cards(dealt))
        assert len(waiting[seat]) == 3
        if seat == 2:
            # "The second takes these three, then one from the first player's discards only."
            assert waiting[1] < got
            assert len(got & first) == 1
    reshuffles = dealt.happened(Reshuffled)
    assert [event.size for event in reshuffles] == [4, 4, 4, 4]
    assert dealt.hand.stubs == reshuffles


def six_draw_three_times(seed: int) -> tuple[set[int], Dealt]:
    """A triple draw of six who throw nearly all; the places that were passed over on the way."""
    chance = Random(seed)
    dealt = drawing((500,) * 6, TRIPLE)
    dealt.stir = lambda cards: chance.sample(cards, len(cards))
    passed_over: set[int] = set()
    for street in range(3):
        for seat in range(1, 7):
            dealt.does(seat, DRAW, throw=sorted(chance.sample(range(5), chance.choice((3, 4, 5)))))
            own = dealt.hand.seats[seat]
            thrown = {dealt.deck[place] for place in own.thrown}
            assert not thrown & {dealt.deck[place] for place in own.places}
            hold_the_cards(dealt)
            passed_over |= set(dealt.hand.skipped)
        for seat in range(1, 7):
            dealt.does(seat, CHECK)
        if street < 2:
            dealt.deals()
    return passed_over, dealt


def test_what_a_player_threw_never_comes_back_to_him_and_waits_for_others():
    """BC-108: "seat_3_may_receive_2s: false, other_seats_may_receive_2s: true"."""
    went_to_others = 0
    for seed in range(20):
        passed_over, dealt = six_draw_three_times(seed)
        assert len(dealt.happened(Reshuffled)) > 1  # "several_reshuffles_per_hand"
        seats = dealt.hand.seats.values()
        went_to_others += len(passed_over & {place for seat in seats for place in seat.places})
    assert went_to_others > 0


# Seven-card stud, when the deck runs short.


@pytest.mark.parametrize(("folds", "shared"), [(0, True), (3, True), (4, False)])
def test_the_deck_runs_short_in_stud(folds, shared):
    """House case 6: "Five to eight still in: one community card, no betting"."""
    dealt = Dealt(
        ("lt", "stud7", "fl"),
        dict.fromkeys(range(1, 9), 500),
        Stakes(ante=1, bring_in=2, small_bet=10, big_bet=20),
        PACK,
    )
    hand = dealt.hand
    dealt.does(hand.turn, Action.BRING_IN)
    while hand.street < 4:
        while hand.turn:
            offered = dealt.offered
            leaving = hand.street == 3 and hand.live > 8 - folds
            if leaving:
                dealt.does(offered.seat, Action.FOLD)
            else:
                dealt.does(offered.seat, CALL if offered.call else CHECK)
        if hand.street == 3:
            assert len(PACK) - hand.next_place == 4
        dealt.deals()
    seventh = dealt.happened(StreetDealt)[-1]
    assert isinstance(seventh, StreetDealt)
    assert (len(seventh.to), len(seventh.board)) == ((0, 1) if shared else (4, 0))
    assert hand.baton is (Baton.SHOWDOWN if shared else Baton.BETTING)


def test_all_in_stud_hands_are_turned_up_whole():
    """RULES 5, field: "all live hands are turned up"; later cards are among them."""
    dealt = Dealt(
        ("lt", "stud7", "fl"),
        {1: 3, 2: 3},
        Stakes(ante=1, bring_in=2, small_bet=10, big_bet=20),
        PACK,
    )
    dealt.does(dealt.hand.turn, Action.BRING_IN)
    dealt.does(dealt.hand.turn, CALL)
    dealt.deals()
    shown = dealt.happened(HandShown)
    assert [len(event.cards) for event in shown] == [7, 7]
    deck = dealt.deck
    for seat in dealt.hand.seats.values():
        assert seat.shown == tuple(deck[place] for place in seat.places)


def test_a_deck_for_tests_gives_each_seat_its_cards():
    holes = {1: cards("AsAh"), 2: cards("KsKh")}
    deck = dealt_places((1, 2), holes, "52")
    assert deck[:4] == [*cards("As"), *cards("Ks"), *cards("Ah"), *cards("Kh")]
    assert sorted(deck) == sorted(PACK)
