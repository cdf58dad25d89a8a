"""Views: what a table's state looks like from outside, as messages.

A snapshot holds nothing that is not face up; a player's own cards stand in his private part alone.
Nothing here asks who may see a part, nor sends it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from riverboat.game.authority import BETTING, DEALER
from riverboat.game.hand.events import Pot, Stakes
from riverboat.game.hand.options import Options, options
from riverboat.game.hand.rounds import own_time_over_ms
from riverboat.game.hand.sight import terms
from riverboat.game.hand.state import NOBODY, Hand, Seat
from riverboat.game.table.events import GameOffered, Settings
from riverboat.game.table.seats import in_hand, sitting_of
from riverboat.game.table.state import Hold, Reservation, Sitting, Table
from riverboat.wire.codec import Codec
from riverboat.wire.record import CODEC
from riverboat.wire.v1 import session_pb2
from riverboat.wire.v1.seats_pb2 import Intent

_settings = CODEC.encoder(Settings)
_stakes = CODEC.encoder(Stakes)
_pot = CODEC.encoder(Pot)
_choice = CODEC.encoder(GameOffered)
_fill_options = Codec(session_pb2).filler(Options)


def snapshot(table: Table) -> session_pb2.Snapshot:
    """All that everybody may see of the table."""
    chairs = [_chair(table, sitting) for sitting in table.sittings.values()]
    chairs += [_reserved(held) for held in reserved(table)]
    chairs += [_kept(held) for held in table.holds.values()]
    chairs.sort(key=lambda chair: chair.seat)
    seen = session_pb2.Snapshot(
        table=table.id,
        version=table.version,
        time_ms=table.time_ms,
        closing=table.closing,
        closed=table.closed,
        chairs=chairs,
        hands=table.hands,
        button=table.button,
        stopped=bool(table.stopped),
        draining=table.draining,
        waiting=len(table.waiters),
    )
    if table.settings is not None:
        seen.settings.CopyFrom(_settings(terms(table.settings)))  # type: ignore[arg-type]
    if table.coming is not None:
        seen.coming.CopyFrom(_settings(terms(table.coming)))  # type: ignore[arg-type]
    if table.paused:
        seen.pause.reason = table.paused
        seen.pause.until_ms = table.paused_until_ms
    if table.hand is not None:
        seen.hand.CopyFrom(_hand(table, table.hand))
        if table.settings is not None:
            seen.hand.cap = table.settings.cap
    if table.choice is not None:
        seen.choice.CopyFrom(_choice(table.choice))  # type: ignore[arg-type]
    return seen


def turn(hand: Hand, seen: session_pb2.Turn) -> None:
    """Put into `seen` whose turn it is."""
    seen.SetInParent()
    seen.seat = hand.turn
    seen.number = hand.turn_number
    seen.price = hand.price
    if hand.turn != NOBODY:
        seen.deadline_ms = hand.deadline_ms
        if hand.seats[hand.turn].bank_ms:
            seen.bank_from_ms = own_time_over_ms(hand)
    seen.pot = hand.pot


def private(
    table: Table,
    player: str,
    seat: Seat | None,
    cards: Sequence[int],
    not_funded: str = "",
    intent: Intent.ValueType = Intent.INTENT_UNSPECIFIED,
    place: int = 0,
) -> session_pb2.Private:
    """What this player alone may see: `cards` are his own, `seat` is his in the hand, if any.

    `place` is his among those who wait, or 0.
    By which number a stream knows him is not said yet.
    """
    hand = table.hand
    seen = session_pb2.Private()
    seen.table = table.id
    sitting = sitting_of(table, player)
    if sitting is not None or table.settings is None or not table.settings.view_delay_ms:
        seen.version = table.version  # who sees the table later must not learn how far it is
    if cards:
        seen.cards.extend(cards)
    if (
        hand is not None
        and seat is not None
        and hand.turn == seat.seat
        and (open_to_him := options(hand)) is not None
    ):
        seen.options.SetInParent()
        _fill_options(seen.options, open_to_him)
    seen.last_number = last_number(table, player)
    if not_funded:
        seen.not_funded = not_funded
    if sitting is not None or table.waiters or table.holds:
        _standing(table, player, sitting, seen.standing)
    if place:
        seen.standing.place = place
    if intent:
        seen.standing.intent = intent
    return seen


def _standing(table: Table, player: str, sitting: Sitting | None, seen: Any) -> None:
    # Most have nothing to be told here, at every turn: only what is there is filled in.
    kept = table.holds.get(player)
    if kept is not None:
        seen.kept_seat = kept.seat
        seen.kept_until_ms = kept.deadline_ms
    if sitting is None:
        return
    seen.sits_out = sitting.away
    seen.sits_out_now = sitting.now
    seen.sits_out_at_big_blind = sitting.at_big_blind
    seen.leaves = sitting.leaving
    if sitting.protections:
        seen.protections = sitting.protections
    if sitting.top_up_to or sitting.shows_losing or sitting.straddles or sitting.runs_most:
        wanted = seen.preferences
        wanted.top_up_below = sitting.top_up_below
        wanted.top_up_to = sitting.top_up_to
        wanted.shows_losing = sitting.shows_losing
        wanted.straddles = sitting.straddles
        wanted.runs_most = sitting.runs_most


def places(table: Table) -> dict[str, int]:
    """The place of each who waits for a chair, from 1."""
    return {waiter.player: place for place, waiter in enumerate(table.waiters, 1)}


def inside(table: Table) -> frozenset[str]:
    """Who sits, has a seat reserved, has a chair kept, or waits for one."""
    players = {sitting.player for sitting in table.sittings.values()}
    players.update(held.player for held in reserved(table))
    players.update(table.holds)
    players.update(waiter.player for waiter in table.waiters)
    return frozenset(players)


def seated(table: Table) -> frozenset[str]:
    """Who sits."""
    return frozenset(sitting.player for sitting in table.sittings.values())


def last_number(table: Table, player: str) -> int:
    """Of the player's commands at this table, the highest number that was answered."""
    last = 0
    for service in (BETTING, DEALER):
        known = table.answers.get(f"{service} {player}")
        if known is not None and known.number > last:
            last = known.number
    return last


