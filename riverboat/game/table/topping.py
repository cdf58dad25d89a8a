"""Topping up: chips that are added to a stack, because the player asks or has asked for good.

They come from the account like a buy-in, and play from the next hand on. [RULES 4, field] Nothing
here is done twice: while one top-up is on its way there is no other.
"""

from __future__ import annotations

from riverboat.game.commands import Asked, TopUp
from riverboat.game.ids import reservation_id, top_up_id
from riverboat.game.refusals import Refusal, TableCode
from riverboat.game.table.besides import AMOUNT_MOST
from riverboat.game.table.events import SeatReserved, Settings
from riverboat.game.table.given import Decision, Given
from riverboat.game.table.seats import reservation_of, sitting_of
from riverboat.game.table.settings import buy_in_bounds
from riverboat.game.table.state import Sitting, Table

ID_BYTES = 8


def top_up(table: Table, asked: Asked, command: TopUp, given: Given) -> Decision:
    """Chips are asked for; they play from the next hand on. [RULES 4, field]"""
    assert table.settings is not None, "asked only of a table that was opened"
    sitting = sitting_of(table, asked.player)
    if sitting is None:
        return Refusal(TableCode.NOT_SEATED)
    if table.closing:
        return Refusal(TableCode.TABLE_CLOSING)
    if sitting.leaving:
        return Refusal(TableCode.LEAVING)
    if reservation_of(table, asked.player) is not None:
        return Refusal(TableCode.ALREADY_RESERVED)
    if command.amount < 1:
        return Refusal(TableCode.BELOW_LEAST_BUY_IN, least=1)
    # In a hand he counts for what he had at its start: he may still have it, or more, at its end.
    room = _most(table.settings) - sitting.stack - sitting.behind
    if command.amount > room:
        return Refusal(TableCode.ABOVE_MOST_BUY_IN, most=max(room, 0))
    if given.ledger_away:
        return Refusal(TableCode.LEDGER_AWAY)
    name = reservation_id(table.id, asked.player, asked.number, given.offset)
    return (_asked_for(sitting, name, command.amount, table.settings, given),)


def gap(table: Table, settings: Settings, sitting: Sitting) -> int:
    """The chips that he wants to have added now, by his preferences; 0 where he wants none."""
    if not settings.auto_top_up or not sitting.top_up_to:
        return 0
    if table.closing or sitting.leaving or sitting.away:
        return 0
    has = sitting.stack + sitting.behind
    if has >= sitting.top_up_below or reservation_of(table, sitting.player) is not None:
        return 0
    # The greatest buy-in may have become less since he said so.
    return max(min(sitting.top_up_to, _most(settings)) - has, 0)


def gaps(table: Table, settings: Settings) -> list[Sitting]:
    """Those whose stacks are to be filled up, between hands."""
    if not settings.auto_top_up:
        return []
    return [each for _, each in sorted(table.sittings.items()) if gap(table, settings, each)]


def duty(table: Table, settings: Settings, given: Given) -> list[SeatReserved]:
    """The top-ups that are due."""
    return [
        _asked_for(
            sitting,
            # By chance: what was lost with its log and is decided anew is another top-up.
            top_up_id(table.id, sitting.player, given.entropy(ID_BYTES)),
            gap(table, settings, sitting),
            settings,
            given,
        )
        for sitting in gaps(table, settings)
    ]


def _asked_for(
    sitting: Sitting, name: str, amount: int, settings: Settings, given: Given
) -> SeatReserved:
    deadline_ms = given.now_ms + settings.reserve_ms
    return SeatReserved(
        name, sitting.player, sitting.seat, amount, sitting.id, deadline_ms, sitting.line, False
    )


def _most(settings: Settings) -> int:
    return buy_in_bounds(settings)[1] or AMOUNT_MOST
