"""Dealing: what comes from the deck, street by street, and draws.

Takes the opened order and names places in it; whoever calls knows how to open the deck and how to
prove a card. Shuffles nothing and judges nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Final, Protocol

from riverboat.game.commands import Act, Action
from riverboat.game.hand.bet import Outcome, cannot_act, closing
from riverboat.game.hand.events import (
    BoardCards,
    DealtTo,
    Drew,
    HandEvent,
    HandShown,
    Reshuffled,
    RunsAgreed,
    StreetDealt,
    TimedOut,
    UncalledReturned,
)
from riverboat.game.hand.state import NOBODY, Hand, Phase, Seat
from riverboat.game.refusals import HandCode, Refusal
from riverboat.game.rules.schema import Game, Street

# Opens the deck's commitment for the cards at these places.
Prove = Callable[[Sequence[int]], bytes]

DEAL: Final = Phase.DEAL
DRAW: Final = Phase.DRAW
THROW: Final = Action.DRAW


class Stub(Protocol):
    """A new order of reshuffled cards, sealed and committed to."""

    @property
    def sealed(self) -> bytes: ...

    @property
    def key(self) -> str: ...

    @property
    def root(self) -> bytes: ...

    @property
    def order(self) -> Sequence[int]: ...


def first_street(
    game: Game, seats: Sequence[int], deck: Sequence[int], prove: Prove
) -> StreetDealt:
    """The first cards, to `seats` in dealing order; comes with the hand's start and its posts."""
    return _street(0, game.streets[0], seats, deck, 0, prove)


def deal(hand: Hand, deck: Sequence[int], prove: Prove, agreed: int = 1) -> list[HandEvent]:
    """What the dealer owes: the next street, or all that an all-in leaves to be dealt.

    `agreed` is how many boards all who are in want, where that is asked. When no more betting can
    happen all live hands are turned up, but never before a draw that is still to come.
    [RULES 5, field]
    """
    assert hand.phase is DEAL, "the dealer owes a street"
    # Posts alone may have put everybody all-in: then no act closed the round.
    events = closing(hand) if hand.open else _unmet_ante(hand)
    streets = hand.game.streets
    ahead = hand.street + 1
    if hand.moneyed > 1 and not events and not streets[ahead].down + streets[ahead].up:
        return [_street(ahead, streets[ahead], (), deck, hand.next_place, prove)]
    live = [seat.seat for seat in hand.seats.values() if not seat.folded]
    if hand.moneyed > 1:
        return [*events, _next_street(hand, ahead, live, deck, hand.next_place, prove)]
    last = ahead
    while last < len(streets) and streets[last].draw < 0:
        last += 1
    if any(street.draw >= 0 for street in streets[ahead:]):
        # The streets up to the draw, and the draw that opens.
        numbers = range(ahead, min(last + 1, len(streets)))
        return [*events, *_streets(hand, numbers, live, deck, prove)]
    shows = [_shown(hand, hand.seats[seat], deck, prove) for seat in live]
    if not any(street.down + street.up for street in streets[ahead:]):
        return [*events, *shows, *_runs_out(hand, deck, prove, agreed)]
    dealt = list(_streets(hand, range(ahead, len(streets)), live, deck, prove))
    shows = [_shown(hand, hand.seats[seat], deck, prove, dealt) for seat in live]
    return [*events, *dealt, *shows]


def _unmet_ante(hand: Hand) -> list[HandEvent]:
    """What of an ante nobody matched, where no round of betting was opened over it: a bomb pot's.

    It goes back before the rake is reckoned, as any bet that no one can call. [RULES 5]
    """
    if not hand.bomb or hand.street or hand.moneyed > 1:
        return []
    antes = sorted([(seat.posted_ante, seat.seat) for seat in hand.seats.values()])
    amount = antes[-1][0] - antes[-2][0]
    return [UncalledReturned(antes[-1][1], amount)] if amount else []


def _streets(
    hand: Hand, numbers: range, live: Sequence[int], deck: Sequence[int], prove: Prove
) -> Iterator[StreetDealt]:
    place = hand.next_place
    for number in numbers:
        dealt = _next_street(hand, number, live, deck, place, prove)
        place += sum(len(to.down) + len(to.up) for to in dealt.to)
        place += sum(len(board.cards) for board in dealt.board)
        yield dealt


