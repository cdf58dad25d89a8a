"""The terminal client besides acts: waiting, wishes, words, pauses, the bank, cards shown after."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, RichLog

from riverboat.game.commands import ChangeOptions, DrainTable, PauseTable, ResumeTable
from riverboat.runtime.codes import code_digest
from riverboat.wire.v1.seats_pb2 import Intent
from services.cli.play.app import PlayApp
from services.cli.play.line import Line
from services.cli.play.mirror import Mirror
from services.cli.play.table import TableScreen
from services.cli.play.wishes import Wishes, offered
from services.cli.words import usual_buy_in
from tests.cli.house import Network, network
from tests.cli.test_play import SIZE, shown, take_a_seat, until
from tests.services.session.room import SETTINGS
from tests.waiting import until as until_true


@asynccontextmanager
async def playing(net: Network, *names: str) -> AsyncIterator[list[Pilot[None]]]:
    """A terminal for each of these players."""
    lines = [Line(net.where, name, net.token(name)) for name in names]
    apps = [PlayApp(line) for line in lines]
    if len(apps) == 1:
        async with apps[0].run_test(size=SIZE) as pilot:
            yield [pilot]
    else:
        async with apps[0].run_test(size=SIZE) as one, apps[1].run_test(size=SIZE) as other:
            yield [one, other]
    for line in lines:
        await line.close()


def choices(pilot: Pilot[None]) -> str:
    return shown(pilot.app, "#choices")  # type: ignore[arg-type]


def said(pilot: Pilot[None]) -> str:
    return "\n".join(line.text for line in pilot.app.screen.query_one(RichLog).lines)


def hears(pilot: Pilot[None], what: str) -> bool:
    return what in said(pilot)


async def go_to_table(pilot: Pilot[None]) -> Mirror:
    """Look at the only table."""
    app = pilot.app
    await until(pilot, lambda: "chips on the account" in shown(app, "#account"))  # type: ignore[arg-type]
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(app.screen, TableScreen))
    screen = app.screen
    assert isinstance(screen, TableScreen)
    await until(pilot, lambda: bool(screen.mirror.settings.seats))
    return screen.mirror


async def on_turn(pilots: list[Pilot[None]], mirrors: list[Mirror]) -> int:
    """Which of them has the turn."""
    await until(pilots[0], lambda: any(mirror.options is not None for mirror in mirrors))
    return next(at for at, mirror in enumerate(mirrors) if mirror.options is not None)


async def test_players_speak_and_what_they_say_is_no_markup(tmp_path: Path) -> None:
    async with network(tmp_path) as net:
        await net.open_table(seats=2)
        async with playing(net, "ann", "bea") as pilots:
            for pilot in pilots:
                await take_a_seat(pilot)
            await pilots[0].press("m")
            entry = pilots[0].app.screen.query_one("#words", Input)
            assert entry.has_class("asking")
            entry.value = "[b red]nice[/] hand, what the fuck"
            await pilots[0].press("enter")
            for pilot in pilots:
                heard = partial(hears, pilot, "ann: [b red]nice[/] hand, what the ****")
                await until(pilots[0], heard)
            assert not entry.has_class("asking")


async def test_a_player_waits_for_a_chair_and_takes_the_one_that_is_kept(tmp_path: Path) -> None:
    async with network(tmp_path) as net:
        table = await net.open_table(seats=2, besides={"offer_ms": 60_000})
        async with net.bots(table, 2, think_ms=50) as crowd:
            state = net.house.tables[table]
            await until_seated(state, 2)
            async with playing(net, "ann") as [pilot]:
                mirror = await go_to_table(pilot)
                await until(pilot, lambda: "wait for a chair" in choices(pilot))
                await pilot.press("w")
                await until(pilot, lambda: "place 1" in choices(pilot))
                await pilot.press("w")
                await until(pilot, lambda: not mirror.standing.place)
                await pilot.press("w")
                await until(pilot, lambda: mirror.standing.place == 1)
                crowd.done.set()  # the bots go
                await until(pilot, lambda: bool(mirror.standing.kept_seat))
                await until(pilot, lambda: "is kept for you" in choices(pilot))
                await pilot.press("s", "enter")
                await until(pilot, lambda: mirror.mine is not None and not mirror.mine.held)
                assert mirror.mine is not None
                assert not mirror.mine.kept


async def until_seated(state: Any, count: int) -> None:
    await until_true(lambda: len(state.sittings) == count)


async def test_wishes_are_offered_as_the_table_has_them_and_kept(tmp_path: Path) -> None:
    async with network(tmp_path) as net:
        table = await net.open_table(seats=2, besides={"auto_top_up": True})
        async with playing(net, "ann") as [pilot]:
            mirror = await take_a_seat(pilot)
            await until(pilot, lambda: mirror.mine is not None and not mirror.mine.held)
            await pilot.press("e")
            await until(pilot, lambda: isinstance(pilot.app.screen, Wishes))
            assert pilot.app.screen.query_one(OptionList).option_count == 2
            await pilot.press("enter")
            await until(pilot, lambda: mirror.standing.preferences.top_up_to == 1_000)
            [sitting] = net.house.tables[table].sittings.values()
            assert (sitting.top_up_below, sitting.top_up_to) == (1_000, 1_000)
            await pilot.press("e")
            await until(pilot, lambda: isinstance(pilot.app.screen, Wishes))
            listed = pilot.app.screen.query_one(OptionList)
            assert str(listed.get_option_at_index(0).prompt).startswith("☑")
            await pilot.press("enter")
            await until(pilot, lambda: not mirror.standing.preferences.top_up_to)


def test_what_a_table_does_not_have_is_not_offered() -> None:
    assert list(offered(SETTINGS)) == ["shows_losing"]
    changed = SimpleNamespace(
        **{name: getattr(SETTINGS, name) for name in SETTINGS.__dataclass_fields__}
        | {"auto_top_up": True, "straddles_asked": True, "runs_asked": True, "runs": 2}
    )
    assert list(offered(changed)) == ["top_up", "shows_losing", "straddles", "runs"]  # type: ignore[arg-type]
    assert usual_buy_in(SETTINGS) == 1_000


async def test_a_pause_and_a_drain_are_told(tmp_path: Path) -> None:
    async with network(tmp_path) as net:
        table = await net.open_table(seats=2)
        async with playing(net, "ann") as [pilot]:
            await go_to_table(pilot)
            await net.order(table, PauseTable("upkeep", 600_000))
            await until(pilot, lambda: "Play waits (upkeep), 59" in choices(pilot))
            await net.order(table, ResumeTable())
            await until(pilot, lambda: "Play waits" not in choices(pilot))
            assert "play waits (upkeep)" in said(pilot)
            assert "play goes on" in said(pilot)
            await net.order(table, DrainTable("upkeep"))
            await until(pilot, lambda: "Nobody sits down here any more" in choices(pilot))


async def test_what_is_pressed_ahead_is_done_on_the_turn_and_the_bank_is_told(
    tmp_path: Path,
) -> None:
    async with network(tmp_path) as net:
        await net.open_table(seats=2, pause_ms=5_000, besides={"bank_ms": 60_000})
        async with playing(net, "ann", "bea") as pilots:
            mirrors = [await take_a_seat(pilot) for pilot in pilots]
            at = await on_turn(pilots, mirrors)
            await until(pilots[at], lambda: "+60 s" in choices(pilots[at]))
            other = pilots[1 - at]
            await until(other, lambda: "Ahead" in choices(other))
            await other.press("c")
            await until(other, lambda: "You will check" in choices(other))
            await other.press("c")
            await until(other, lambda: not mirrors[1 - at].standing.intent)
            await other.press("f")
            await until(other, lambda: mirrors[1 - at].standing.intent == Intent.INTENT_CHECK_FOLD)
            hand = mirrors[at].hand
            await pilots[at].press("r", "enter")
            # The raise is answered at once: he folds, and may show what he held.
            await until(other, lambda: mirrors[1 - at].last_hand == hand)
            mine = mirrors[1 - at].mine
            assert mine is not None
            assert mine.folded
            await until(other, lambda: "show your cards" in choices(other))
            await other.press("v")
            await until(pilots[at], lambda: " shows " in said(pilots[at]))


@pytest.mark.parametrize("word", ["sesame", "wrong"])
async def test_a_private_table_asks_for_its_word_and_a_closed_one_shows_nothing(
    tmp_path: Path, word: str
) -> None:
    async with network(tmp_path) as net:
        table = await net.open_table()
        settings = net.house.tables[table].settings
        assert settings is not None
        digest = code_digest(table, "sesame")
        private = replace(settings, code_digest=digest, closed_to_view=True)
        await net.order(table, ChangeOptions(private))
        await until_true(lambda: net.house.tables[table].settings == private)
        async with playing(net, "ann") as [pilot]:
            mirror = await go_to_table(pilot)
            await until(pilot, lambda: "shown to those alone" in choices(pilot))
            await pilot.press("k")
            pilot.app.screen.query_one("#words", Input).value = word
            await pilot.press("enter")
            await pilot.press("s", "enter")
            if word == "wrong":
                await until(pilot, lambda: bool(pilot.app._notifications))
                assert mirror.mine is None
                return
            await until(pilot, lambda: mirror.mine is not None and not mirror.mine.held)
            assert not mirror.hidden
            await pilot.press("l")
            await until(pilot, lambda: mirror.hidden)
            assert mirror.places == {}
