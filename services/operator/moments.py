"""Moments: a table as it stood, in the words of the wire, and what each seat could see of it.

Everybody sees what lies open; each player his own cards besides. The private ones are told only
where whoever asks may have them. Reads nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from riverboat.game.hand.sight import own_cards
from riverboat.game.hand.state import Hand, Seat
from riverboat.game.table.given import OpenDeck
from riverboat.game.table.state import Table
from riverboat.wire.record import CODEC
from riverboat.wire.v1 import operator_pb2 as pb
from riverboat.wire.v1 import table_events_pb2

Open = Callable[[str, Hand], OpenDeck]


def moment(table: Table, newest: int, open_deck: Open | None) -> pb.LookUpTableResponse:
    """The table as it stood; with `open_deck`, all private cards of its hand."""
    told = pb.LookUpTableResponse(
        table=table.id,
        version=table.version,
        newest=newest,
        time_ms=table.time_ms,
        seats=seats(table, open_deck),
        hands=table.hands,
        closing=table.closing,
        closed=table.closed,
        draining=table.draining,
        paused=table.paused,
        bought_in=table.bought_in,
        cashed_out=table.cashed_out,
        raked=table.raked,
    )
    if table.settings is not None:
        settings = CODEC.encoder(type(table.settings))(table.settings)
        assert isinstance(settings, table_events_pb2.Settings), "a value's message has its name"
        told.settings.CopyFrom(settings)
    hand = table.hand
    if hand is not None:
        told.hand.CopyFrom(
            pb.HandThen(
                hand=hand.id,
                button=hand.button,
                boards=[pb.BoardThen(cards=board) for board in hand.boards],
                pot=hand.pot,
                price=hand.price,
                turn_seat=hand.turn,
                turn=hand.turn_number,
                deadline_ms=hand.deadline_ms,
            )
        )
    return told


def seats(table: Table, open_deck: Open | None) -> Iterator[pb.SeatThen]:
    """The taken chairs by number, and the seats of a hand whose players have left."""
    hand = table.hand
    deck = None if hand is None or open_deck is None else open_deck(table.id, hand)
    dealt = {} if hand is None else hand.seats
    for number in sorted(table.sittings.keys() | dealt.keys()):
        told = pb.SeatThen(seat=number)
        sitting = table.sittings.get(number)
        if sitting is not None:
            told.player, told.sitting = sitting.player, sitting.id
            told.stack, told.behind = sitting.stack, sitting.behind
            told.away, told.line_lost = sitting.away, sitting.line_lost
            told.leaving, told.protections = sitting.leaving, sitting.protections
        if number in dealt:
            assert hand is not None, "who was dealt in is in a hand"
            _in_hand(told, hand, dealt[number], deck)
        yield told


def _in_hand(told: pb.SeatThen, hand: Hand, seat: Seat, deck: OpenDeck | None) -> None:
    told.player, told.sitting, told.in_hand = seat.player, seat.sitting, True
    told.stack, told.bet, told.put = seat.stack + seat.kept, seat.bet, seat.put
    told.folded, told.all_in = seat.folded, seat.all_in
    told.held = len(seat.places)
    told.open.extend(seat.shown or seat.up)
    if deck is not None:
        told.own.extend(own_cards(hand, seat.seat, deck))
