"""Betting at a table: players' acts, turns that run out, and players who have left.

What an act makes of the hand stands in `riverboat/game/hand/bet.py`; here stands what only the
table knows: whether a hand is being played, who has left, whose line stands. Deals and judges
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from riverboat.game.commands import Act, Asked
from riverboat.game.hand import bet
from riverboat.game.hand.state import NOBODY, Baton, Hand
from riverboat.game.refusals import HandCode, Refusal
from riverboat.game.table.besides import PLAY
from riverboat.game.table.dealing import extension
from riverboat.game.table.events import Event, Settings
from riverboat.game.table.given import Alarm, Decision, Given
from riverboat.game.table.seats import gives_up
from riverboat.game.table.state import Table


def act(table: Table, asked: Asked, command: Act) -> Decision:
    """What comes of a player's act."""
    if table.hand is None:
        return Refusal(HandCode.NO_HAND)
    return bet.act(table.hand, asked.player, command)


def duty(table: Table, _given: Given) -> Sequence[Event] | None:
    """What the turn brings of a player for whose clock nobody waits.

    Who is leaving folds. Who sits out at once checks where that is free, and else folds.
    """
    hand = _on_turn(table)
    if hand is None or not _is_given_up(table, hand):
        return None
    sitting = table.sittings[hand.turn]
    return bet.leave(hand) if sitting.leaving and not sitting.leaving_why else bet.give_way(hand)


def alarm(table: Table) -> Alarm | None:
    """The clock of the player on turn; it stands while the table waits."""
    hand = _on_turn(table)
    if hand is None or table.paused:
        return None
    return Alarm(hand.deadline_ms, ("turn", hand.id, hand.turn_number), True)


def ring(table: Table, _rung: Alarm, given: Given) -> Sequence[Event] | None:
    """His clock ran out: it is enforced, or extended when an outage took it; or his line is lost,
    and he is protected.

    Past the grace it is neither: the dealer calls the hand off.
    """
    hand = _on_turn(table)
    assert hand is not None, "a clock of betting runs on a turn"
    assert table.settings is not None, "hands are played at tables that were opened"
    if given.now_ms >= hand.deadline_ms + table.settings.grace_ms:
        return None
    extended = extension(table, hand, given.now_ms)
    if extended is not None:
        return [extended]
    if _is_protected(table, table.settings, hand):
        return bet.protect(hand)
    return bet.time_out(hand, connected=not table.sittings[hand.turn].line_lost)


def overdue(table: Table) -> int | None:
    """When the clock of the player on turn runs out, if it is his turn to bet."""
    hand = _on_turn(table)
    if hand is None:
        return None
    if _is_given_up(table, hand):
        return hand.since_ms
    return None if table.paused else hand.deadline_ms


def _is_protected(table: Table, settings: Settings, hand: Hand) -> bool:
    """Whether the player on turn has lost his line and has a protection left.

    "Only at real-money cash tables": at others the wallet grants none. [RULES 7]
    """
    sitting = table.sittings[hand.turn]
    return sitting.line_lost and sitting.protections > 0 and settings.currency != PLAY


def _is_given_up(table: Table, hand: Hand) -> bool:
    return gives_up(table.sittings[hand.turn])


def _on_turn(table: Table) -> Hand | None:
    hand = table.hand
    if hand is None or hand.baton is not Baton.BETTING or hand.turn == NOBODY:
        return None
    return hand
