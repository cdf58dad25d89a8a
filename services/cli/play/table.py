"""The table's screen: the felt, what just happened, and the player's choices with their amounts.

Keys: f folds, c checks or calls, r bets or raises; before the turn has come, f and c are kept for
it and taken back. s sits down, o sits out or in, b sits out at the big blind, t adds chips, w waits
for a chair, l leaves; m says something, v shows the cards of the last hand, e says what is wanted
here, k gives the word of a private table; g chooses the next game. It sends only what was offered,
and the network has the last word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from rich.markup import escape
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.events import Resize
from textual.widgets import Footer, Header, Input, RichLog, Static

from riverboat.wire.v1 import seats_pb2
from riverboat.wire.v1 import session_pb2 as pb
from riverboat.wire.v1.commands_pb2 import Action
from riverboat.wire.v1.seats_pb2 import Intent
from services.cli.play.at_table import TEXT_MOST, AtTable, Question
from services.cli.play.choosing import Choosing
from services.cli.play.felt import draw
from services.cli.play.happened import dealt_name, sentence, worth_of
from services.cli.play.line import Line
from services.cli.words import game_name, shown_name

if TYPE_CHECKING:
    from services.cli.play.app import PlayApp

TICK_S = 0.5
CLOCK_WIDTH = 10
NARROW = 104  # columns


# What is kept for the next turn: by which key, and in words.
_AHEAD = {
    Intent.INTENT_FOLD: ("f", "fold"),
    Intent.INTENT_CHECK_FOLD: ("f", "check or fold"),
    Intent.INTENT_CHECK: ("c", "check"),
    Intent.INTENT_CALL: ("c", "call"),
    Intent.INTENT_CALL_ANY: ("c", "call whatever it is"),
}


class TableScreen(AtTable):
    """One table."""

    AUTO_FOCUS = ""  # the entry takes keys only while it asks for something
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "fold", "Fold"),
        Binding("c", "call", "Check/call"),
        Binding("r", "raise", "Bet/raise"),
        Binding("s", "sit", "Sit down"),
        Binding("o", "out", "Sit out/in"),
        Binding("t", "top_up", "Add chips"),
        Binding("w", "wait", "Wait"),
        Binding("m", "say", "Say"),
        Binding("e", "wishes", "Wishes"),
        Binding("l", "leave", "Leave"),
        Binding("escape", "back", "Back"),
        Binding("b", "out_at_blind", "Out at the blind", show=False),
        Binding("v", "show_cards", "Show cards", show=False),
        Binding("k", "word", "Word", show=False),
        Binding("d", "draw", "Draw", show=False),
        Binding("p", "split", "Split", show=False),
        Binding("n", "refuse_split", "No split", show=False),
        Binding("g", "game", "Next game", show=False),
    ]

    def __init__(self, line: Line, table: str) -> None:
        super().__init__(line, table)
        self._choosing: Choosing | None = None
        self._last = ""  # what just happened, where there is no room for all of it

    def compose(self) -> ComposeResult:
        yield Header()
        with Horizontal():
            yield Static("", id="felt")
            yield RichLog(id="happened", wrap=True, min_width=24, max_lines=500)
        yield Static("", id="choices")
        yield Input(id="entry", restrict=r"[0-9., ]*")
        yield Input(id="words", max_length=TEXT_MOST)
        yield Footer()

    def on_mount(self) -> None:
        self.query_one(RichLog).can_focus = False
        self.set_interval(TICK_S, self.show)
        self.show()

    # --- Hearing.

    def heard(self, kind: str, event: Any) -> None:
        """Something came down the line for this table."""
        said = sentence(kind, event, self.mirror)
        if said:
            self._last = said
            self.query_one(RichLog).write(said)
        if self._choosing is not None and not self.mirror.chooses:
            self._choosing.dismiss(None)  # his time has passed
        if kind == "notice":
            self.notify(escape(event.text), title="the house", severity="warning")
        if kind == "private" and event.not_funded:
            self.notify("not enough on the account", severity="error")
        if kind in ("snapshot", "change", "private"):
            if self._question is not None and self._question.turn not in (None, self._turn()):
                # What was asked for is over: the same amount might mean another thing now.
                self._close_entry(self.query_one("#entry", Input))
            self.show()

    def _turn(self) -> tuple[str, int]:
        return (self.mirror.hand, self.mirror.turn_number)

    def show(self) -> None:
        mirror = self.mirror
        if mirror.settings.seats:
            dealt = dealt_name(mirror)
            name = game_name(mirror.settings) + (f": {dealt}" if dealt else "")
            self.title = f"{mirror.settings.name}  {name}"
            felt = self.query_one("#felt", Static)
            felt.update(draw(mirror, self._now_ms(), felt.size.width, felt.size.height))
        said = self._choices()
        if self.has_class("narrow") and self._last:
            said = f"[dim]{escape(self._last)}[/]\n{said}"
        self.query_one("#choices", Static).update(said)

    def on_resize(self, event: Resize) -> None:
        """Where there is no room for both, the felt goes before the story."""
        self.set_class(event.size.width < NARROW, "narrow")
        self.call_after_refresh(self.show)

    def _choices(self) -> str:
        """What the player may do, in a line or two."""
        mirror = self.mirror
        if not self._line.up:
            return "[b red]The line is down; coming back ...[/]"
        if mirror.stopped:
            return "[b red]The table is stopped here.[/]"
        if mirror.hidden:
            shown = "The table is shown to those alone who sit or wait here."
            return f"{shown}  [b]s[/] sit down   [b]w[/] wait   [b]k[/] give a word"
        return self._waits() + self._open()

    def _waits(self) -> str:
        """Why nothing goes on, if that is so."""
        pause = self.mirror.pause
        if pause is None:
            return ""
        why = escape(pause.reason.replace("_", " "))
        if not pause.until_ms:
            return f"[b yellow]Play waits[/] ({why}).  "
        left_s = max(0, pause.until_ms - self._now_ms()) // 1_000
        return f"[b yellow]Play waits[/] ({why}), {left_s} s at most.  "

    def _open(self) -> str:
        """What is open to the player."""
        mirror = self.mirror
        mine = mirror.mine
        if mine is None or mine.kept:
            return self._coming()
        own = worth_of(mirror, mirror.cards) if mirror.hand else ""
        have = f"You have {own}.  " if own else ""
        if mirror.options is not None and not self._has_acted():
            return f"{have}[b yellow]Your turn:[/] {self._turn_clock()}  {self._offered()}"
        if mine.held:
            return "Your chips are on their way."
        if mirror.choice is not None:
            clock = self._clock(mirror.choice.deadline_ms)
            if mirror.chooses:
                return f"[b yellow]Your choice:[/] {clock}  [b]g[/] choose the next game"
            return f"{shown_name(mirror.choice.player)} chooses the next game: {clock}"
        if mine.away:
            return "You sit out.  [b]o[/] come back"
        if mine.dealt and not mine.folded and mirror.hand:
            return have + self._ahead()
        if not mirror.hand and mirror.last_cards:
            have = "[b]v[/] show your cards.  "
        return have + ("You are in the hand." if mine.dealt else "You wait for the next hand.")

    def _coming(self) -> str:
        """How the player gets a chair."""
        mirror, standing = self.mirror, self.mirror.standing
        if standing.kept_seat:
            left_s = max(0, standing.kept_until_ms - self._now_ms()) // 1_000
            kept = f"Seat {standing.kept_seat} is kept for you for {left_s} s."
            return f"[b yellow]{kept}[/]  [b]s[/] sit down   [b]w[/] give it up"
        if standing.place:
            return f"You wait for a chair: place {standing.place}.  [b]w[/] wait no longer"
        if mirror.draining or mirror.closing:
            return "You are looking on. Nobody sits down here any more."
        full = len(mirror.places) >= mirror.settings.seats
        if mirror.settings.offer_ms and (full or mirror.waiting):
            others = f" ({mirror.waiting} do already)" if mirror.waiting else ""
            return f"You are looking on.  [b]w[/] wait for a chair{others}"
        return "You are looking on.  [b]s[/] sit down"

    def _ahead(self) -> str:
        """What is kept for the next turn, or may be."""
        kept = _AHEAD.get(self.mirror.standing.intent)
        if kept is not None:
            key, said = kept
            return f"[green]You will {said}[/] ([b]{key}[/] takes it back)."
        mine = self.mirror.mine
        bet = mine.bet if mine is not None else 0
        call = "check" if self.mirror.price <= bet else f"call to {self._money(self.mirror.price)}"
        return f"[dim]Ahead:[/] [b]f[/] check or fold   [b]c[/] {call}"

    def _turn_clock(self) -> str:
        """The time of the turn, and then that of the bank."""
        mirror, now_ms = self.mirror, self._now_ms()
        if not mirror.bank_from_ms:
            return self._clock(mirror.deadline_ms)
        bank_s = (mirror.deadline_ms - max(mirror.bank_from_ms, now_ms)) // 1_000
        if now_ms < mirror.bank_from_ms:
            return f"{self._clock(mirror.bank_from_ms)} +{bank_s} s"
        return f"[b red]time bank {max(bank_s, 0)} s[/]"

    def _clock(self, deadline_ms: int) -> str:
        """The time that is left, as a bar."""
        whole = max(self.mirror.settings.turn_ms, 1)
        left = min(max(deadline_ms - self._now_ms(), 0), whole)
        full = -(-left * CLOCK_WIDTH // whole)
        return f"[yellow]{'█' * full}[/][grey37]{'█' * (CLOCK_WIDTH - full)}[/]"

    def _now_ms(self) -> int:
        app: PlayApp = self.app  # type: ignore[assignment]
        return app.clock.now_ms()

    def _offered(self) -> str:
        offered, money = self.mirror.options, self._money
        assert offered is not None, "asked for on the player's turn"
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

    def _has_acted(self) -> bool:
        return self._acted == self._turn()

    # --- Acting.

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
        self.show()

    def _act_ahead(self, intent: Intent.ValueType) -> None:
        """Keep this for the next turn; what is kept already is taken back."""
        mirror, mine = self.mirror, self.mirror.mine
        if mine is None or not mine.dealt or mine.folded or not mirror.hand or mirror.street < 0:
            return
        if mirror.standing.intent:
            intent = Intent.INTENT_NOTHING
        request = seats_pb2.PreActRequest(
            table=mirror.table,
            hand=mirror.hand,
            street=mirror.street,
            price=mirror.price,
            intent=intent,
        )
        self._send(pre_act=request)

    def action_fold(self) -> None:
        if self.mirror.options is None:
            self._act_ahead(Intent.INTENT_CHECK_FOLD)
        elif self.mirror.options.fold:
            self._act(Action.ACTION_FOLD)

    def action_call(self) -> None:
        offered, mine = self.mirror.options, self.mirror.mine
        if offered is None:
            free = mine is not None and self.mirror.price <= mine.bet
            self._act_ahead(Intent.INTENT_CHECK if free else Intent.INTENT_CALL)
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
        entry = self.query_one("#entry", Input)
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

    def _throw(self, value: str) -> None:
        places = value.replace(",", " ").split()
        if not all(place.isdecimal() and int(place) > 0 for place in places):
            self.notify("places of cards, please, as in 1 3", severity="error")
            return
        throw = tuple(sorted({int(place) - 1 for place in places}))
        self._act(Action.ACTION_DRAW, 0, throw)
