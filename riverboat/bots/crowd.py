"""A crowd: bots at many tables, all on one stream, playing until they have played enough.

Each bot sits down, acts on its turns, comes back when it is broke or was sat out, and finds its
seat again after every cut. It knows of its table what its own stream tells, and folds nothing.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Final

import grpc
from google.rpc.code_pb2 import RESOURCE_EXHAUSTED, UNAVAILABLE

from riverboat.bots.bot import Bot, Tally
from riverboat.bots.client import FOR_GOOD, PlayStream, Shut
from riverboat.bots.habits import Habits
from riverboat.bots.leaving import Leaving
from riverboat.bots.policy import choose
from riverboat.game.commands import Action
from riverboat.runtime.logs import facts
from riverboat.wire.v1 import commands_pb2
from riverboat.wire.v1 import session_pb2 as pb

logger = logging.getLogger(__name__)

AGAIN_S: Final = 0.5  # between two tries to get a seat

# An action by its number on the wire: the same number, under the wire's own type.
ACTIONS: Final = {action: commands_pb2.Action.Value(f"ACTION_{action.name}") for action in Action}
_ASK_AGAIN: Final = frozenset({RESOURCE_EXHAUSTED, UNAVAILABLE})
_FOR_GOOD: Final = frozenset(code.value[0] for code in FOR_GOOD)
_ACTED: Final = frozenset({"folded", "checked", "called", "raised_to", "brought_in"})

Fund = Callable[["Bot"], Awaitable[None]]


class Crowd:
    """The bots of one stream."""

    def __init__(
        self,
        channel: grpc.aio.Channel,
        bots: Sequence[Bot],
        fund: Fund,
        *,
        think_ms: tuple[int, int],
        hands: int = 0,
    ) -> None:
        """`fund` brings money to a bot's account; `hands` 0 plays on for ever."""
        self.tally = Tally()
        self.done = asyncio.Event()
        self._bots = list(bots)
        self._by_player = {bot.player: bot for bot in bots}
        self._by_index: dict[int, Bot] = {}
        self._by_table: dict[str, list[Bot]] = {}
        for bot in bots:
            self._by_table.setdefault(bot.table, []).append(bot)
        self._fund = fund
        self._think_ms = think_ms
        self._hands = hands
        self._hand: dict[str, str] = {}  # what is being played, by table
        self._closed: set[str] = set()  # tables where nobody sits down any more
        self._leaving = Leaving(self._bots)
        self._habits = Habits(self._ask)
        self._refused: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._asks = 0
        self._answers: dict[int, Callable[[pb.Answer], None]] = {}
        self._later: set[asyncio.TimerHandle] = set()
        self._funding: set[asyncio.Task[None]] = set()
        self.stream = PlayStream(
            channel, bots[0].token, heard=self._heard, began=self._began, ended=self._cut
        )
        self._on_event: dict[str, Callable[[str, Any], None]] = {
            "hand_started": self._hand_started,
            "hand_ended": self._hand_ended,
            "hand_voided": self._hand_voided,
            "player_left": self._player_left,
            "player_seated": self._player_seated,
            "sat_out": self._sat_out,
            "seat_freed": self._no_seat,
            "buy_in_returned": self._no_seat,
            "table_closing": self._table_closing,
            "game_offered": self._game_offered,
        }

    async def run(self) -> None:
        """Play until enough hands are played, or for ever; `Shut` where there is no way to."""
        playing = asyncio.ensure_future(self.stream.run())
        enough = asyncio.ensure_future(self.done.wait())
        ends: set[asyncio.Future[Any]] = {playing, enough, self._refused}
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await self._go(playing)
            enough.cancel()
        for end in (playing, self._refused):
            if end.done() and not end.cancelled() and (why := end.exception()) is not None:
                raise why

    async def _go(self, playing: asyncio.Future[None]) -> None:
        """Leave all seats, and wait a little until that is done, or else until it is sure."""
        self._leaving.begun = True
        for bot in self._bots:
            if bot.seated:
                self._leave(bot)
        self._leaving.look()
        leaving = asyncio.ensure_future(self._leaving.over())
        try:
            await asyncio.wait({leaving, playing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for work in (leaving, playing, *self._funding):
                work.cancel()
            for timer in self._later:
                timer.cancel()
            await asyncio.wait([leaving, playing])

    def _leave(self, bot: Bot) -> None:
        self._leaving.unheard.add(bot)
        if bot.index < 0:
            return  # cut: the next stream tells whether he still sits there
        self._ask(bot, partial(self._leaves, bot), leave=pb.LeaveRequest(table=bot.table))

    def _leaves(self, bot: Bot, answer: pb.Answer) -> None:
        if answer.fault.status in _ASK_AGAIN and bot.seated:
            self._after(AGAIN_S, lambda: self._leave(bot))
            return
        self._leaving.unheard.discard(bot)
        self._leaving.look()

    def _refuse(self, what: str) -> None:
        """It will not be better the next time: all of them go."""
        if not self._refused.done():
            self._refused.set_exception(Shut(what))
        self._leaving.look()

    # Asking.

    def _ask(
        self, bot: Bot, answered: Callable[[pb.Answer], None] | None = None, **what: Any
    ) -> None:
        self._asks += 1
        if answered is not None:
            self._answers[self._asks] = answered
        self.stream.ask(pb.Ask(id=self._asks, player=max(bot.index, 0), **what))

    def _after(self, seconds: float, act: Callable[[], None]) -> None:
        def ring() -> None:
            self._later.discard(timer)
            act()

        timer = asyncio.get_running_loop().call_later(seconds, ring)
        self._later.add(timer)

    def _began(self) -> None:
        """A new stream: everybody joins it and looks at his table anew."""
        for bot in self._bots[1:]:
            self._ask(bot, partial(self._joined, bot), join=pb.Join(token=bot.token))
        self._follow(self._bots[0], 0)

    def _joined(self, bot: Bot, answer: pb.Answer) -> None:
        if answer.HasField("done"):
            self._follow(bot, answer.done.player)

    def _follow(self, bot: Bot, index: int) -> None:
        bot.index = index
        self._by_index[index] = bot
        self._ask(bot, follow=pb.Follow(table=bot.table))

    def _cut(self) -> None:
        """The stream has ended: what was asked may or may not have had effect."""
        self._leaving.connected.clear()
        self._answers.clear()
        self._by_index.clear()
        for bot in self._bots:
            bot.index = -1
            bot.waiting = False
            bot.turn = ("", -1)

    def _sit(self, bot: Bot) -> None:
        if bot.seated or bot.waiting or bot.index < 0 or bot.table in self._closed:
            return
        if self._leaving.begun:
            return
        bot.waiting = True
        self._ask(
            bot,
            partial(self._sat, bot),
            sit_down=pb.SitDownRequest(table=bot.table, amount=bot.buy_in, post=True),
        )

    def _sat(self, bot: Bot, answer: pb.Answer) -> None:
        if not answer.HasField("fault"):
            return  # the seat is held; what becomes of the money is told apart
        bot.waiting = False
        if answer.fault.reason == "ALREADY_SEATED":
            self._has_seat(bot)
        elif answer.fault.status in _FOR_GOOD:
            self._refuse(f"no seat for {bot.player}: {answer.fault.reason}")
        else:
            self._after(AGAIN_S, lambda: self._sit(bot))
            self._leaving.look()

    # Hearing.

    def _heard(self, item: pb.Item) -> None:
        self._leaving.connected.set()
        kind = item.WhichOneof("item")
        if kind == "change":
            self._changed(item.change)
        elif kind == "private":
            self._private(item.private)
        elif kind == "answer":
            answered = self._answers.pop(item.answer.ask, None)
            if answered is not None:
                answered(item.answer)
        elif kind == "snapshot":
            self._snapshot(item.snapshot)

    def _snapshot(self, seen: pb.Snapshot) -> None:
        self._hand[seen.table] = seen.hand.hand
        self._habits.sees(seen)
        if seen.closing or seen.closed:
            self._closed.add(seen.table)
        chairs = {chair.player: chair for chair in seen.chairs}
        for bot in self._by_table.get(seen.table, ()):
            chair = chairs.get(bot.player)
            bot.seated = chair is not None and not chair.held
            bot.waiting = chair is not None and chair.held
            if self._leaving.begun:
                # What was asked before a cut may not have been heard.
                (self._leave if bot.seated else self._leaving.unheard.discard)(bot)
            elif chair is None:
                self._sit(bot)
            elif chair.away:
                self._ask(bot, sit_in=pb.SitInRequest(table=bot.table, post=True))
        self._leaving.look()
        if seen.HasField("choice"):
            self._game_offered(seen.table, seen.choice)

    def _changed(self, change: pb.Change) -> None:
        self._hand[change.table] = change.hand
        for event in change.events:
            kind = event.WhichOneof("event")
            if kind in _ACTED:
                self.tally.actions += 1
            elif kind in self._on_event:
                self._on_event[kind](change.table, getattr(event, kind))

    def _hand_started(self, _table: str, _event: Any) -> None:
        if not self.tally.began_s:
            self.tally.began_s = time.monotonic()
            self.tally.actions = 0

    def _hand_ended(self, table: str, event: Any) -> None:
        tally = self.tally
        tally.hands += 1
        tally.ended_s = time.monotonic()
        if tally.hands == self._hands:
            self.done.set()
        if not self._leaving.begun:
            self._habits.hand_ended(event.hand, self._by_table[table])

    def _hand_voided(self, _table: str, _event: Any) -> None:
        self.tally.voided += 1

    def _player_seated(self, _table: str, event: Any) -> None:
        bot = self._of_reservation(event.reservation)
        if bot is not None:
            self._has_seat(bot)

    def _has_seat(self, bot: Bot) -> None:
        bot.seated, bot.waiting = True, False
        if self._leaving.begun:
            self._leave(bot)
        else:
            self._habits.sits(bot)

    def _player_left(self, _table: str, event: Any) -> None:
        bot = self._by_player.get(event.player)
        if bot is not None:
            bot.seated = bot.waiting = False
            self._sit(bot)
            self._leaving.look()

    def _sat_out(self, table: str, event: Any) -> None:
        bot = self._by_player.get(event.player)
        if bot is not None and not self._leaving.begun:
            self._ask(bot, sit_in=pb.SitInRequest(table=table, post=True))

    def _no_seat(self, _table: str, event: Any) -> None:
        bot = self._of_reservation(event.reservation)
        if bot is not None and not bot.seated:
            bot.waiting = False
            self._sit(bot)
            self._leaving.look()

    def _table_closing(self, table: str, _event: Any) -> None:
        self._closed.add(table)

    def _game_offered(self, table: str, event: Any) -> None:
        """The next game is his to choose: any of them will do."""
        bot = self._by_player.get(event.player)
        if bot is None or bot.table != table:
            return
        chosen = bot.rng.choice(event.games).game_at
        request = pb.ChooseGameRequest(table=table, hand_number=event.hand_number, game_at=chosen)

        def choose_game() -> None:
            if bot.index >= 0:  # else cut in the meantime: his time will pass
                self._ask(bot, choose_game=request)

        self._once_thought(bot, choose_game)

    def _of_reservation(self, reservation: str) -> Bot | None:
        """Whose money it is: a reservation's id names its table, its player, its command."""
        _, _, rest = reservation.partition(":")
        return self._by_player.get(rest.rpartition(":")[0])

    def _private(self, seen: pb.Private) -> None:
        bot = self._by_index.get(seen.player)
        if bot is None or bot.table != seen.table:
            return
        bot.cards = len(seen.cards) or bot.cards
        if seen.not_funded:
            self._broke(bot)
        if seen.HasField("options"):
            self._turn(bot, seen)

    def _broke(self, bot: Bot) -> None:
        """The account held too little: bring money, and try again."""
        if self._leaving.begun:
            bot.waiting = False
            self._leaving.look()
            return

        async def fund() -> None:
            try:
                await self._fund(bot)
            except grpc.aio.AioRpcError as error:
                if error.code() in FOR_GOOD:
                    bot.waiting = False
                    self._refuse(f"no money for {bot.player}: {error.details()}")
                    return
                # The wallet may be away for a moment; whoever sits down without finds out again.
                logger.warning("no money for a bot", extra=facts(code=error.code().name))
                self._after(AGAIN_S, lambda: self._broke(bot))
                return
            bot.waiting = False
            self._sit(bot)
            self._leaving.look()

        task = asyncio.create_task(fund())
        self._funding.add(task)
        task.add_done_callback(self._funding.discard)

    def _turn(self, bot: Bot, seen: pb.Private) -> None:
        turn = (self._hand.get(bot.table, ""), seen.options.turn)
        if bot.turn == turn:
            return  # told again because something else at the table changed
        bot.turn = turn
        choice = choose(seen.options, bot.style, bot.rng)
        request = pb.ActRequest(
            table=bot.table,
            act=pb.ActOn(
                hand=turn[0],
                turn=seen.options.turn,
                price=seen.options.price,
                action=ACTIONS[choice.action],
                total=choice.total,
                throw=choice.throw,
            ),
        )
        self._once_thought(bot, lambda: self._act(bot, request))

    def _once_thought(self, bot: Bot, act: Callable[[], None]) -> None:
        least, most = self._think_ms
        if most:
            self._after(bot.rng.randint(least, most) / 1_000, act)
        else:
            act()

    def _act(self, bot: Bot, request: pb.ActRequest) -> None:
        if bot.index < 0:
            return  # cut in the meantime: the next stream tells whose turn it is
        began_s = time.perf_counter()

        def answered(answer: pb.Answer) -> None:
            self.tally.waits_s.append(time.perf_counter() - began_s)
            if answer.HasField("fault"):
                self.tally.refused[answer.fault.reason] += 1
                if answer.fault.status == RESOURCE_EXHAUSTED:
                    self._after(AGAIN_S, lambda: self._act(bot, request))

        self._ask(bot, answered, act=request)
