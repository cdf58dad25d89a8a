"""Choosing: the list from which a player takes the next game.

It asks and answers with a game's place in the mix's list; it sends nothing.
"""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from riverboat.game.hand.events import Stakes
from riverboat.wire.record import CODEC
from services.cli.play.happened import offered_name
from services.cli.play.mirror import Mirror
from services.cli.words import price


class Choosing(ModalScreen[int | None]):
    """The games that are offered; none where the player would rather not choose now."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "not_now", "Not now")]

    def __init__(self, mirror: Mirror) -> None:
        super().__init__()
        self._mirror = mirror

    def compose(self) -> ComposeResult:
        stakes = CODEC.decoder(Stakes)
        listed = OptionList(
            *(
                Option(
                    f"{offered_name(one, self._mirror)}  "
                    f"[dim]{price(stakes(one.stakes), self._mirror.settings.currency)}[/]",
                    id=str(game_at),
                )
                for game_at, one in self._mirror.games.items()
            )
        )
        listed.border_title = "the next game (Escape: not now)"
        yield listed

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        assert event.option.id is not None, "every option was given one"
        self.dismiss(int(event.option.id))

    def action_not_now(self) -> None:
        self.dismiss(None)
