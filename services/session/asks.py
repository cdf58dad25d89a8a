"""Asks: each request that becomes a command, and the command that it becomes.

The word of a private table goes in and its digest comes out. Nothing here knows whether a table
takes the command.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from google.protobuf.message import Message

from riverboat.game.commands import (
    Act,
    Action,
    ChooseGame,
    Command,
    HoldSeat,
    JoinList,
    Leave,
    LeaveList,
    ReleaseSeat,
    SetPreferences,
    ShowCards,
    SitDown,
    SitIn,
    SitOut,
    TopUp,
)
from riverboat.game.table.events import Preferences
from riverboat.runtime.codes import code_digest
from riverboat.wire.v1 import seats_pb2
from riverboat.wire.v1 import session_pb2 as pb

Line = Callable[[str], str]  # the line over which the player asks for a seat at this table


def command_of(request: Any, line: Line) -> Command:
    """The command that this request asks for."""
    return _COMMANDS[type(request)](request, line)


def _act(request: pb.ActRequest, _line: Line) -> Command:
    act = request.act
    return Act(act.hand, act.turn, act.price, Action(act.action), act.total, tuple(act.throw))


def _sit_down(request: pb.SitDownRequest, line: Line) -> Command:
    table = request.table
    word = code_digest(table, request.code)
    return SitDown(request.seat, request.amount, request.post, line(table), word)


def _hold_seat(request: seats_pb2.HoldSeatRequest, line: Line) -> Command:
    table = request.table
    return HoldSeat(request.seat, line(table), code_digest(table, request.code))


def _join_list(request: seats_pb2.JoinListRequest, line: Line) -> Command:
    table = request.table
    return JoinList(line(table), code_digest(table, request.code))


def _set_preferences(request: seats_pb2.SetPreferencesRequest, _line: Line) -> Command:
    return SetPreferences(
        Preferences(
            request.top_up_below,
            request.top_up_to,
            request.shows_losing,
            request.straddles,
            request.runs_most,
        )
    )


_COMMANDS: Final[dict[type[Message], Callable[[Any, Line], Command]]] = {
    pb.ActRequest: _act,
    pb.SitDownRequest: _sit_down,
    pb.TopUpRequest: lambda request, _: TopUp(request.amount),
    pb.SitOutRequest: lambda request, _: SitOut(request.now, request.at_big_blind),
    pb.SitInRequest: lambda request, _: SitIn(request.post),
    pb.ChooseGameRequest: lambda request, _: ChooseGame(request.hand_number, request.game_at),
    pb.LeaveRequest: lambda _request, _line: Leave(),
    seats_pb2.HoldSeatRequest: _hold_seat,
    seats_pb2.ReleaseSeatRequest: lambda _request, _line: ReleaseSeat(),
    seats_pb2.JoinListRequest: _join_list,
    seats_pb2.LeaveListRequest: lambda _request, _line: LeaveList(),
    seats_pb2.SetPreferencesRequest: _set_preferences,
    seats_pb2.ShowCardsRequest: lambda request, _: ShowCards(request.hand, tuple(request.at)),
}
