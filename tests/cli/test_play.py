"""The terminal client, headless: it finds a table, sits down among bots and plays a hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import DataTable, Input, OptionList, RichLog, Static

from services.cli.play.app import PlayApp
from services.cli.play.choosing import Choosing
from services.cli.play.line import Line
from services.cli.play.mirror import Mirror
from services.cli.play.table import TableScreen
from tests.cli.house import network

SIZE = (130, 40)


async def until(pilot: Pilot[None], what: Callable[[], bool], timeout_s: float = 20) -> None:
    """Let the client live until this is so."""
    async with asyncio.timeout(timeout_s):
        while not what():
            await pilot.pause(0.02)


def shown(app: PlayApp, where: str) -> str:
    """What a part of the screen says."""
    return str(app.screen.query_one(where, Static).render())


async def take_a_seat(pilot: Pilot[None]) -> Mirror:
    """Go to the only table and sit down with what is usual."""
    app = pilot.app
    await until(pilot, lambda: app.screen.query_one(DataTable).row_count == 1)
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(app.screen, TableScreen))
    screen = app.screen
    assert isinstance(screen, TableScreen)
    await until(pilot, lambda: bool(screen.mirror.settings.seats))
    await pilot.press("s", "enter")
    await until(pilot, lambda: screen.mirror.mine is not None)
    return screen.mirror


async def test_a_player_sits_down_among_bots_and_plays(tmp_path: Path) -> None:
    async with network(tmp_path) as net:
        table = await net.open_table("Natchez", pause_ms=200)
        line = Line(net.where, "ann", net.token("ann"))
        app = PlayApp(line)
        async with net.bots(table, 3, think_ms=20), app.run_test(size=SIZE) as pilot:
            await until(pilot, lambda: app.screen.query_one(DataTable).row_count == 1)
            assert "ann: 20,000 chips" in shown(app, "#account")
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(app.screen, TableScreen))
            screen = app.screen
            assert isinstance(screen, TableScreen)
            mirror = screen.mirror
            await until(pilot, lambda: bool(mirror.settings.seats))
            assert "looking on" in shown(app, "#choices")

            # Too little is not even asked for.
            await pilot.press("s")
            entry = screen.query_one(Input)
            assert (entry.has_class("asking"), entry.value) == (True, "1000")
            entry.value = "5"
            await pilot.press("enter")
            assert entry.has_class("asking")
            entry.value = "800"
            await pilot.press("enter")
            await until(pilot, lambda: mirror.mine is not None and not mirror.mine.held)

            # On the first turn he raises, on the others he checks or calls.
            await until(pilot, lambda: mirror.options is not None)
            assert len(mirror.cards) == 2
            hand = mirror.hand
            assert "Your turn" in shown(app, "#choices")
            offered = mirror.options
            assert offered is not None
            await pilot.press("r")
            assert entry.value == str(offered.raise_least)
            await pilot.press("enter")
            await until(pilot, lambda: mirror.turn_number != offered.turn)
            assert mirror.mine is not None
            assert mirror.mine.stack <= 800 - offered.raise_least
            while mirror.hand == hand:
                if mirror.options is not None:
                    await pilot.press("c")
                await pilot.pause(0.02)

            await pilot.press("l")
            await until(pilot, lambda: mirror.mine is None)
            assert "looking on" in shown(app, "#choices")
        await line.close()


async def test_a_player_chooses_the_next_game(tmp_path: Path) -> None:
    async with network(tmp_path) as net:
        table = await net.open_table(variant="dealers_choice", limit="mixed", seats=2)
        lines = [Line(net.where, name, net.token(name)) for name in ("ann", "bea")]
        apps = [PlayApp(line) for line in lines]
        async with apps[0].run_test(size=SIZE) as one, apps[1].run_test(size=SIZE) as other:
            pilots = [one, other]
            mirrors = [await take_a_seat(pilot) for pilot in pilots]
            await until(one, lambda: all(mirror.choice is not None for mirror in mirrors))
            at = next(at for at, mirror in enumerate(mirrors) if mirror.chooses)
            await until(pilots[at], lambda: "Your choice" in shown(apps[at], "#choices"))
            await until(
                pilots[1 - at], lambda: "chooses the next game" in shown(apps[1 - at], "#choices")
            )
            # Whose choice it is not is asked nothing.
            await pilots[1 - at].press("g")
            assert isinstance(apps[1 - at].screen, TableScreen)

            await pilots[at].press("g")
            await until(pilots[at], lambda: isinstance(apps[at].screen, Choosing))
            listed = apps[at].screen.query_one(OptionList)
            assert listed.option_count == 15
            assert str(listed.get_option_at_index(8).prompt).startswith("fixed limit Razz")
            await pilots[at].press("escape")
            await until(pilots[at], lambda: isinstance(apps[at].screen, TableScreen))
            await pilots[at].press("g")
            await until(pilots[at], lambda: isinstance(apps[at].screen, Choosing))
            apps[at].screen.query_one(OptionList).highlighted = 8
            await pilots[at].press("enter")
            await until(one, lambda: all(mirror.game[1] == "razz" for mirror in mirrors))
            assert isinstance(apps[at].screen, TableScreen)
            said = apps[1 - at].screen.query_one(RichLog)
            await until(one, lambda: any("chooses fixed limit Razz" in t.text for t in said.lines))
            await until(
                one, lambda: "Dealer's Choice: fixed limit Razz" in str(apps[0].screen.title)
            )
        for line in lines:
            await line.close()
    assert table


async def test_two_people_see_the_same_table_and_not_each_others_cards(tmp_path: Path) -> None:
    """ARCHITECTURE 3, law 5: no viewer's stream ever holds another player's private card."""
    async with network(tmp_path) as net:
        table = await net.open_table()
        lines = [Line(net.where, name, net.token(name)) for name in ("ann", "bea")]
        apps = [PlayApp(line) for line in lines]
        async with apps[0].run_test(size=SIZE) as one, apps[1].run_test(size=SIZE) as other:
            mirrors = [await take_a_seat(pilot) for pilot in (one, other)]
            await until(one, lambda: all(len(mirror.cards) == 2 for mirror in mirrors))
            await until(one, lambda: mirrors[0].version == mirrors[1].version)
            first, second = mirrors
            assert (first.hand, first.pot, first.turn) == (second.hand, second.pot, second.turn)
            assert not set(first.cards) & set(second.cards)
            for mirror in mirrors:
                others = [p for p in mirror.places.values() if p.player != mirror.player]
                assert [place.count for place in others] == [2]
                assert [place.shown for place in others] == [[]]
        for line in lines:
            await line.close()
    assert table
