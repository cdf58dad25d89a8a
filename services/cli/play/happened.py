"""What just happened at a table, in words: one short sentence for an event that people care about.

Pure: an event and the mirror after it in, a sentence or nothing out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from riverboat.game.ranking import ranking, values
from riverboat.game.rules import MIXED, RulesError, game
from riverboat.wire.v1.table_events_pb2 import Settings
from services.cli.play.mirror import Mirror
from services.cli.words import amount, game_name, pictured, shown_name


def sentence(kind: str, event: Any, mirror: Mirror) -> str:
    """The event as a sentence; empty for what nobody needs to be told."""
    tell = _TELLERS.get(kind)
    return tell(event, mirror) if tell is not None else ""


def _name(mirror: Mirror, seat: int) -> str:
    place = mirror.places.get(seat)
    return shown_name(place.player) if place is not None else f"seat {seat}"


def _money(mirror: Mirror, units: int) -> str:
    return amount(units, mirror.settings.currency)


def _started(event: Any, mirror: Mirror) -> str:
    dealt = dealt_name(mirror)
    return f"— hand {event.hand} —" + (f" {dealt}" if dealt else "")


def dealt_name(mirror: Mirror) -> str:
    """The game that is dealt, where the table deals several."""
    rulebook, variant, limit = mirror.game
    if mirror.settings.limit != MIXED or not variant:
        return ""
    return game_name(Settings(rulebook=rulebook, variant=variant, limit=limit))


def _posted(event: Any, mirror: Mirror) -> str:
    return f"{_name(mirror, event.seat)} posts {_money(mirror, event.amount)}"


def _street(event: Any, mirror: Mirror) -> str:
    new = [card for board in event.board for card in board.cards]
    return f"on the board: {pictured(new)}" if new else ""


def _called(event: Any, mirror: Mirror) -> str:
    return (
        f"{_name(mirror, event.seat)} calls {_money(mirror, event.total)}{_all_in(event, mirror)}"
    )


def _raised(event: Any, mirror: Mirror) -> str:
    place = mirror.places.get(event.seat)
    verb = "bets" if place is not None and place.did == "bets" else "raises to"
    total = _money(mirror, event.total)
    return f"{_name(mirror, event.seat)} {verb} {total}{_all_in(event, mirror)}"


def _all_in(event: Any, mirror: Mirror) -> str:
    place = mirror.places.get(event.seat)
    return ", all-in" if place is not None and not place.stack else ""


def _shown(event: Any, mirror: Mirror) -> str:
    worth = worth_of(mirror, list(event.cards))
    said = f" ({worth})" if worth else ""
    return f"{_name(mirror, event.seat)} shows {pictured(event.cards)}{said}"


def worth_of(mirror: Mirror, cards: list[int]) -> str:
    """What the cards are worth on the first board, once both are whole; else nothing."""
    try:
        played = game(*mirror.game)
    except RulesError:
        return ""  # an operator's own game, which this client was not given
    due = sum(street.board for street in played.streets)
    if len(cards) != played.own_at_showdown or len(mirror.boards[0]) < due:
        return ""
    said = []
    for name in (played.high, played.low):
        if name:
            (value,) = values(name, played.select, mirror.boards[0], [cards])
            if value:
                said.append(ranking(name).describe(value))
    return "; ".join(said)


def _awarded(event: Any, mirror: Mirror) -> str:
    parts = [f"{_name(mirror, one.seat)} wins {_money(mirror, one.amount)}" for one in event.shares]
    return "; ".join(parts)


def _game_chosen(event: Any, mirror: Mirror) -> str:
    if event.game_at not in mirror.games:
        return ""  # offered before this client looked
    name = offered_name(mirror.games[event.game_at], mirror)
    if event.why == "asked":
        return f"{shown_name(event.player)} chooses {name}"
    return f"{shown_name(event.player)} does not choose: {name}"


def offered_name(one: Any, mirror: Mirror) -> str:
    """A game that may be chosen, in words."""
    rulebook = mirror.settings.rulebook
    return game_name(Settings(rulebook=rulebook, variant=one.variant, limit=one.limit))


def _of_reservation(verb: str) -> Callable[[Any, Mirror], str]:
    def tell(event: Any, _mirror: Mirror) -> str:
        player = event.reservation.partition(":")[2].rpartition(":")[0]
        return f"{shown_name(player)} {verb}"

    return tell


def _by_player(verb: str) -> Callable[[Any, Mirror], str]:
    return lambda event, _mirror: f"{shown_name(event.player)} {verb}"


def _drew(event: Any, mirror: Mirror) -> str:
    verb = "throws" if event.thrown and not event.places else "draws"
    return f"{_name(mirror, event.seat)} {verb} {len(event.thrown)}"


def _cards_shown(event: Any, mirror: Mirror) -> str:
    return f"{_name(mirror, event.seat)} shows {pictured(event.cards)}"


def _paused(event: Any, _mirror: Mirror) -> str:
    return f"play waits ({event.reason.replace('_', ' ')})"


def _seat_held(event: Any, _mirror: Mirror) -> str:
    verb = "is offered" if event.offered else "has"
    return f"{shown_name(event.player)} {verb} seat {event.seat} for a while"


def _sat_out(event: Any, _mirror: Mirror) -> str:
    why = {"timed_out": ": his time ran out", "line_lost": ": his line is lost"}
    return f"{shown_name(event.player)} sits out{why.get(event.why, '')}"


def _bomb(event: Any, mirror: Mirror) -> str:
    return _started(event, mirror) + (" a bomb pot" if event.bomb else "")


def _runs(event: Any, _mirror: Mirror) -> str:
    return "one board, all agree" if event.runs == 1 else f"all agree to {event.runs} boards"


def _by_seat(verb: str) -> Callable[[Any, Mirror], str]:
    return lambda event, mirror: f"{_name(mirror, event.seat)} {verb}"


_TELLERS: Final[dict[str, Callable[[Any, Mirror], str]]] = {
    "hand_started": _bomb,
    "posted": _posted,
    "street_dealt": _street,
    "folded": _by_seat("folds"),
    "checked": _by_seat("checks"),
    "called": _called,
    "raised_to": _raised,
    "brought_in": _by_seat("brings in"),
    "timed_out": _by_seat("runs out of time"),
    "drew": _drew,
    "hand_shown": _shown,
    "hand_mucked": _by_seat("mucks"),
    "pot_awarded": _awarded,
    "hand_voided": lambda event, _mirror: f"the hand was called off ({event.reason})",
    "clock_extended": lambda event, _mirror: "after an outage the clock starts again",
    "player_seated": _of_reservation("sits down"),
    "topped_up": _of_reservation("adds chips"),
    "player_left": _by_player("leaves"),
    "sat_out": _sat_out,
    "sit_out_noted": _by_player("plays until the big blind"),
    "cards_shown": _cards_shown,
    "player_protected": _by_seat("is protected for what is in"),
    "runs_agreed": _runs,
    "seat_held": _seat_held,
    "seat_released": _by_player("gives up the chair"),
    "list_joined": lambda _event, _mirror: "somebody waits for a chair",
    "table_paused": _paused,
    "table_resumed": lambda _event, _mirror: "play goes on",
    "table_draining": lambda _event, _mirror: "nobody sits down here any more",
    "options_noted": lambda _event, _mirror: "the table's options change after this hand",
    "options_changed": lambda _event, _mirror: "the table has other options now",
    "notice": lambda event, _mirror: f"The house: {event.text}",
    "said": lambda event, _mirror: f"{shown_name(event.player)}: {event.text}",
    "sat_in": _by_player("is back"),
    "game_offered": _by_player("has the choice of the next game"),
    "game_chosen": _game_chosen,
    "line_lost": _by_player("lost the line"),
    "line_back": _by_player("has a line again"),
    "table_closing": lambda _event, _mirror: "the table closes after this hand",
}
