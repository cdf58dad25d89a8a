"""Sight: what a viewer may see of an event, and which cards are his own.

The public part is the same for everybody and is encoded once; the private part travels apart. An
event that is not listed here is seen by nobody, and a card reaches its owner alone until the
rules turn it up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from riverboat.game.hand import events as hands
from riverboat.game.hand.state import Hand
from riverboat.game.table import events as tables
from riverboat.game.table.events import Event, Settings
from riverboat.game.table.given import OpenDeck


def public(event: Event) -> Event | None:
    """What everybody may see of `event`, or None for what is between the house and one player.

    When a wish to sit out takes effect the table alone knows: see `riverboat.game.table.wishes`.
    """
    see = SIGHT.get(type(event))
    return see(event) if see else None


def private(hand: Hand, event: Event, player: str, deck: OpenDeck) -> tuple[int, ...]:
    """All of the player's own cards, where `event` gave him some; else none.

    `hand` is the hand after the event. The player is named, not his seat: a seat may have been
    left and taken again while its hand still runs.
    """
    match event:
        case hands.StreetDealt():
            given = {to.seat for to in event.to if to.down or to.up}
        case hands.Drew():
            given = {event.seat}
        case _:
            return ()
    return next(
        (own_cards(hand, seat, deck) for seat in given if hand.seats[seat].player == player), ()
    )


def own_cards(hand: Hand, seat: int, deck: OpenDeck) -> tuple[int, ...]:
    """The seat's cards in the order in which they were dealt, for that seat's player alone."""
    return tuple(deck.order[place] for place in hand.seats[seat].places)


def _whole(event: Event) -> Event:
    return event


def _leaves(event: tables.LeaveNoted) -> Event | None:
    """That he wants to leave is his own, until he does; that he must go is not."""
    return _removed(event) if event.why else None


def _without(**secrets: object) -> Callable[[Any], Event]:
    def see(event: Any) -> Event:
        seen: Event = replace(event, **secrets)
        return seen

    return see


def _how_many(event: hands.Drew) -> Event:
    """How many cards were thrown and never which: that would tell if the last draw was kept."""
    return replace(event, thrown=tuple(range(len(event.thrown))))


def terms(settings: Settings) -> Settings:
    """The options without what tells of players: who is invited, who is kept apart, the word."""
    if settings.invited or settings.apart or settings.code_digest:
        return replace(settings, invited=(), apart=(), code_digest=b"")
    return settings


def _terms(event: Any) -> Event:
    seen: Event = replace(event, settings=terms(event.settings))
    return seen


def _removed(event: Any) -> Event:
    """Why a player is made to leave is between the house and him."""
    if not event.why or event.why in OWN_REASONS:
        seen: Event = event
    else:
        seen = replace(event, why="removed")
    return seen


# Why players leave, where everybody may know.
OWN_REASONS: Final = frozenset({"asked", "broke", "voided", "closed", "away"})

# The sealed order stays with the house: a key that leaks one day must not open old streams.
_SEALED: Final[dict[str, object]] = {"sealed": b"", "key": ""}

SIGHT: Final[dict[type, Callable[[Any], Event | None]]] = {
    hands.HandStarted: _without(**_SEALED, state_hash=b""),
    hands.Reshuffled: _without(**_SEALED),
    hands.Drew: _how_many,
    tables.SeatReserved: _without(connection=""),
    tables.ReservationFailed: _without(reason=""),  # what is on an account is its owner's business
    tables.TableOpened: _terms,
    tables.OptionsNoted: _terms,
    tables.OptionsChanged: _terms,
    tables.PlayerSeated: _without(protections=0),  # nobody plays on what another has left of them
    tables.SeatHeld: _without(connection=""),
    # How many wait, everybody may know; who, he alone.
    tables.ListJoined: _without(player="", connection=""),
    tables.ListLeft: _without(player=""),
    tables.LeaveNoted: _leaves,
    tables.SatOut: _without(now=False),  # he has not given up his hand before it shows
    tables.PlayerLeft: _removed,
    tables.LineLost: _without(connection=""),
    tables.LineBack: _without(connection=""),
    **dict.fromkeys(
        (
            hands.Posted,
            hands.StreetDealt,
            hands.Folded,
            hands.Checked,
            hands.Called,
            hands.RaisedTo,
            hands.BroughtIn,
            hands.TimedOut,
            hands.SplitChosen,
            hands.SplitRefused,
            hands.UncalledReturned,
            hands.RoundClosed,
            hands.PotsMade,
            hands.HandShown,
            hands.HandMucked,
            hands.PotAwarded,
            hands.HandEnded,
            hands.HandVoided,
            hands.ClockExtended,
            hands.PlayerProtected,
            hands.RunsAgreed,
            tables.TableClosing,
            tables.TableClosed,
            tables.TablePaused,
            tables.TableResumed,
            tables.TableDraining,
            tables.SeatFreed,
            tables.SeatReleased,
            tables.CardsShown,
            tables.ToppedUp,
            tables.BuyInReturned,
            tables.SatIn,
            tables.BlindsMissed,
            tables.GameOffered,
            tables.GameChosen,
        ),
        _whole,
    ),
}

# A refusal is for the one who asked: his session answers him from the table's memory. What a player
# prefers would tell the others how he plays, and what he wants to do whether he stays.
UNSEEN: Final = frozenset({tables.CommandRefused, tables.PreferencesSet, tables.SitOutNoted})
