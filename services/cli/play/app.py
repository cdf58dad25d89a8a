"""The terminal client: the list of tables, and a table with all that one needs to play at it.

It draws what the mirror says and sends what the player chooses; what is allowed, the network tells.
"""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

import grpc
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.widgets import DataTable, Footer, Header, Static

from riverboat.game.hand.events import Stakes
from riverboat.runtime.clock import Clock, SystemClock
from riverboat.wire.record import CODEC
from services.cli.play.line import Line, Shut
from services.cli.play.mirror import Mirror
from services.cli.play.table import TableScreen
from services.cli.trouble import told
from services.cli.words import PLAY, amount, game_name, price

REFRESH_S = 2.0


class Lobby(Screen[None]):
    """The tables that stand."""

    BINDINGS: ClassVar[list[BindingType]] = [("q", "app.quit", "Quit")]

    def __init__(self, line: Line) -> None:
        super().__init__()
        self._line = line

    def compose(self) -> ComposeResult:
        yield Header()
        yield Static("", id="account")
        yield DataTable(cursor_type="row", id="tables")
        yield Footer()

    def on_mount(self) -> None:
        table = self.query_one(DataTable)
        table.add_columns("Table", "Game", "Rules", "Stakes", "Seats", "Hands")
        self.set_interval(REFRESH_S, self.look)
        self.run_worker(self.look(), exclusive=True)

    def on_screen_resume(self) -> None:
        self.run_worker(self.look(), exclusive=True)

    async def look(self) -> None:
        """Show what stands now."""
        try:
            lines = await self._line.tables()
            account = await self._line.account()
        except grpc.aio.AioRpcError as error:
            trouble = told(error)
            self.query_one("#account", Static).update(f"[b red]{trouble}[/]")
            return
        said = f"{self._line.player}: {amount(account, PLAY)} chips on the account"
        self.query_one("#account", Static).update(f"{said}   —   Enter: go to a table")
        self._show(lines)

    def _show(self, lines: list[Any]) -> None:
        table: DataTable[str] = self.query_one(DataTable)
        known = {str(key.value) for key in table.rows}
        for gone in known - {line.table for line in lines}:
            table.remove_row(gone)
        columns = list(table.columns)
        for line in sorted(lines, key=lambda one: one.settings.name):
            one = line.settings
            cells = (
                one.name,
                game_name(one),
                one.rulebook,
                price(CODEC.decoder(Stakes)(one.stakes), one.currency),
                f"{line.taken}/{one.seats}" + (f" +{line.waiting}" if line.waiting else ""),
                f"{line.hands:,}",
            )
            if line.table not in known:
                table.add_row(*cells, key=line.table)
                continue
            for column, cell in zip(columns, cells, strict=True):
                table.update_cell(line.table, column, cell)

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        self.app.push_screen(TableScreen(self._line, str(event.row_key.value)))


class PlayApp(App[None]):
    """One player's terminal."""

    TITLE = "Riverboat"
    CSS = """
    #account { padding: 0 1; color: $text-muted; }
    #felt { width: 2fr; height: 1fr; padding: 0 1; content-align: center top; }
    #happened { width: 1fr; border-left: solid $primary; padding: 0 1; }
    .narrow #happened { display: none; }
    #choices { height: 2; padding: 0 1; }
    Choosing, Wishes { align: center middle; }
    Choosing OptionList, Wishes OptionList { width: 60; height: auto; max-height: 80%; }
    Choosing OptionList, Wishes OptionList { border: round $primary; }
    #entry, #words { display: none; }
    #entry.asking, #words.asking { display: block; }
    """
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, line: Line, clock: Clock | None = None) -> None:
        super().__init__()
        self.clock = clock or SystemClock()
        self.trouble = ""  # why the client ended, if not because the player wanted it
        self._line = line
        self._keeping: asyncio.Task[None] | None = None

    def on_mount(self) -> None:
        self._line.heard = self._heard
        self._keeping = asyncio.create_task(self._run_line())
        self.sub_title = self._line.player
        self.push_screen(Lobby(self._line))

    async def on_unmount(self) -> None:
        if self._keeping is not None:
            self._keeping.cancel()

    async def _run_line(self) -> None:
        try:
            await self._line.run()
        except Shut as shut:
            self.trouble = str(shut)
            self.exit()

    def _heard(self, mirror: Mirror, kind: str, event: Any) -> None:
        for screen in self.screen_stack:  # below a question, too
            if isinstance(screen, TableScreen) and screen.mirror is mirror:
                screen.heard(kind, event)