def _next_street(
    hand: Hand, number: int, live: Sequence[int], deck: Sequence[int], place: int, prove: Prove
) -> StreetDealt:
    street = hand.game.streets[number]
    each = street.down + street.up
    if hand.game.short_deck_shares and each * len(live) > len(deck) - place:
        # One card in the middle is everybody's, and nobody bets. [RULES 5, stud]
        shared = BoardCards(0, (deck[place],), (place,))
        return StreetDealt(number, (), (shared,), prove((place,)))
    return _street(number, street, live, deck, place, prove)


def _street(
    number: int,
    street: Street,
    live: Sequence[int],
    deck: Sequence[int],
    place: int,
    prove: Prove,
) -> StreetDealt:
    """Cards go one at a time, clockwise; those face down before those face up."""
    many = len(live)
    first_up = place + street.down * many
    after = first_up + street.up * many
    end = after + street.board
    to: tuple[DealtTo, ...] = ()
    if after > first_up:
        shown = zip(*[deck[at : at + many] for at in range(first_up, after, many)], strict=True)
        turns = _turns(place, first_up, after, many)
        to = tuple(
            [
                DealtTo(seat, down, up, up_places)
                for seat, (down, up_places), up in zip(live, turns, shown, strict=True)
            ]
        )
    elif first_up > place:
        to = _face_down(tuple(live), place, first_up)
    board: tuple[BoardCards, ...] = ()
    if street.board:
        board = (BoardCards(0, tuple(deck[after:end]), _places(after, end)),)
    if first_up == end:
        return StreetDealt(number, to, board, b"")
    return StreetDealt(number, to, board, prove(_places(first_up, end)))


@cache
def _places(start: int, end: int) -> tuple[int, ...]:
    return tuple(range(start, end))


@lru_cache(maxsize=4096)  # some hundred tables, each seat in turn on the button
def _face_down(live: tuple[int, ...], place: int, end: int) -> tuple[DealtTo, ...]:
    """What names no card is the same for the same seats, and made once."""
    turns = _turns(place, end, end, len(live))
    return tuple([DealtTo(seat, down, (), ()) for seat, (down, _) in zip(live, turns, strict=True)])


@cache
def _turns(
    place: int, first_up: int, after: int, many: int
) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """The places of each of `many` seats, face down and face up, one card at a time."""
    return tuple(
        (tuple(range(place + at, first_up, many)), tuple(range(first_up + at, after, many)))
        for at in range(many)
    )


def _runs_out(
    hand: Hand, deck: Sequence[int], prove: Prove, agreed: int
) -> Iterator[RunsAgreed | StreetDealt]:
    """The rest of the board; how often it is dealt is settled before its cards come."""
    runs = hand.runs
    if hand.runs_asked and any(street.board for street in hand.game.streets[hand.street + 1 :]):
        # No more than the deck can deal: what was agreed on is what comes.
        runs = _runs_there_are(hand, deck, min(runs, agreed))
        yield RunsAgreed(runs)
    yield from _boards(hand, deck, prove, runs)


def _run_size(hand: Hand) -> int:
    """How many cards the rest of a board takes."""
    return sum([street.board for street in hand.game.streets[hand.street + 1 :]])


