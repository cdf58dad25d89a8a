"""Wishes: the list by which a player says what he wants at a table until he says otherwise.

It shows what the table lets him want, and answers with all of it; it sends nothing.
"""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from riverboat.game.table.events import Settings
from riverboat.wire.v1 import seats_pb2
from services.cli.play.mirror import Mirror
from services.cli.words import amount, usual_buy_in


class Wishes(ModalScreen[seats_pb2.SetPreferencesRequest | None]):
    """What may be wanted here; Enter turns a wish on or off, and that is sent."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "not_now", "Not now")]

    def __init__(self, mirror: Mirror, settings: Settings) -> None:
        super().__init__()
        self._mirror = mirror
        self._settings = settings

    def compose(self) -> ComposeResult:
        wanted = self._mirror.standing.preferences
        marked = {
            "top_up": bool(wanted.top_up_to),
            "shows_losing": wanted.shows_losing,
            "straddles": wanted.straddles,
            "runs": wanted.runs_most > 1,
        }
        listed = OptionList(
            *(
                Option(f"{'☑' if marked[name] else '☐'} {said}", id=name)
                for name, said in offered(self._settings).items()
            )
        )
        listed.border_title = "at this table (Escape: as it is)"
        yield listed

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        assert event.option.id is not None, "every option was given one"
        self.dismiss(turned(self._mirror, self._settings, event.option.id))

    def action_not_now(self) -> None:
        self.dismiss(None)


def offered(settings: Settings) -> dict[str, str]:
    """What a player may want at a table of these options, in words."""
    found = {}
    if settings.auto_top_up:
        to = amount(usual_buy_in(settings), settings.currency)
        found["top_up"] = f"keep my stack full, at {to}"
    found["shows_losing"] = "show my hand when it is beaten, too"
    if settings.straddles_asked:
        found["straddles"] = "straddle"
    if settings.runs_asked:
        found["runs"] = f"run an all-in {settings.runs} times"
    return found


def turned(mirror: Mirror, settings: Settings, wish: str) -> seats_pb2.SetPreferencesRequest:
    """All that is wanted, this one turned on or off."""
    before = mirror.standing.preferences
    wanted = seats_pb2.SetPreferencesRequest(
        table=mirror.table,
        top_up_below=before.top_up_below,
        top_up_to=before.top_up_to,
        shows_losing=before.shows_losing,
        straddles=before.straddles,
        runs_most=before.runs_most,
    )
    if wish == "top_up":
        wanted.top_up_to = 0 if before.top_up_to else usual_buy_in(settings)
        wanted.top_up_below = wanted.top_up_to
    elif wish == "runs":
        wanted.runs_most = 0 if before.runs_most > 1 else settings.runs
    else:
        setattr(wanted, wish, not getattr(before, wish))
    return wanted
