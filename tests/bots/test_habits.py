"""What bots do besides acting: seen with many dice, and at a real table."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

from riverboat.bots.bot import Bot, style_of
from riverboat.bots.habits import OUTS, SHOWS, Habits
from riverboat.game.record import Record
from riverboat.game.table.events import CardsShown, PreferencesSet, SatIn, SatOut
from riverboat.game.table.state import Table
from riverboat.log import log
from riverboat.wire.v1 import session_pb2 as pb
from riverboat.wire.v1 import table_events_pb2
from tests.cli.house import network

HANDS = 10 * OUTS


class Heard:
    """What was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Any]] = []

    def __call__(self, bot: Bot, answered: None = None, **what: Any) -> None:
        self.asked += what.items()


def a_bot(number: int = 0) -> Bot:
    rng = random.Random(number)
    return Bot(f"b{number}", "", "1.0", 1_000, style_of(number), rng, index=0, seated=True)


def habits(**settings: Any) -> tuple[Habits, Heard]:
    heard = Heard()
    made = Habits(heard)
    made.sees(pb.Snapshot(table="1.0", settings=table_events_pb2.Settings(**settings)))
    return made, heard


def test_some_bots_want_what_the_table_has_and_nothing_else() -> None:
    plain, heard = habits(pause_ms=1)
    rich, more = habits(auto_top_up=True, straddles_asked=True, runs_asked=True, runs=2)
    for number in range(100):
        plain.sits(a_bot(number))
        rich.sits(a_bot(number))
    assert 10 < len(heard.asked) == len(more.asked) < 60
    for _, wanted in heard.asked:
        assert (wanted.top_up_to, wanted.straddles, wanted.runs_most) == (0, False, 0)
    for _, wanted in more.asked:
        assert 1 <= wanted.top_up_below <= wanted.top_up_to == 1_000
    assert {wanted.straddles for _, wanted in more.asked} == {True, False}
    assert {wanted.runs_most for _, wanted in more.asked} == {0, 2}


def test_now_and_then_a_bot_sits_out_in_each_way_and_shows_what_it_held() -> None:
    made, heard = habits(pause_ms=1)
    bot = a_bot()
    for _ in range(HANDS):
        bot.cards = 2
        made.hand_ended("1.0-1", [bot])
        assert bot.cards == 0, "what was held then is not held any more"
    outs = [what for kind, what in heard.asked if kind == "sit_out"]
    shows = [what for kind, what in heard.asked if kind == "show_cards"]
    assert HANDS / OUTS / 3 < len(outs) < 3 * HANDS / OUTS
    assert {(what.now, what.at_big_blind) for what in outs} == {
        (False, False),
        (True, False),
        (False, True),
    }
    assert HANDS / SHOWS / 2 < len(shows) < 2 * HANDS / SHOWS
    assert {tuple(what.at) for what in shows} == {(0,), (0, 1)}


def test_who_does_not_sit_there_or_has_no_time_asks_nothing() -> None:
    made, heard = habits()
    absent, cut = a_bot(), a_bot()
    absent.seated, cut.index = False, -1
    for _ in range(HANDS):
        absent.cards = cut.cards = 2
        made.hand_ended("1.0-1", [absent, cut])
    assert heard.asked == []
    bot = a_bot()
    for _ in range(HANDS):
        bot.cards = 2
        made.hand_ended("1.0-1", [bot])
    assert {kind for kind, _ in heard.asked} == {"sit_out"}


async def test_a_network_under_bots_meets_what_people_do(tmp_path: Path) -> None:
    async with network(tmp_path) as net:
        # Long enough between hands for what is shown to be heard before the next begins.
        table = await net.open_table(
            pause_ms=40, besides={"auto_top_up": True, "bank_ms": 10_000, "offer_ms": 60_000}
        )
        happened: Counter[type] = Counter()

        def saw(_table: Table, record: Record, _found: log.Record) -> None:
            happened.update(map(type, record.events))

        net.house.follow(saw)
        async with net.bots(table, 6, hands=150) as crowd:
            await crowd.done.wait()
        assert happened[PreferencesSet]
        assert happened[CardsShown]
        assert happened[SatOut] == 0 or happened[SatIn]
        assert crowd.tally.hands >= 150