def _runs_there_are(hand: Hand, deck: Sequence[int], wanted: int) -> int:
    """How often the rest of the board can be dealt; once at least."""
    a_run = _run_size(hand)
    return max(1, min(wanted, (len(deck) - hand.next_place) // a_run)) if a_run else 1


def _boards(hand: Hand, deck: Sequence[int], prove: Prove, wanted: int) -> Iterator[StreetDealt]:
    """The rest of the board, as often as it is wanted; the first board's cards come first."""
    ahead = range(hand.street + 1, len(hand.game.streets))
    a_run = _run_size(hand)
    runs = _runs_there_are(hand, deck, wanted)
    offset = hand.next_place
    for number in ahead:
        size = hand.game.streets[number].board
        starts = [offset + run * a_run for run in range(runs)]
        spans = [tuple(range(start, start + size)) for start in starts]
        boards = tuple(
            BoardCards(run, tuple([deck[place] for place in span]), span)
            for run, span in enumerate(spans)
            if size
        )
        places = [place for span in spans for place in span]
        yield StreetDealt(number, (), boards, prove(places) if places else b"")
        offset += size


def _shown(
    hand: Hand,
    seat: Seat,
    deck: Sequence[int],
    prove: Prove,
    dealt: Sequence[StreetDealt] = (),
) -> HandShown:
    later = [
        place
        for street in dealt
        for to in street.to
        if to.seat == seat.seat
        for place in (*to.down, *to.up_places)
    ]
    places = (*seat.places, *later)
    return HandShown(seat.seat, tuple([deck[place] for place in places]), prove(places))


def draw(
    hand: Hand,
    player: str,
    command: Act,
    opened: Callable[[], Sequence[int]],
    reshuffle: Callable[[Sequence[int]], Stub],
) -> Outcome:
    """What a player's act makes true while cards are drawn.

    `opened` gives every order of the hand so far, one behind the other, and is asked only for a
    draw that stands. When they run out, `reshuffle` takes the cards thrown and folded.
    [RULES 5, draws]
    """
    refusal = cannot_act(hand, player, command)
    if refusal is not None:
        return refusal
    if hand.phase is not DRAW:
        return Refusal(HandCode.NOT_A_DRAW)
    if command.action is not THROW:
        return Refusal(HandCode.NOT_OFFERED)
    seat = hand.seats[hand.turn]
    if seat.kept:
        return Refusal(HandCode.NOT_OFFERED)  # who is protected stands pat [RULES 7]
    throw = command.throw
    street = hand.game.streets[hand.street]
    most = street.draw
    if len(throw) > most:
        return Refusal(HandCode.BAD_DISCARD, most=most)
    if len(throw) < street.draw_least:
        return Refusal(HandCode.BAD_DISCARD, least=street.draw_least)
    own, last, in_turn = len(seat.places), -1, True
    for index in throw:
        if not 0 <= index < own:
            return Refusal(HandCode.BAD_DISCARD, place=index)
        in_turn = in_turn and index > last
        last = index
    if not in_turn:
        return Refusal(HandCode.BAD_DISCARD, most=most)

    # From here on the draw stands.
    if not throw or not street.refill:
        return [Drew(seat.seat, tuple(throw), ())]
    deck = opened()
    wanted, place = len(throw), hand.next_place
    if not hand.stubs and not hand.skipped and place + wanted <= len(deck):
        # Of an order dealt for the first time no card ahead was thrown by anybody.
        return [Drew(seat.seat, tuple(throw), _places(place, place + wanted))]
    got = _places_for(hand, seat, wanted, deck, hand.skipped, place)
    if len(got) == wanted:
        return [Drew(seat.seat, tuple(throw), tuple(got))]
    stub = reshuffle(_discards(hand, deck))
    whole = (*deck, *stub.order)
    rest = _places_for(hand, seat, wanted - len(got), whole, (), len(deck))
    assert len(got) + len(rest) == wanted, "a reshuffle holds enough of other players' cards"
    reshuffled = Reshuffled(stub.sealed, stub.key, stub.root, len(stub.order))
    return [reshuffled, Drew(seat.seat, tuple(throw), (*got, *rest))]


def time_out_draw(hand: Hand, connected: bool) -> list[HandEvent]:
    """The clock of the seat that draws ran out: it stands pat. [RULES 5, draws]"""
    assert hand.turn != NOBODY and hand.phase is Phase.DRAW, "the dealer's clocks are draws'"
    return [TimedOut(hand.turn, hand.turn_number, connected), stand_pat(hand)]


def stand_pat(hand: Hand) -> Drew:
    """The seat that draws keeps its cards; where some must go, the last ones dealt to it do."""
    own = len(hand.seats[hand.turn].places)
    must = hand.game.streets[hand.street].draw_least
    return Drew(hand.turn, tuple(range(own - must, own)), ())


def _places_for(
    hand: Hand,
    seat: Seat,
    wanted: int,
    deck: Sequence[int],
    skipped: Sequence[int],
    next_place: int,
) -> list[int]:
    """The next places for this seat, passing over cards that it threw itself."""
    if not hand.game.own_discards_barred:
        barred: set[int] = set()
    else:
        barred = {deck[place] for place in seat.thrown}
    got: list[int] = []
    for place in (*skipped, *range(next_place, len(deck))):
        if len(got) == wanted:
            break
        if deck[place] not in barred:
            got.append(place)
    return got


def _discards(hand: Hand, deck: Sequence[int]) -> list[int]:
    """Every card that no live hand, no board and no undealt place holds, in a pack's order."""
    held = {deck[place] for s in hand.seats.values() if not s.folded for place in s.places}
    held.update(card for board in hand.boards for card in board)
    held.update(deck[place] for place in hand.skipped)
    held.update(deck[hand.next_place :])
    return sorted(set(deck) - held)
