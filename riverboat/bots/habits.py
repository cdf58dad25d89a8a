"""Habits: what bots do besides acting, now and then: they wish, sit out, and show what they held.

So that a network under bots meets what people do. It asks and hears no answer: what is refused
matters to nobody.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Protocol

from riverboat.bots.bot import Bot
from riverboat.wire.v1 import seats_pb2
from riverboat.wire.v1 import session_pb2 as pb

# How many bots of a table want something there, and how often one sits out or shows his cards:
# one in so many. A bot that sits out comes back as soon as it is out.
WISHES: Final = 3
OUTS: Final = 200
SHOWS: Final = 50


class Ask(Protocol):
    """How a bot asks."""

    def __call__(self, bot: Bot, answered: None = None, **what: Any) -> None: ...


class Habits:
    """The habits of one crowd."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._settings: dict[str, Any] = {}  # as the tables' snapshots tell them

    def sees(self, seen: pb.Snapshot) -> None:
        """This is what the table has."""
        self._settings[seen.table] = seen.settings

    def sits(self, bot: Bot) -> None:
        """He has a seat: some want something there."""
        settings = self._settings.get(bot.table)
        if settings is None or bot.rng.randrange(WISHES):
            return
        chance = bot.rng.random
        wanted = seats_pb2.SetPreferencesRequest(
            table=bot.table,
            shows_losing=chance() < 0.5,
            straddles=settings.straddles_asked and chance() < 0.5,
            runs_most=settings.runs if settings.runs_asked and chance() < 0.7 else 0,
        )
        if settings.auto_top_up:
            wanted.top_up_to = bot.buy_in
            wanted.top_up_below = bot.rng.randint(1, bot.buy_in)
        self._ask(bot, set_preferences=wanted)

    def hand_ended(self, hand: str, bots: Iterable[Bot]) -> None:
        """A hand is over: now and then one sits out, or shows what he held."""
        for bot in bots:
            if not bot.seated or bot.index < 0:
                continue
            if not bot.rng.randrange(OUTS):
                kind = bot.rng.randrange(3)
                request = pb.SitOutRequest(table=bot.table, now=kind == 1, at_big_blind=kind == 2)
                self._ask(bot, sit_out=request)
            # Where the next hand follows at once there is no time to show anything.
            settings = self._settings.get(bot.table)
            pauses = settings is not None and settings.pause_ms
            if bot.cards and pauses and not bot.rng.randrange(SHOWS):
                at = range(bot.rng.randint(1, bot.cards))
                shown = seats_pb2.ShowCardsRequest(table=bot.table, hand=hand, at=at)
                self._ask(bot, show_cards=shown)
            bot.cards = 0
