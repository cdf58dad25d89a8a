"""The table's screen: the felt, what just happened, and the player's choices with their amounts.

Keys: f folds, c checks or calls, r bets or raises; s sits down, o sits out or in, t adds chips, l
leaves; g chooses the next game, where that is the player's to do. It sends only what was offered,
and the network has the last word.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.events import Resize
from textual.screen import Screen
from textual.widgets import Footer, Header, Input, RichLog, Static

from riverboat.game.table.events import Settings
from riverboat.wire.record import CODEC
from riverboat.wire.v1 import session_pb2 as pb
from riverboat.wire.v1.commands_pb2 import Action
from services.cli.play.choosing import Choosing
from services.cli.play.felt import draw
from services.cli.play.happened import dealt_name, sentence, worth_of
from services.cli.play.line import Line
from services.cli.play.mirror import Mirror
from services.cli.words import amount, buy_ins, game_name, shown_name, units_of

if TYPE_CHECKING:
    from services.cli.play.app import PlayApp

BUY_IN_BLINDS = 100
BUY_IN_BETS = 25  # where there are bets and no blinds
TICK_S = 0.5
CLOCK_WIDTH = 10
NARROW = 104  # columns


class Question(NamedTuple):
    """An amount, or cards, that the player is asked for."""

    what: str
    least: int
    most: int
    given: Callable[[int], dict[str, Any]]  # what to ask for once it is given
    turn: tuple[str, int] | None = None  # on which turn it was asked; None: on none


class TableScreen(Screen[None]):
    """One table."""

    AUTO_FOCUS = ""  # the entry takes keys only while it asks for something
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "fold", "Fold"),
        Binding("c", "call", "Check/call"),
        Binding("r", "raise", "Bet/raise"),
        Binding("s", "sit", "Sit down"),
        Binding("o", "out", "Sit out/in"),
        Binding("t", "top_up", "Add chips"),
        Binding("l", "leave", "Leave"),
        Binding("escape", "back", "Back"),
        Binding("d", "draw", "Draw", show=False),
        Binding("p", "split", "Split", show=False),
        Binding("n", "refuse_split", "No split", show=False),
        Binding("g", "game", "Next game", show=False),
    ]

    def __init__(self, line: Line, table: str) -> None:
        super().__init__()
        self.mirror: Mirror = line.look(table)
        self._line = line
        self._question: Question | None = None
        self._acted = ("", -1)  # the turn that was answered last
        self._choosing: Choosing | None = None
        self._last = ""  # what just happened, where there is no room for all of it

    def compose(self) -> ComposeResult:
        yield Header()
        with Horizontal():
            yield Static("", id="felt")
            yield RichLog(id="happened", wrap=True, min_width=24, max_lines=500)
        yield Static("", id="choices")
        yield Input(id="entry", restrict=r"[0-9., ]*")
        yield Footer()

    def on_mount(self) -> None:
        self.query_one(RichLog).can_focus = False
        self.set_interval(TICK_S, self._show)
        self._show()

    # --- Hearing.

    def heard(self, kind: str, event: Any) -> None:
        """Something came down the line for this table."""
        said = sentence(kind, event, self.mirror)
        if said:
            self._last = said
            self.query_one(RichLog).write(said)
        if self._choosing is not None and not self.mirror.chooses:
            self._choosing.dismiss(None)  # his time has passed
        if kind == "private" and event.not_funded:
            self.notify("not enough on the account", severity="error")
        if kind in ("snapshot", "change", "private"):
            if self._question is not None and self._question.turn not in (None, self._turn()):
                # What was asked for is over: the same amount might mean another thing now.
                self._close_entry(self.query_one(Input))
            self._show()

    def _turn(self) -> tuple[str, int]:
        return (self.mirror.hand, self.mirror.turn_number)

    def _show(self) -> None:
        mirror = self.mirror
        if mirror.settings.seats:
            dealt = dealt_name(mirror)
            name = game_name(mirror.settings) + (f": {dealt}" if dealt else "")
            self.title = f"{mirror.settings.name}  {name}"
            felt = self.query_one("#felt", Static)
            felt.update(draw(mirror, self._now_ms(), felt.size.width, felt.size.height))
        said = self._choices()
        if self.has_class("narrow") and self._last:
            said = f"[dim]{self._last}[/]\n{said}"
        self.query_one("#choices", Static).update(said)

    def on_resize(self, event: Resize) -> None:
        """Where there is no room for both, the felt goes before the story."""
        self.set_class(event.size.width < NARROW, "narrow")
        self.call_after_refresh(self._show)

    def _choices(self) -> str:
        """What the player may do, in a line or two."""
        mirror = self.mirror
        if not self._line.up:
            return "[b red]The line is down; coming back ...[/]"
        if mirror.stopped:
            return "[b red]The table is stopped here.[/]"
        mine = mirror.mine
        own = worth_of(mirror, mirror.cards) if mirror.hand else ""
        have = f"You have {own}.  " if own else ""
        if mine is None:
            return "You are looking on.  [b]s[/] sit down"
        if mirror.options is not None and not self._has_acted():
            clock = self._clock(mirror.deadline_ms)
            return f"{have}[b yellow]Your turn:[/] {clock}  {self._offered(mirror.options)}"
        if mine.held:
            return "Your chips are on their way."
        if mirror.choice is not None:
            clock = self._clock(mirror.choice.deadline_ms)
            if mirror.chooses:
                return f"[b yellow]Your choice:[/] {clock}  [b]g[/] choose the next game"
            return f"{shown_name(mirror.choice.player)} chooses the next game: {clock}"
        if mine.away:
            return "You sit out.  [b]o[/] come back"
        return have or ("You are in the hand." if mine.dealt else "You wait for the next hand.")

    def _clock(self, deadline_ms: int) -> str:
        """The time that is left, as a bar."""
        whole = max(self.mirror.settings.turn_ms, 1)
        left = min(max(deadline_ms - self._now_ms(), 0), whole)
        full = -(-left * CLOCK_WIDTH // whole)
        return f"[yellow]{'█' * full}[/][grey37]{'█' * (CLOCK_WIDTH - full)}[/]"

    def _now_ms(self) -> int:
        app: PlayApp = self.app  # type: ignore[assignment]
        return app.clock.now_ms()

    def _offered(self, offered: pb.Options) -> str:
        money = self._money
        parts = []
        if offered.fold:
            parts.append("[b]f[/] fold")
        if offered.check:
            parts.append("[b]c[/] check")
        if offered.bring_in:
            parts.append(f"[b]c[/] bring in for {money(offered.bring_in)}")
        if offered.call:
            parts.append(f"[b]c[/] call to {money(offered.call)}")
        if offered.raise_least:
            verb = "raise to" if offered.price else "bet"
            bounds = money(offered.raise_least)
            if offered.sizes:
                bounds = " or ".join(money(size) for size in offered.sizes)
            elif offered.raise_most > offered.raise_least:
                bounds += f" – {money(offered.raise_most)}"
            parts.append(f"[b]r[/] {verb} {bounds}")
        if offered.draw_most >= 0:
            verb = "throw" if offered.draw_least else "draw up to"
            parts.append(f"[b]d[/] {verb} {offered.draw_most}")
        if offered.split:
            parts.append("[b]p[/] split the pot")
        if offered.refuse_split:
            parts.append("[b]n[/] no split")
        return "   ".join(parts)

    def _money(self, units: int) -> str:
        return amount(units, self.mirror.settings.currency)

    def _has_acted(self) -> bool:
        return self._acted == self._turn()

    # --- Acting.

    def _send(self, **what: Any) -> None:
        async def ask() -> None:
            why = await self._line.ask(**what)
            if why:
                self._acted = ("", -1)
                self.notify(why, severity="error")
            self._show()

        self.run_worker(ask())

    def _act(self, action: Action.ValueType, total: int = 0, throw: tuple[int, ...] = ()) -> None:
        mirror, offered = self.mirror, self.mirror.options
        if offered is None or self._has_acted():
            return
        self._acted = self._turn()
        on = pb.ActOn(
            hand=mirror.hand,
            turn=offered.turn,
            price=offered.price,
            action=action,
            total=total,
            throw=throw,
        )
        self._send(act=pb.ActRequest(table=mirror.table, act=on))
        self._show()

    def action_fold(self) -> None:
        if self.mirror.options is not None and self.mirror.options.fold:
            self._act(Action.ACTION_FOLD)

    def action_call(self) -> None:
        offered = self.mirror.options
        if offered is None:
            return
        if offered.check:
            self._act(Action.ACTION_CHECK)
        elif offered.call:
            self._act(Action.ACTION_CALL)
        elif offered.bring_in:
            self._act(Action.ACTION_BRING_IN, offered.bring_in)

    def action_raise(self) -> None:
        offered = self.mirror.options
        if offered is None or not offered.raise_least or self._has_acted():
            return
        least, most = offered.raise_least, offered.raise_most
        if least == most:
            self._act(Action.ACTION_RAISE, least)
            return
        verb = "raise to" if offered.price else "bet"

        def raise_to(total: int) -> dict[str, Any]:
            self._act(Action.ACTION_RAISE, total)
            return {}

        self._ask(Question(verb, least, most, raise_to, self._turn()), least)

    def action_draw(self) -> None:
        offered = self.mirror.options
        if offered is None or offered.draw_most < 0:
            return
        entry = self.query_one(Input)
        entry.placeholder = "which cards to throw, by their places: 1 3; none: stand pat"
        self._open_entry(entry, "")

    def action_split(self) -> None:
        if self.mirror.options is not None and self.mirror.options.split:
            self._act(Action.ACTION_SPLIT)

    def action_refuse_split(self) -> None:
        if self.mirror.options is not None and self.mirror.options.refuse_split:
            self._act(Action.ACTION_REFUSE_SPLIT)

    def action_game(self) -> None:
        mirror = self.mirror
        if mirror.choice is None or not mirror.chooses:
            return
        hand_number = mirror.choice.hand_number

        def chosen(game_at: int | None) -> None:
            self._choosing = None
            if game_at is not None:
                request = pb.ChooseGameRequest(
                    table=mirror.table, hand_number=hand_number, game_at=game_at
                )
                self._send(choose_game=request)

        self._choosing = Choosing(mirror)
        self.app.push_screen(self._choosing, chosen)

    # --- Coming and going.

    def action_sit(self) -> None:
        mirror = self.mirror
        if mirror.mine is not None or not mirror.settings.seats:
            return
        settings = CODEC.decoder(Settings)(mirror.settings)
        least, most = buy_ins(settings)
        stakes = settings.stakes
        usual = max(least, BUY_IN_BLINDS * stakes.big_blind, BUY_IN_BETS * stakes.small_bet)
        usual = min(usual, most) if most else usual

        def sit(chips: int) -> dict[str, Any]:
            request = pb.SitDownRequest(table=mirror.table, amount=chips, post=True)
            return {"sit_down": request}

        self._ask(Question("sit down with", least, most, sit), usual)

    def action_top_up(self) -> None:
        mirror = self.mirror
        if mirror.mine is None:
            return
        _, most = buy_ins(CODEC.decoder(Settings)(mirror.settings))
        room = max(0, most - mirror.mine.stack - mirror.mine.behind) if most else 0

        def top_up(chips: int) -> dict[str, Any]:
            return {"top_up": pb.TopUpRequest(table=mirror.table, amount=chips)}

        self._ask(Question("add", 1, room, top_up), room or 1)

    def action_out(self) -> None:
        mine = self.mirror.mine
        if mine is None:
            return
        if mine.away:
            self._send(sit_in=pb.SitInRequest(table=self.mirror.table, post=True))
        else:
            self._send(sit_out=pb.SitOutRequest(table=self.mirror.table))

    def action_leave(self) -> None:
        if self.mirror.mine is not None:
            self._send(leave=pb.LeaveRequest(table=self.mirror.table))

    def action_back(self) -> None:
        entry = self.query_one(Input)
        if entry.has_class("asking"):
            self._close_entry(entry)
            return
        if self.mirror.mine is None:
            self._line.look_away(self.mirror.table)
        # Who sits here goes on sitting: the line to the table stands.
        self.app.pop_screen()

    # --- Amounts.

    def _ask(self, question: Question, usual: int) -> None:
        self._question = question
        entry = self.query_one(Input)
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
        entry.remove_class("asking")
        self.set_focus(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        question = self._question
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
        places = value.replace(",", " ").split()
        if not all(place.isdecimal() and int(place) > 0 for place in places):
            self.notify("places of cards, please, as in 1 3", severity="error")
            return
        throw = tuple(sorted({int(place) - 1 for place in places}))
        self._act(Action.ACTION_DRAW, 0, throw)