def seat_of(hand: Hand, player: str) -> Seat | None:
    """The player's seat in the hand."""
    for seat in hand.seats.values():
        if seat.player == player:
            return seat
    return None


def taken(table: Table) -> int:
    """How many seats are taken, kept, or held for money on its way."""
    return len(table.sittings) + len(reserved(table)) + len(table.holds)


def reserved(table: Table) -> list[Reservation]:
    """The seats that are held for money on its way."""
    return [one for one in table.reservations.values() if not one.top_up and not one.freed]


def table_line(table: Table) -> session_pb2.TableLine:
    """The table as the list tells it."""
    line = session_pb2.TableLine(
        table=table.id,
        taken=taken(table),
        hands=table.hands,
        closing=table.closing,
        draining=table.draining,
        waiting=len(table.waiters),
    )
    if table.settings is not None:
        line.settings.CopyFrom(_settings(terms(table.settings)))  # type: ignore[arg-type]
    return line


def _chair(table: Table, sitting: Sitting) -> session_pb2.Chair:
    stack = sitting.stack
    away = sitting.away and not in_hand(table, sitting.seat)
    if table.hand is not None:
        seat = table.hand.seats.get(sitting.seat)
        if seat is not None and seat.sitting == sitting.id:
            stack = seat.stack
    return session_pb2.Chair(
        seat=sitting.seat,
        player=sitting.player,
        stack=stack,
        behind=sitting.behind,
        away=away,
        # That he wants to is his own until he does.
        leaving=bool(sitting.leaving_why),
        line_lost=sitting.line_lost,
        bank_ms=sitting.bank_ms,
        away_since_ms=sitting.away_since_ms if away else 0,
    )


def _reserved(held: Reservation) -> session_pb2.Chair:
    return session_pb2.Chair(seat=held.seat, player=held.player, held=True)


def _kept(held: Hold) -> session_pb2.Chair:
    return session_pb2.Chair(
        seat=held.seat, player=held.player, kept=True, kept_until_ms=held.deadline_ms
    )


def _over(table: Table, seat: Seat) -> int:
    """What he has at the table and not in the hand, which a cap keeps out of it."""
    sitting = table.sittings.get(seat.seat)
    if sitting is None or sitting.id != seat.sitting:
        return 0
    return max(0, sitting.stack - seat.start)


def _hand(table: Table, hand: Hand) -> session_pb2.HandView:
    seen = session_pb2.HandView(
        hand=hand.id,
        number=hand.number,
        rulebook=hand.game.rulebook,
        variant=hand.game.variant,
        limit=hand.game.limit,
        stakes=_stakes(hand.stakes),  # type: ignore[arg-type]
        button=hand.button,
        street=hand.street,
        boards=[session_pb2.Board(cards=board) for board in hand.boards],
        seats=[
            session_pb2.Hold(
                seat=seat.seat,
                player=seat.player,
                stack=seat.stack,
                bet=seat.bet,
                folded=seat.folded,
                cards=len(seat.places),
                up=seat.up,
                shown=seat.shown,
                mucked=seat.mucked,
                bank_ms=seat.bank_ms,
                kept=seat.kept,
                over=_over(table, seat),
            )
            for seat in hand.seats.values()
        ],
        pots=[_pot(pot) for pot in hand.pots],  # type: ignore[misc]
        root=hand.root,
        bomb=hand.bomb,
    )
    turn(hand, seen.turn)
    return seen
