"""Seating: how a mirror follows a table's life: chairs, coming and going, waiting, pauses.

Folds only, one function an event; of a hand it knows nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from riverboat.wire.v1 import seats_pb2, table_events_pb2
from services.cli.play.place import Place

if TYPE_CHECKING:
    from services.cli.play.mirror import Mirror

Fold = Callable[["Mirror", Any], None]

# --- Chairs.


def _reserved(mirror: Mirror, event: table_events_pb2.SeatReserved) -> None:
    mirror.amounts[event.reservation] = event.amount
    if event.top_up:
        return
    _released(mirror, event)  # the chair that was kept for him, whichever he takes
    mirror.places[event.seat] = Place(event.seat, event.player, held=True)


def _seated(mirror: Mirror, event: table_events_pb2.PlayerSeated) -> None:
    place = _of(mirror, event.reservation)
    if place is not None:
        place.held = False
        place.stack = mirror.amounts.pop(event.reservation, 0)


def _topped_up(mirror: Mirror, event: table_events_pb2.ToppedUp) -> None:
    place = _of(mirror, event.reservation)
    if place is not None:
        place.behind += mirror.amounts.pop(event.reservation, 0)


def _no_seat(mirror: Mirror, event: Any) -> None:
    place = _of(mirror, event.reservation)
    mirror.amounts.pop(event.reservation, None)
    if place is not None and place.held:
        del mirror.places[place.seat]


def _left(mirror: Mirror, event: table_events_pb2.PlayerLeft) -> None:
    mirror.places.pop(event.seat, None)


def _kept(mirror: Mirror, event: table_events_pb2.SeatHeld) -> None:
    mirror.places[event.seat] = Place(event.seat, event.player, kept=True)


def _released(mirror: Mirror, event: Any) -> None:
    place = mirror.named(event.player)
    if place is not None and place.kept:
        del mirror.places[place.seat]


def _of(mirror: Mirror, reservation: str) -> Place | None:
    """Whose money it is: a reservation's id names its table, its player, its command."""
    return mirror.named(reservation.partition(":")[2].rpartition(":")[0])


# --- Coming and going.


def _sat_out(mirror: Mirror, event: table_events_pb2.SatOut) -> None:
    place = mirror.named(event.player)
    if place is not None:
        place.away, place.away_now, place.at_big_blind = True, event.now, False


def _sat_in(mirror: Mirror, event: table_events_pb2.SatIn) -> None:
    place = mirror.named(event.player)
    if place is not None:
        place.away = place.away_now = place.at_big_blind = False


def _marks(name: str, value: bool) -> Fold:
    """Set this of the player's place."""

    def fold(mirror: Mirror, event: Any) -> None:
        place = mirror.named(event.player)
        if place is not None:
            setattr(place, name, value)

    return fold


def _list_joined(mirror: Mirror, _event: Any) -> None:
    mirror.waiting += 1


def _list_left(mirror: Mirror, _event: Any) -> None:
    mirror.waiting -= 1


# --- The table.


def _cards_shown(mirror: Mirror, event: table_events_pb2.CardsShown) -> None:
    place = mirror.places.get(event.seat)
    if place is not None:
        place.shown = [*place.shown, *event.cards]


def _game_offered(mirror: Mirror, event: table_events_pb2.GameOffered) -> None:
    mirror.offer(event)


def _game_chosen(mirror: Mirror, _event: Any) -> None:
    mirror.choice = None


def _options_noted(mirror: Mirror, event: table_events_pb2.OptionsNoted) -> None:
    mirror.coming = event.settings


def _options_changed(mirror: Mirror, event: table_events_pb2.OptionsChanged) -> None:
    mirror.settings, mirror.coming = event.settings, None


def _paused(mirror: Mirror, event: table_events_pb2.TablePaused) -> None:
    mirror.pause = seats_pb2.Pause(reason=event.reason, until_ms=event.until_ms)


def _resumed(mirror: Mirror, _event: Any) -> None:
    mirror.pause = None


def _draining(mirror: Mirror, _event: Any) -> None:
    mirror.draining = True


def _closing(mirror: Mirror, _event: Any) -> None:
    mirror.closing = True


def _closed(mirror: Mirror, _event: Any) -> None:
    mirror.closed = True


TABLE_FOLDS: Final[dict[str, Fold]] = {
    "seat_reserved": _reserved,
    "seat_freed": _no_seat,
    "player_seated": _seated,
    "topped_up": _topped_up,
    "buy_in_returned": _no_seat,
    "reservation_failed": _no_seat,
    "player_left": _left,
    "seat_held": _kept,
    "seat_released": _released,
    "list_joined": _list_joined,
    "list_left": _list_left,
    "sat_out": _sat_out,
    "sat_in": _sat_in,
    "sit_out_noted": _marks("at_big_blind", True),
    "leave_noted": _marks("leaving", True),
    "line_lost": _marks("line_lost", True),
    "line_back": _marks("line_lost", False),
    "cards_shown": _cards_shown,
    "game_offered": _game_offered,
    "game_chosen": _game_chosen,
    "options_noted": _options_noted,
    "options_changed": _options_changed,
    "table_paused": _paused,
    "table_resumed": _resumed,
    "table_draining": _draining,
    "table_closing": _closing,
    "table_closed": _closed,
}
