"""What a hand comes to, reckoned a second time from its events and cards alone.

Pots from what each put in, winners by the plain rankings on every board, odd units one each, and
who shows first. Nothing here is shared with the product but the events; it is read beside the
documents. What rake takes from each pot is given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from riverboat.game.hand.events import (
    BroughtIn,
    Called,
    Folded,
    HandEvent,
    Post,
    Posted,
    RaisedTo,
    RoundClosed,
    StreetDealt,
    UncalledReturned,
)
from tests.documents import plain_rankings as plain

Ranking = Callable[[Sequence[str]], plain.Key | None]
# By which rankings a game's pots are won, where it is not the usual one alone.
WAYS: Final[dict[str, tuple[Ranking, ...]]] = {
    "soko": (plain.soko,),
    "americana": (plain.americana,),
    "draw32": (plain.draw32,),
    "triple_draw27": (plain.low27,),
    "single_draw27": (plain.low27,),
    "triple_draw_a5": (plain.low_a5,),
    "razz": (plain.low_a5,),
    "badugi": (plain.badugi,),
    "short_deck": (plain.short_deck,),
}
HIGH_AND_LOW: Final = (plain.high, plain.low8)
DEAD: Final = (Post.DEAD_BLIND, Post.BIG_BLIND_ANTE)

# Who shows first where the last round saw no bet: left of the button or the box, left of the big
# blind, or the highest open hand.
LEFT, BEHIND_BIG_BLIND, OPEN = "left", "behind the big blind", "open"
FIRST: Final = {
    ("lt", "draw32"): BEHIND_BIG_BLIND,
    ("et", "draw32"): BEHIND_BIG_BLIND,
    ("et", "soko"): OPEN,
    **{(book, variant): OPEN for book in ("lt", "et", "ro") for variant in ("stud7", "stud7_hilo")},
    **{("ro", variant): OPEN for variant in ("soko", "americana", "telesina")},
}


class Dealt(NamedTuple):
    """The hand as its players saw it at the end."""

    book: str
    variant: str
    own: Mapping[int, Sequence[str]]  # of those who have not folded
    up: Mapping[int, Sequence[str]]
    boards: Sequence[Sequence[str]]
    around: Sequence[int]  # all seats, in the order of odd units
    last_street: int


class Put(NamedTuple):
    """What each seat has put in and not got back."""

    live: Counter[int]
    antes: Counter[int]
    dead: Counter[int]

    @property
    def whole(self) -> Counter[int]:
        return self.live + self.antes + self.dead


def put_in(events: Iterable[HandEvent]) -> Put:
    """Bets and live blinds, antes, and dead money."""
    put = Put(Counter(), Counter(), Counter())
    bets: Counter[int] = Counter()
    for event in events:
        match event:
            case Posted(post=Post.ANTE):
                put.antes[event.seat] += event.amount
            case Posted() if event.post in DEAD:
                put.dead[event.seat] += event.amount
            case Posted():
                put.live[event.seat] += event.amount
                bets[event.seat] += event.amount
            case Called() | RaisedTo() | BroughtIn():
                put.live[event.seat] += event.total - bets[event.seat]
                bets[event.seat] = event.total
            case UncalledReturned():
                of_bet = min(event.amount, bets[event.seat])
                put.live[event.seat] -= of_bet
                put.antes[event.seat] -= event.amount - of_bet
            case RoundClosed():
                bets.clear()
    return put


def pots(put: Put, live: Sequence[int]) -> list[tuple[int, list[int]]]:
    """A pot up to each ante that is all that a live player has in, and to each sum of live chips.

    What the same players contest is one pot; what is above the last of them falls to it, and dead
    money to the first.
    """
    made: list[tuple[int, list[int]]] = []
    short = {seat: put.antes[seat] for seat in live if not put.live[seat]}
    bets = {seat: put.live[seat] for seat in live}
    for chips, caps in ((put.antes, short), (put.live, bets)):
        below, most = 0, max(chips.values(), default=0)
        for level in sorted({*caps.values(), most}):
            amount = sum(min(each, level) - min(each, below) for each in chips.values())
            who = [seat for seat in live if caps.get(seat, most) >= level]
            if made and (made[-1][1] == who or not who):
                made[-1] = (made[-1][0] + amount, made[-1][1])
            elif amount:
                made.append((amount, who))
            below = level
    made[0] = (made[0][0] + sum(put.dead.values()), made[0][1])
    return made


def winnings(
    dealt: Dealt, events: Sequence[HandEvent], fees: Sequence[int] | None = None
) -> dict[int, int]:
    """What each seat wins or loses, where rake takes so much from each pot."""
    put = put_in(events)
    live = sorted(dealt.own)
    made = pots(put, live)
    won: Counter[int] = Counter()
    for (amount, who), fee in zip(made, fees or [0] * len(made), strict=True):
        if len(who) == 1:
            won[who[0]] += amount - fee
            continue
        for board, part in zip(dealt.boards, _even(amount - fee, len(dealt.boards)), strict=True):
            best = [winners for winners in _best(dealt, who, board) if winners]
            for winners, half in zip(best, _even(part, len(best)), strict=True):
                in_order = [seat for seat in dealt.around if seat in winners]
                for seat, share in zip(in_order, _even(half, len(winners)), strict=True):
                    won[seat] += share
    return {seat: won[seat] - put.whole[seat] for seat in dealt.around}


def _even(amount: int, many: int) -> list[int]:
    """Equal parts; odd units go one each to the first."""
    each, odd = divmod(amount, many)
    return [each + (place < odd) for place in range(many)]


def _best(dealt: Dealt, who: Sequence[int], board: Sequence[str]) -> list[set[int]]:
    """Who wins the pot, or each half of it; nobody where none can."""
    if dealt.variant == "telesina":
        left = dealt.own if dealt.book == "lt" else who
        own = {seat: dealt.own[seat] for seat in who}
        return [plain.telesina_winners(own, board[0] if board else None, len(left) == 2)]
    usual = HIGH_AND_LOW if dealt.variant.endswith("hilo") else (plain.high,)
    found = []
    for way in WAYS.get(dealt.variant, usual):
        keys = {seat: _worth(way, dealt.variant, dealt.own[seat], board) for seat in who}
        best = max((key for key in keys.values() if key is not None), default=None)
        found.append({seat for seat in who if best is not None and keys[seat] == best})
    return found


def _worth(
    way: Ranking, variant: str, own: Sequence[str], board: Sequence[str]
) -> plain.Key | None:
    if variant.startswith(("omaha", "courchevel")):
        return plain.exactly_two(way, own, board)
    if variant == "badugi":
        return way(own)
    return plain.best_of(way, [*own, *board])


def shows_first(dealt: Dealt, events: Sequence[HandEvent], big_blind: int) -> int:
    """Where the showing begins; clockwise from there the first who has not folded."""
    street, bettor, bet_on = 0, 0, -1
    for event in events:
        match event:
            case StreetDealt():
                street = event.street
            case RaisedTo():
                bettor, bet_on = event.seat, street
    if bet_on == dealt.last_street:
        return bettor
    rule = FIRST.get((dealt.book, dealt.variant), LEFT)
    if rule == OPEN:
        keys = {seat: open_hand(dealt.variant, dealt.up[seat]) for seat in sorted(dealt.own)}
        return max(keys, key=lambda seat: (keys[seat], -seat))
    return big_blind + 1 if rule == BEHIND_BIG_BLIND else 1


def open_hand(variant: str, up: Sequence[str]) -> plain.Key:
    """What three or four open cards are worth, by the game's own order: no five are there yet."""
    groups = plain.groups(up)
    sizes = tuple(len(cards) for _, cards in groups)
    ranks = tuple(value for value, _ in groups)
    names = [(), (2,), "four-straight", "four-flush", (2, 2), (3,), (4,)]
    if sizes[:2] == (2, 2):
        return (names.index((2, 2)), *ranks)
    if sizes[0] > 2:
        return (names.index((sizes[0],)), *ranks)
    if variant == "soko" and len(up) == 4:
        if plain.is_flush(up):
            return (names.index("four-flush"), *ranks)
        runs = len(ranks) == 4 and ranks[0] - ranks[-1] == 3
        if runs or ranks == (14, 4, 3, 2):
            return (names.index("four-straight"), 4 if ranks == (14, 4, 3, 2) else ranks[0])
    suits: tuple[int, ...] = ()
    if variant == "telesina":
        suits = tuple(plain.suit_worth(cards[0]) for _, cards in groups)
    if sizes[0] == 2:
        return (names.index((2,)), *ranks, *suits[1:])
    if suits:
        return (0, *(part for both in zip(ranks, suits, strict=True) for part in both))
    return (0, *ranks)


def folded(events: Iterable[HandEvent]) -> set[int]:
    return {event.seat for event in events if isinstance(event, Folded)}
