"""The fold of one hand: how each event changes what is true.

Every service folds the table's stream and so agrees on the hand to the last chip. Nothing here
asks whether a thing was allowed: that was decided before it became an event.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from riverboat.game.hand.ending import ENDINGS
from riverboat.game.hand.events import (
    BroughtIn,
    Called,
    Checked,
    Drew,
    Folded,
    HandEvent,
    HandStarted,
    Post,
    Posted,
    RaisedTo,
    Reshuffled,
    RoundClosed,
    RunsAgreed,
    SplitChosen,
    SplitRefused,
    StreetDealt,
    UncalledReturned,
)
from riverboat.game.hand.limits import blinds, count_bring_in, count_raise, least_bet
from riverboat.game.hand.mishaps import MISHAPS
from riverboat.game.hand.rounds import (
    choose_split,
    next_draw,
    open_draw,
    open_round,
    pass_turn,
    stop_splitting,
)
from riverboat.game.hand.state import NOBODY, Baton, Hand, Phase, Seat
from riverboat.game.rules import game as find_game

# To look a member up in its enum takes several times as long as to test for it, and these are
# needed at every event.
BET: Final = Phase.BET
DEAL: Final = Phase.DEAL
SHOW: Final = Phase.SHOW
DEALER: Final = Baton.DEALER
SHOWDOWN: Final = Baton.SHOWDOWN
ANTE: Final = Post.ANTE
DEAD_BLIND: Final = Post.DEAD_BLIND
DEAD: Final = frozenset({Post.BIG_BLIND_ANTE, Post.DEAD_BLIND})
BLINDS: Final = frozenset({Post.SMALL_BLIND, Post.BIG_BLIND, Post.BUTTON_BLIND})
OUT_OF_POSITION: Final = frozenset({Post.SMALL_BLIND, Post.EXTRA_BLIND})


def start(event: HandStarted, time_ms: int) -> Hand:
    """The hand that `event` begins, before any post."""
    game = find_game(event.rulebook, event.variant, event.limit, event.rules_digest)
    seats: dict[int, Seat] = {}
    for dealt, left in zip(event.seats, event.seats[1:] + event.seats[:1], strict=True):
        number, stack = dealt.seat, dealt.stack
        seat = Seat(number, dealt.player, dealt.sitting, stack, stack, left.seat)
        seat.bank_ms = dealt.bank_ms
        seats[number] = seat
    return Hand(
        id=event.hand,
        number=event.number,
        game=game,
        stakes=event.stakes,
        button=event.button,
        seats=seats,
        runs=event.runs,
        turn_ms=event.turn_ms,
        raked=event.raked,
        small_blind=event.small_blind,
        big_blind=event.big_blind,
        least_bet=least_bet(game, event.stakes),
        sealed=event.sealed,
        key=event.key,
        root=event.root,
        rules_version=event.rules_version,
        rules_digest=event.rules_digest,
        street_ms=event.street_ms,
        bomb=event.bomb,
        runs_asked=event.runs_asked,
        short_blinds=sum(blinds(game, event.stakes)),
        live=len(seats),
        moneyed=len(seats),
        since_ms=time_ms,
    )


def evolve(hand: Hand, event: HandEvent, time_ms: int) -> Hand:
    """The hand after `event`, changed in place: only its fold holds it."""
    FOLDS[type(event)](hand, event, time_ms)
    hand.since_ms = time_ms
    return hand


def _posted(hand: Hand, event: Posted, time_ms: int) -> None:
    seat = hand.seats[event.seat]
    amount, post = event.amount, event.post
    seat.stack -= amount
    hand.pot += amount
    if amount and not seat.stack:
        hand.moneyed -= 1
    if post is ANTE:
        seat.put += amount
        seat.posted_ante += amount
    elif post in DEAD:
        seat.dead += amount
        if post is DEAD_BLIND:
            hand.dead_blinds += amount
    else:
        seat.bet += amount
        seat.put += amount
        # A short blind counts in full for what the others must call. [RULES 3, field]
        if event.due > hand.price:
            hand.price = event.due
        if post in BLINDS:
            hand.short_blinds -= amount
        if post not in OUT_OF_POSITION:
            hand.last_blind = event.seat


def _street_dealt(hand: Hand, event: StreetDealt, time_ms: int) -> None:
    hand.street = event.street
    street = hand.game.streets[event.street]
    seats = hand.seats
    dealt = 0
    for to in event.to:
        seat = seats[to.seat]
        if to.down:
            seat.places += to.down
            dealt += len(to.down)
        if to.up:
            many = len(to.up)
            down = len(seat.places) - len(seat.is_up)
            if down:
                seat.is_up += (False,) * down
            seat.is_up += (True,) * many
            seat.places += to.up_places
            seat.up += to.up
            dealt += many
    if event.board:
        dealt += _board_dealt(hand, event)
    hand.next_place += dealt
    if street.draw >= 0:
        open_draw(hand, time_ms)
    elif event.board and not street.board:
        # One card in the middle in place of each player's own ends the betting, and a bet of the
        # street before is none of the last. [RULES 5]
        hand.aggressor = NOBODY
        _after_round(hand)
    else:
        _begin_betting(hand, street.bet, time_ms)


def _board_dealt(hand: Hand, event: StreetDealt) -> int:
    known, places = hand.boards[0], hand.board_places[0]
    if len(event.board) == len(hand.boards) == 1:
        known += event.board[0].cards
        places += event.board[0].places
        return len(event.board[0].cards)
    while len(hand.boards) < len(event.board):
        hand.boards.append(list(known))
        hand.board_places.append(list(places))
    for board in event.board:
        hand.boards[board.run] += board.cards
        hand.board_places[board.run] += board.places
    return sum(len(board.cards) for board in event.board)


def _begin_betting(hand: Hand, bet: bool, time_ms: int) -> None:
    """The street lies: a round of betting, or the next step."""
    if bet:
        hand.round += 1
        if hand.round == 0:
            _first_prices(hand)
        # A bomb pot's first betting is behind its second street.
        is_skipped = hand.bomb and hand.street == 0
        if not is_skipped and open_round(hand, time_ms):
            return
    hand.turn = NOBODY
    _after_round(hand)


def _first_prices(hand: Hand) -> None:
    """The blinds stand as the first bet. [RULES 3, fl]"""
    price = hand.price
    hand.raises = 1 if price else 0
    hand.full_price = price
    hand.last_raise = max(price, hand.least_bet)


def _after_round(hand: Hand) -> None:
    if hand.live < 2 or (hand.street + 1 == len(hand.game.streets) and not hand.open):
        hand.baton = SHOWDOWN
        hand.phase = SHOW
    else:
        hand.baton = DEALER
        hand.phase = DEAL


def _folded(hand: Hand, event: Folded, time_ms: int) -> None:
    seat = hand.seats[event.seat]
    seat.folded = True
    hand.live -= 1
    if seat.stack:
        hand.moneyed -= 1
    if seat.to_act:
        seat.to_act = False
        hand.waiting -= 1
    if hand.splitting:
        stop_splitting(hand)
    pass_turn(hand, seat, time_ms)


def _checked(hand: Hand, event: Checked, time_ms: int) -> None:
    seat = hand.seats[event.seat]
    seat.to_act = False
    hand.waiting -= 1
    seat.faced = hand.full_price
    if hand.splitting:
        stop_splitting(hand)
    pass_turn(hand, seat, time_ms)


def _pay_to(hand: Hand, seat: Seat, total: int) -> None:
    paid = total - seat.bet
    seat.bet = total
    seat.stack -= paid
    seat.put += paid
    hand.pot += paid
    if not seat.stack and paid:
        hand.moneyed -= 1


def _called(hand: Hand, event: Called, time_ms: int) -> None:
    seat = hand.seats[event.seat]
    paid = event.total - seat.bet
    seat.bet = event.total
    seat.stack -= paid
    seat.put += paid
    hand.pot += paid
    if not seat.stack:
        hand.moneyed -= 1
    seat.to_act = False
    hand.waiting -= 1
    seat.faced = hand.full_price
    pass_turn(hand, seat, time_ms)


def _raised_to(hand: Hand, event: RaisedTo, time_ms: int) -> None:
    seats = hand.seats
    seat = seats[event.seat]
    total = event.total
    assert total > seat.bet, "a raise puts chips in"
    if hand.splitting:
        stop_splitting(hand)
    count_raise(hand, total)
    _pay_to(hand, seat, total)
    hand.price = total
    seat.faced = hand.full_price
    for other in seats.values():
        if other.stack and not other.folded:
            other.to_act = True
    seat.to_act = False
    hand.waiting = hand.moneyed - 1 if seat.stack else hand.moneyed
    hand.aggressor = event.seat
    hand.phase = BET
    pass_turn(hand, seat, time_ms)


def _brought_in(hand: Hand, event: BroughtIn, time_ms: int) -> None:
    seat = hand.seats[event.seat]
    _pay_to(hand, seat, event.total)
    count_bring_in(hand, event.due)
    seat.faced = hand.full_price
    seat.to_act = False
    hand.waiting -= 1
    hand.phase = BET
    pass_turn(hand, seat, time_ms)


def _drew(hand: Hand, event: Drew, time_ms: int) -> None:
    seat = hand.seats[event.seat]
    if event.thrown:
        _exchanged(hand, seat, event)
    seat.barred = hand.game.pat_bars_raise and hand.late_turn == hand.turn_number
    seat.to_act = False
    hand.waiting -= 1
    if not next_draw(hand, seat, time_ms):
        _begin_betting(hand, hand.game.streets[hand.street].bet, time_ms)


def _exchanged(hand: Hand, seat: Seat, event: Drew) -> None:
    own, thrown = list(seat.places), event.thrown
    seat.thrown += tuple([own[index] for index in thrown])
    if not event.places:
        seat.places = tuple([place for index, place in enumerate(own) if index not in thrown])
        seat.is_up = tuple([up for index, up in enumerate(seat.is_up) if index not in thrown])
        return
    assert len(event.places) == len(thrown), "all that was thrown comes back, or nothing"
    for index, place in zip(thrown, event.places, strict=True):
        own[index] = place
        if place == hand.next_place:
            hand.next_place += 1
        elif place > hand.next_place:
            hand.skipped += range(hand.next_place, place)
            hand.next_place = place + 1
        else:
            hand.skipped.remove(place)
    seat.places = tuple(own)


def _reshuffled(hand: Hand, event: Reshuffled, time_ms: int) -> None:
    hand.stubs.append(event)


def _split_chosen(hand: Hand, event: SplitChosen, time_ms: int) -> None:
    choose_split(hand, hand.seats[event.seat], 1, time_ms)


def _split_refused(hand: Hand, event: SplitRefused, time_ms: int) -> None:
    choose_split(hand, hand.seats[event.seat], 2, time_ms)


def _uncalled_returned(hand: Hand, event: UncalledReturned, time_ms: int) -> None:
    seat = hand.seats[event.seat]
    amount = event.amount
    if seat.kept:
        seat.kept += amount
    else:
        if not seat.stack and not seat.folded:
            hand.moneyed += 1
        seat.stack += amount
    seat.put -= amount
    hand.pot -= amount
    hand.returned += amount
    of_bet = min(amount, seat.bet)
    seat.bet -= of_bet
    seat.posted_ante -= amount - of_bet


def _round_closed(hand: Hand, event: RoundClosed, time_ms: int) -> None:
    if hand.price or hand.waiting:
        for seat in hand.seats.values():
            seat.bet = 0
            seat.to_act = False
        hand.waiting = hand.price = 0
    hand.turn = NOBODY
    hand.open = False
    _after_round(hand)


def _runs_agreed(hand: Hand, event: RunsAgreed, _time_ms: int) -> None:
    hand.runs = event.runs
    hand.runs_asked = False


FOLDS: Final[dict[type, Callable[[Hand, Any, int], None]]] = {
    Posted: _posted,
    StreetDealt: _street_dealt,
    Folded: _folded,
    Checked: _checked,
    Called: _called,
    RaisedTo: _raised_to,
    BroughtIn: _brought_in,
    Drew: _drew,
    Reshuffled: _reshuffled,
    SplitChosen: _split_chosen,
    SplitRefused: _split_refused,
    UncalledReturned: _uncalled_returned,
    RoundClosed: _round_closed,
    RunsAgreed: _runs_agreed,
    **MISHAPS,
    **ENDINGS,
}
