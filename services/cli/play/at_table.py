"""At a table: how a player comes, waits, goes, and says what he wants there, by one key each.

Holds what the table's screen asks in amounts and in words. It draws nothing, and the network has
the last word.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from textual.screen import Screen
from textual.widgets import Input

from riverboat.game.table.events import Settings
from riverboat.wire.record import CODEC
from riverboat.wire.v1 import chat_pb2, seats_pb2
from riverboat.wire.v1 import session_pb2 as pb
from services.cli.play.line import Line
from services.cli.play.mirror import Mirror
from services.cli.play.wishes import Wishes
from services.cli.words import amount, buy_ins, units_of, usual_buy_in

TEXT_MOST: Final = 200  # characters of a line of chat, as the network takes them


class Question(NamedTuple):
    """An amount that the player is asked for."""

    what: str
    least: int
    most: int
    given: Callable[[int], dict[str, Any]]  # what to ask for once it is given
    turn: tuple[str, int] | None = None  # on which turn it was asked; None: on none


class AtTable(Screen[None]):
    """What a table's screen asks of the table besides acts."""

    def __init__(self, line: Line, table: str) -> None:
        super().__init__()
        self.mirror: Mirror = line.look(table)
        self._line = line
        self._question: Question | None = None
        self._acted = ("", -1)  # the turn that was answered last
        self._word = ""  # that a private table asks for
        self._typed: Callable[[str], None] | None = None  # who waits for what is typed

    def show(self) -> None:
        """Draw what is true now."""

    def _send(self, **what: Any) -> None:
        async def ask() -> None:
            why = await self._line.ask(**what)
            if why:
                self._acted = ("", -1)
                self.notify(why, severity="error")
            self.show()

        self.run_worker(ask())

    def _money(self, units: int) -> str:
        return amount(units, self.mirror.settings.currency)

    def _settings(self) -> Settings:
        found: Settings = CODEC.decoder(Settings)(self.mirror.settings)
        return found

    # --- Coming and going.

    def action_sit(self) -> None:
        mirror = self.mirror
        mine = mirror.mine
        if (mine is not None and not mine.kept) or not mirror.settings.seats:
            return
        settings = self._settings()
        least, most = buy_ins(settings)

        def sit(chips: int) -> dict[str, Any]:
            request = pb.SitDownRequest(
                table=mirror.table, amount=chips, post=True, code=self._word
            )
            return {"sit_down": request}

        self._ask(Question("sit down with", least, most, sit), usual_buy_in(settings))

    def action_top_up(self) -> None:
        mirror = self.mirror
        if mirror.mine is None:
            return
        _, most = buy_ins(self._settings())
        room = max(0, most - mirror.mine.stack - mirror.mine.behind) if most else 0

        def top_up(chips: int) -> dict[str, Any]:
            return {"top_up": pb.TopUpRequest(table=mirror.table, amount=chips)}

        self._ask(Question("add", 1, room, top_up), room or 1)

    def action_out(self) -> None:
        mine = self.mirror.mine
        if mine is None:
            return
        if mine.away or mine.at_big_blind:
            self._send(sit_in=pb.SitInRequest(table=self.mirror.table, post=True))
        else:
            self._send(sit_out=pb.SitOutRequest(table=self.mirror.table))

    def action_out_at_blind(self) -> None:
        """Play on until the big blind comes round."""
        if self.mirror.mine is not None:
            request = pb.SitOutRequest(table=self.mirror.table, at_big_blind=True)
            self._send(sit_out=request)

    def action_leave(self) -> None:
        if self.mirror.mine is not None:
            self._send(leave=pb.LeaveRequest(table=self.mirror.table))

    def action_wait(self) -> None:
        """Wait for a chair, or no longer; give up the one that is kept."""
        table, standing = self.mirror.table, self.mirror.standing
        if standing.kept_seat:
            self._send(release_seat=seats_pb2.ReleaseSeatRequest(table=table))
        elif standing.place:
            self._send(leave_list=seats_pb2.LeaveListRequest(table=table))
        elif self.mirror.mine is None:
            request = seats_pb2.JoinListRequest(table=table, code=self._word)
            self._send(join_list=request)

    def action_back(self) -> None:
        for entry in self.query(Input):
            if entry.has_class("asking"):
                self._close_entry(entry)
                return
        if self.mirror.mine is None and not self.mirror.standing.place:
            self._line.look_away(self.mirror.table)
        # Who sits or waits here goes on doing so: the line to the table stands.
        self.app.pop_screen()

    # --- What he wants.

    def action_wishes(self) -> None:
        """Say what is wanted at this table from now on."""
        mirror = self.mirror
        if mirror.mine is None or mirror.mine.held or mirror.mine.kept:
            return

        def chosen(wanted: seats_pb2.SetPreferencesRequest | None) -> None:
            if wanted is not None:
                self._send(set_preferences=wanted)

        self.app.push_screen(Wishes(mirror, self._settings()), chosen)

    def action_show_cards(self) -> None:
        """Show all of what was held in the last hand."""
        mirror = self.mirror
        if mirror.hand or not mirror.last_cards:
            return
        at = range(len(mirror.last_cards))
        request = seats_pb2.ShowCardsRequest(table=mirror.table, hand=mirror.last_hand, at=at)
        self._send(show_cards=request)

    # --- Words.

    def action_say(self) -> None:
        """Say something at the table."""

        def say(text: str) -> None:
            if text.strip():
                self._send(say=chat_pb2.SayRequest(table=self.mirror.table, text=text))

        self._type("say (Escape: nothing)", say)

    def action_word(self) -> None:
        """Give the word that a private table asks for."""

        def given(text: str) -> None:
            self._word = text

        self._type("the word that this table asks for", given)

    def _type(self, title: str, typed: Callable[[str], None]) -> None:
        self._typed = typed
        entry = self.query_one("#words", Input)
        entry.border_title = title
        self._open_entry(entry, "")

    # --- Amounts.

    def _ask(self, question: Question, usual: int) -> None:
        self._question = question
        entry = self.query_one("#entry", Input)
        bounds = f"from {self._money(question.least)}"
        if question.most:
            bounds += f" to {self._money(question.most)}"
        entry.border_title = f"{question.what} ({bounds}; Escape: not now)"
        self._open_entry(entry, self._money(usual).replace(",", ""))

    def _open_entry(self, entry: Input, value: str) -> None:
        entry.value = value
        entry.add_class("asking")
        entry.focus()

    def _close_entry(self, entry: Input) -> None:
        self._question = None
        self._typed = None
        entry.remove_class("asking")
        self.set_focus(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        typed, question = self._typed, self._question
        if typed is not None:
            self._close_entry(event.input)
            typed(event.value)
            return
        if question is None:
            self._throw(event.value)
            self._close_entry(event.input)
            return
        given = units_of(event.value, self.mirror.settings.currency)
        if given is None:
            self.notify("an amount, please", severity="error")
            return
        if given < question.least or (question.most and given > question.most):
            self.notify(str(event.input.border_title), severity="error")
            return
        self._close_entry(event.input)
        what = question.given(given)
        if what:
            self._send(**what)

    def _throw(self, value: str) -> None:
        """Throw the cards at these places."""
