"""Entry: who may come to a table, and to which chair.

The guards that sitting down, holding a chair and waiting for one share. Looks and tells; changes
nothing.
"""

from __future__ import annotations

from hmac import compare_digest

from riverboat.game.commands import Asked, SitDown
from riverboat.game.ids import reservation_id
from riverboat.game.refusals import Refusal, TableCode
from riverboat.game.table.besides import AMOUNT_MOST
from riverboat.game.table.events import SeatReserved, Settings
from riverboat.game.table.given import Decision, Given
from riverboat.game.table.seats import chairs, free_seat, is_taken, reservation_of, sitting_of
from riverboat.game.table.settings import buy_in_bounds
from riverboat.game.table.state import Table


def sit_down(table: Table, asked: Asked, command: SitDown, given: Given) -> Decision:
    """A seat is held, and the wallet is asked for the money. [ARCHITECTURE 5]"""
    assert table.settings is not None, "asked only of a table that was opened"
    barred = why_barred(table, asked.player, command.code_digest)
    if barred is not None:
        return barred
    seat = chair_for(table, asked.player, command.seat)
    if isinstance(seat, Refusal):
        return seat
    least, most = buy_in_bounds(table.settings)
    if command.amount < least:
        return Refusal(TableCode.BELOW_LEAST_BUY_IN, least=least)
    # Who left the game with more comes back with that, and the wallet alone knows who did: with
    # the greatest buy-in it is asked whether he may bring more. [RULES 4, buy-in]
    bound = AMOUNT_MOST if table.settings.south_ms else most or AMOUNT_MOST
    if command.amount > bound:
        return Refusal(TableCode.ABOVE_MOST_BUY_IN, most=bound)
    if given.ledger_away:
        # Nobody is kept waiting for money of which nobody can say when it comes.
        return Refusal(TableCode.LEDGER_AWAY)
    return (
        SeatReserved(
            reservation_id(table.id, asked.player, asked.number, given.offset),
            asked.player,
            seat,
            command.amount,
            "",
            given.now_ms + table.settings.reserve_ms,
            command.connection,
            command.post,
            most,
        ),
    )


def why_barred(table: Table, player: str, code_digest: bytes) -> Refusal | None:
    """Why the player may not come to this table, whatever chair is free."""
    settings = table.settings
    assert settings is not None, "asked only of a table that was opened"
    if table.closing:
        return Refusal(TableCode.TABLE_CLOSING)
    sitting = sitting_of(table, player)
    if sitting is not None:
        return Refusal(TableCode.ALREADY_SEATED, seat=sitting.seat)
    if reservation_of(table, player) is not None:
        return Refusal(TableCode.ALREADY_RESERVED)
    if table.draining:
        return Refusal(TableCode.TABLE_DRAINING)
    if not is_invited(settings, player):
        return Refusal(TableCode.NOT_INVITED)
    # Takes as long for every word, so that nobody finds it letter by letter.
    if settings.code_digest and not compare_digest(settings.code_digest, code_digest):
        return Refusal(TableCode.WRONG_CODE)
    if is_kept_apart(table, settings, player):
        return Refusal(TableCode.KEPT_APART)
    return None


def chair_for(table: Table, player: str, wanted: int) -> int | Refusal:
    """The chair that he gets; `wanted` is 0 where any will do."""
    if not 0 <= wanted <= chairs(table):
        return Refusal(TableCode.NO_SUCH_SEAT, seats=chairs(table))
    hold = table.holds.get(player)
    if hold is not None and wanted in (0, hold.seat):
        return hold.seat
    if wanted and is_taken(table, wanted):
        return Refusal(TableCode.SEAT_TAKEN, seat=wanted)
    seat = wanted or free_seat(table)
    if seat is None:
        return Refusal(TableCode.TABLE_FULL)
    if table.waiters:
        return Refusal(TableCode.OTHERS_WAIT)
    return seat


def is_invited(settings: Settings, player: str) -> bool:
    """Whether the options let him come: where they name nobody, they let everybody."""
    return not settings.invited or player in settings.invited


def is_kept_apart(table: Table, settings: Settings, player: str) -> bool:
    """Whether somebody has a chair here with whom he may not sit."""
    if not settings.apart:
        return False
    here = {sitting.player for sitting in table.sittings.values()}
    here |= {held.player for held in table.reservations.values() if not held.freed}
    here |= table.holds.keys()
    here.discard(player)
    return any(
        player in group.players and not here.isdisjoint(group.players) for group in settings.apart
    )
