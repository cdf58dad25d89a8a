"""The session's calls: messages in; answers, snapshots and changes out.

A player acts for himself alone: who asks is who the token names, and no request names another.
Nothing here knows what a command does, and nothing here is told before it is safe in the log.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from functools import partial
from itertools import islice
from typing import Any, Final, TypeVar

from riverboat.game.table.state import Table
from riverboat.runtime import errors
from riverboat.runtime.calls import Call, checks_parts
from riverboat.runtime.checks import checker
from riverboat.runtime.errors import BadInput, Fault
from riverboat.wire.v1 import chat_pb2 as chat
from riverboat.wire.v1 import seats_pb2 as seats
from riverboat.wire.v1 import session_pb2 as pb
from riverboat.wire.v1.access_pb2 import Role, bounds
from services.session import frames
from services.session.asks import Line, command_of
from services.session.desk import Done, Outcome, no_table
from services.session.floor import Floor
from services.session.onlookers import NO_PLAYER, may_look, sees_at_once
from services.session.stream import Stream

PLAYERS_MOST: Final = 1_024  # of one stream
LISTED: Final = 100
ASKS_MOST: Final = (
    pb.PlayRequest.DESCRIPTOR.fields_by_name["asks"].GetOptions().Extensions[bounds].entries
)

_check = checker(pb.Ask.DESCRIPTOR)
_R = TypeVar("_R")


class Session:
    """Handles `SessionService`."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._speaking: set[asyncio.Task[None]] = set()

    # One stream for everything.

    @checks_parts
    async def play(
        self, requests: AsyncIterator[pb.PlayRequest], call: Call
    ) -> AsyncIterator[bytes | Fault]:
        """Asks up; answers, snapshots and changes down."""
        stream = self._open(call)
        reading = asyncio.create_task(self._read(stream, requests))
        try:
            while (message := await stream.take()) is not None:
                yield message
            # Ended by what was asked: for a bad request the gate tells it, and for one of ours too.
            wrong = await reading
            if wrong is not None:
                yield wrong
        finally:
            reading.cancel()
            self._floor.leave(stream)

    async def _read(self, stream: Stream, requests: AsyncIterator[pb.PlayRequest]) -> Fault | None:
        """Take asks until the client ends; what makes the whole stream end, if something does."""
        try:
            async for request in requests:
                if not 0 < len(request.asks) <= ASKS_MOST:
                    stream.end()
                    return errors.bad_input(BadInput("asks", f"must have 1 to {ASKS_MOST} entries"))
                for ask in request.asks:
                    self._take(stream, ask)
        except BaseException:
            stream.end()
            raise
        stream.heard_all = True
        stream.end_if_done()
        return None

    def _take(self, stream: Stream, ask: pb.Ask) -> None:
        """Take one ask; its answer goes down the stream."""
        tell = partial(_answer, stream, ask.id)
        stream.asked += 1
        wrong = _check(ask)
        if wrong:
            tell(errors.bad_input(*wrong))
            return
        if ask.player >= len(stream.players):
            tell(errors.bad_input(BadInput("player", "must have joined this stream")))
            return
        caller = stream.players[ask.player]
        limited = self._floor.admit(caller)
        if limited is not None:
            tell(limited)
            return
        kind = ask.WhichOneof("ask")
        assert kind is not None, "an ask without one does not pass its check"
        if kind == "join":
            tell(self._join(stream, ask.join))
        elif kind == "follow":
            self._follow(stream, ask.player, ask.follow, tell)
        elif kind == "unfollow":
            self._floor.unfollow(stream, ask.player, ask.unfollow.table)
            tell(Done(0, 0))
        elif kind == "say":
            self._speak(self._floor.say(caller, ask.say), tell)
        elif kind == "mute":
            self._speak(self._floor.mute(caller, ask.mute), tell)
        elif kind == "pre_act":
            kept = self._floor.pre_act(caller.id, ask.pre_act)
            tell(Done(0, 0) if kept is None else kept)
        else:
            request = getattr(ask, kind)
            command = command_of(request, self._line(caller.id))
            self._floor.desk.ask(request.table, caller.id, command, request.number, tell)

    def _join(self, stream: Stream, join: pb.Join) -> Fault | int:
        caller = self._floor.identify(join.token)
        if isinstance(caller, Fault):
            return caller
        if Role.ROLE_PLAYER not in caller.roles:
            return errors.denied("ROLE_MISSING", "only for the role player")
        for index, known in enumerate(stream.players):
            if known.id == caller.id:
                stream.players[index] = caller  # a newer token of the same player
                return index
        if len(stream.players) >= PLAYERS_MOST:
            return errors.exhausted("TOO_MANY_PLAYERS", "open another stream", 0)
        stream.players.append(caller)
        self._floor.joined(stream)
        return len(stream.players) - 1

    def _speak(
        self, speaking: Coroutine[Any, Any, Fault | None], tell: Callable[[Outcome], None]
    ) -> None:
        """Answered when it is safe in the log; what is asked meanwhile is not held up."""

        async def speak() -> None:
            tell(await speaking or Done(0, 0))

        task = asyncio.create_task(speak())
        self._speaking.add(task)
        task.add_done_callback(self._speaking.discard)

    def _follow(
        self, stream: Stream, index: int, follow: pb.Follow, tell: Callable[[Outcome], None]
    ) -> None:
        table = self._table(follow.table)
        if isinstance(table, Fault):
            tell(table)
            return
        caller = stream.players[index]
        if not may_look(table, caller.id, caller.roles):
            tell(_not_shown())
            return
        self._floor.follow(stream, index, table, follow.seen)
        # Answered behind the snapshot; who sees the table later learns its version with the rest.
        version = table.version if sees_at_once(table, caller.id) else 0
        self._floor.hall.after(partial(tell, Done(version, 0)))

    # For browsers: a stream down, and calls.

    async def watch(
        self, request: pb.WatchRequest, call: Call
    ) -> AsyncIterator[bytes | Fault | BadInput]:
        """Snapshots and changes of these tables."""
        tables = []
        index = 0 if Role.ROLE_PLAYER in call.caller.roles else NO_PLAYER
        for place, follow in enumerate(request.tables):
            table = self._table(follow.table)
            if isinstance(table, Fault):
                yield _below(f"tables[{place}]", table)
                return
            if not may_look(table, "" if index == NO_PLAYER else call.caller.id, call.caller.roles):
                yield _not_shown()
                return
            tables.append((table, follow.seen))
        stream = self._open(call)
        try:
            for table, seen in tables:
                self._floor.follow(stream, index, table, seen)
            while (message := await stream.take()) is not None:
                yield message
        finally:
            self._floor.leave(stream)

    async def act(self, request: pb.ActRequest, call: Call) -> pb.ActResponse | Fault:
        """Act on one's turn."""
        return await self._ask(request, call, pb.ActResponse)

    async def sit_down(self, request: pb.SitDownRequest, call: Call) -> pb.SitDownResponse | Fault:
        """Take a seat."""
        return await self._ask(request, call, pb.SitDownResponse)

    async def top_up(self, request: pb.TopUpRequest, call: Call) -> pb.TopUpResponse | Fault:
        """Add chips."""
        return await self._ask(request, call, pb.TopUpResponse)

    async def sit_out(self, request: pb.SitOutRequest, call: Call) -> pb.SitOutResponse | Fault:
        """Be dealt no cards."""
        return await self._ask(request, call, pb.SitOutResponse)

    async def sit_in(self, request: pb.SitInRequest, call: Call) -> pb.SitInResponse | Fault:
        """Be dealt in again."""
        return await self._ask(request, call, pb.SitInResponse)

    async def choose_game(
        self, request: pb.ChooseGameRequest, call: Call
    ) -> pb.ChooseGameResponse | Fault:
        """Choose the next game."""
        return await self._ask(request, call, pb.ChooseGameResponse)

    async def leave(self, request: pb.LeaveRequest, call: Call) -> pb.LeaveResponse | Fault:
        """Take one's chips and go."""
        return await self._ask(request, call, pb.LeaveResponse)

    async def hold_seat(
        self, request: seats.HoldSeatRequest, call: Call
    ) -> seats.HoldSeatResponse | Fault:
        """Have a chair kept."""
        return await self._ask(request, call, seats.HoldSeatResponse)

    async def release_seat(
        self, request: seats.ReleaseSeatRequest, call: Call
    ) -> seats.ReleaseSeatResponse | Fault:
        """Give it up again."""
        return await self._ask(request, call, seats.ReleaseSeatResponse)

    async def join_list(
        self, request: seats.JoinListRequest, call: Call
    ) -> seats.JoinListResponse | Fault:
        """Wait for a chair."""
        return await self._ask(request, call, seats.JoinListResponse)

    async def leave_list(
        self, request: seats.LeaveListRequest, call: Call
    ) -> seats.LeaveListResponse | Fault:
        """Wait no longer."""
        return await self._ask(request, call, seats.LeaveListResponse)

    async def set_preferences(
        self, request: seats.SetPreferencesRequest, call: Call
    ) -> seats.SetPreferencesResponse | Fault:
        """Say what one wants at the table."""
        return await self._ask(request, call, seats.SetPreferencesResponse)

    async def show_cards(
        self, request: seats.ShowCardsRequest, call: Call
    ) -> seats.ShowCardsResponse | Fault:
        """Show cards of the hand that is over."""
        return await self._ask(request, call, seats.ShowCardsResponse)

    async def pre_act(
        self, request: seats.PreActRequest, call: Call
    ) -> seats.PreActResponse | Fault:
        """Have something done on one's next turn."""
        return self._floor.pre_act(call.caller.id, request) or seats.PreActResponse()

    async def say(self, request: chat.SayRequest, call: Call) -> chat.SayResponse | Fault:
        """Say something at a table."""
        return await self._floor.say(call.caller, request) or chat.SayResponse()

    async def mute(self, request: chat.MuteRequest, call: Call) -> chat.MuteResponse | Fault:
        """Hear a player no longer, or again."""
        return await self._floor.mute(call.caller, request) or chat.MuteResponse()

    async def silence(
        self, _request: chat.SilenceRequest, _call: Call
    ) -> chat.SilenceResponse | Fault:
        """Tell who asks for it here that it is a measure, which is kept."""
        message = "to silence a player is a measure: see OperatorService.Take"
        return Fault(errors.FAILED_PRECONDITION, "IS_A_MEASURE", message)

    async def list_tables(
        self, request: pb.ListTablesRequest, _call: Call
    ) -> pb.ListTablesResponse:
        """The tables that stand."""
        most = request.most or LISTED
        finds = self._floor.hall.listing.finds
        tables = sorted(self._floor.tables(), key=lambda table: table.id)
        lines = (line for table in tables if (line := finds(table, request)) is not None)
        found = list(islice(lines, most + 1))
        return pb.ListTablesResponse(tables=found[:most], more=len(found) > most)

    async def _ask(self, request: Any, call: Call, response: Callable[..., _R]) -> _R | Fault:
        player = call.caller.id
        command = command_of(request, self._line(player))
        told: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()

        def tell(outcome: Outcome) -> None:
            # Whoever asked may have gone since.
            if not told.done():
                told.set_result(outcome)

        self._floor.desk.ask(request.table, player, command, request.number, tell)
        outcome = await told
        if isinstance(outcome, Fault):
            return outcome
        return response(version=outcome.version, number=outcome.number)

    def _line(self, player: str) -> Line:
        return lambda table: self._floor.lines.sits_down(table, player)

    def _open(self, call: Call) -> Stream:
        stream = Stream(call, self._floor.lines.name(call.id))
        stream.players.append(call.caller)
        self._floor.open(stream)
        return stream

    def _table(self, name: str) -> Table | Fault:
        table = self._floor.find(name)
        if table is not None and table.settings is not None:
            return table
        return no_table(name)


def _answer(stream: Stream, ask: int, outcome: Outcome | int) -> None:
    # Filled in place: constructors, and messages copied into others, cost twice as much.
    answer = pb.Answer()
    answer.ask = ask
    if isinstance(outcome, Fault):
        answer.fault.CopyFrom(errors.to_message(outcome))
    elif isinstance(outcome, int):
        answer.done.SetInParent()
        answer.done.player = outcome
    else:
        done = answer.done
        done.SetInParent()
        done.version, done.number = outcome
    stream.push(frames.answer(answer))
    stream.asked -= 1
    stream.end_if_done()


def _below(where: str, fault: Fault) -> Fault:
    """The fault, its fields named from the request that holds the part at fault."""
    if not fault.fields:
        return fault
    fields = [BadInput(f"{where}.{one.field}", one.reason) for one in fault.fields]
    return errors.bad_input(*fields)


def _not_shown() -> Fault:
    return errors.denied("CLOSED_TO_VIEW", "only for who sits, has a chair kept or waits there")
