"""Lines: tells the log when a seated player's connection is gone, and when one stands again.

Each stream is a line with an id that is unique in the network, so that an old one that ends late
cannot end a newer one. What a lost line means for the player is the dealer's to decide.
"""

from __future__ import annotations

from collections.abc import Iterable

from riverboat.game.commands import Command, LoseLine, RegainLine
from riverboat.game.ids import connection_id
from riverboat.game.table.seats import lines_of, sitting_of
from riverboat.game.table.state import Table
from services.session.desk import Desk, Outcome
from services.session.hall import Hall
from services.session.stream import Stream


class Lines:
    """The lines of one session."""

    def __init__(self, desk: Desk, hall: Hall, instance: str) -> None:
        self._desk = desk
        self._hall = hall
        self._instance = instance
        # The line last told of each player here: the table may not show it yet.
        self._told: dict[tuple[str, str], str] = {}
        hall.seated = self.seated
        hall.line_lost = self.taken_for_dead

    def name(self, call_id: str) -> str:
        """The id of the line that this call is."""
        return connection_id(self._instance, call_id)

    def stands(self, table: Table, player: str, stream: Stream) -> None:
        """The player looks here over this stream: if he sits or waits here, it is his line now."""
        held = _held(table, player)
        if held is not None and (held[1] or held[0] != stream.connection):
            self._stands(table.id, player, stream.connection)

    def seated(self, table: Table, player: str) -> None:
        """The player got a seat: his newest stream is his line."""
        streams = self._hall.streams_of(table.id, player)
        if streams and all(_line_of(table, player) != stream.connection for stream in streams):
            self.stands(table, player, streams[-1])

    def taken_for_dead(self, table: Table, player: str) -> None:
        """The player's line was given up because this process was silent: is it there after all?"""
        streams = self._hall.streams_of(table.id, player)
        if streams:
            self.stands(table, player, streams[-1])

    def sits_down(self, table: str, player: str) -> str:
        """The line over which the player asks for a seat; empty if he does not look at the table.

        Then his line is told when he sits there and looks: see `seated` and `stands`.
        """
        newest = self._newest(table, player)
        if newest:
            self._told[table, player] = newest
        return newest

    def gone(self, table: Table, player: str, connection: str, *, gateway: bool) -> None:
        """This line of the player has ended; another one that he has here takes its place."""
        told = self._told.get((table.id, player), "")
        if connection not in (told, _line_of(table, player)):
            return
        self._told.pop((table.id, player), None)
        other = self._newest(table.id, player)
        if other:
            self._stands(table.id, player, other)
        else:
            self._say(table.id, player, LoseLine(connection, gateway))

    def hidden(self, table: str, player: str) -> None:
        """The player may not look there any more: he has nothing there that hangs on a line."""
        self._told.pop((table, player), None)

    def begin(self, tables: Iterable[Table]) -> None:
        """After a start: the lines of the process that bore this name before are gone with it."""
        for table in tables:
            for player, line in lines_of(table, (self._instance,)):
                self._say(table.id, player, LoseLine(line, True))

    def _newest(self, table: str, player: str) -> str:
        streams = self._hall.streams_of(table, player)
        return streams[-1].connection if streams else ""

    def _stands(self, table: str, player: str, connection: str) -> None:
        self._told[table, player] = connection
        self._say(table, player, RegainLine(connection))

    def _say(self, table: str, player: str, command: Command) -> None:
        self._desk.ask(table, player, command, 0, _unheard)


def _unheard(_outcome: Outcome) -> None:
    """Nobody waits: a line that is refused is one that no longer matters."""


def _held(table: Table, player: str) -> tuple[str, bool] | None:
    """The line that what he has here hangs on, and whether it is lost; None: he has nothing."""
    sitting = sitting_of(table, player)
    if sitting is not None:
        return sitting.line, sitting.line_lost
    for reserved in table.reservations.values():
        if reserved.player == player and not reserved.freed:
            return reserved.connection, reserved.line_lost
    hold = table.holds.get(player)
    if hold is not None:
        return hold.connection, False
    return next(((one.connection, False) for one in table.waiters if one.player == player), None)


def _line_of(table: Table, player: str) -> str:
    held = _held(table, player)
    return "" if held is None else held[0]
