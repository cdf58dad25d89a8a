"""Who may write which event. [ARCHITECTURE 2, authority]

One table, read before a record is applied. `Hand.baton` says who owes the next step, and only he
may take it; it does not silence the dealer's table events, starts and voids, which compete by
version.
"""

from __future__ import annotations

from typing import Final

from riverboat.game.hand import events as hand
from riverboat.game.hand.state import Baton
from riverboat.game.table import events as table

DEALER: Final = "dealer"
BETTING: Final = "betting"
SHOWDOWN: Final = "showdown"

_DEALER = frozenset({DEALER})
_BETTING = frozenset({BETTING})
_SHOWDOWN = frozenset({SHOWDOWN})

MAY_WRITE: Final[dict[type, frozenset[str]]] = {
    table.TableOpened: _DEALER,
    table.TableClosing: _DEALER,
    table.TableClosed: _DEALER,
    table.SeatReserved: _DEALER,
    table.SeatFreed: _DEALER,
    table.PlayerSeated: _DEALER,
    table.ToppedUp: _DEALER,
    table.BuyInReturned: _DEALER,
    table.ReservationFailed: _DEALER,
    table.SatOut: _DEALER,
    table.SatIn: _DEALER,
    table.BlindsMissed: _DEALER,
    table.LeaveNoted: _DEALER,
    table.PlayerLeft: _DEALER,
    table.LineLost: _DEALER,
    table.LineBack: _DEALER,
    table.GameOffered: _DEALER,
    table.GameChosen: _DEALER,
    table.SitOutNoted: _DEALER,
    table.OptionsNoted: _DEALER,
    table.OptionsChanged: _DEALER,
    table.TablePaused: _DEALER,
    table.TableResumed: _DEALER,
    table.TableDraining: _DEALER,
    table.SeatHeld: _DEALER,
    table.SeatReleased: _DEALER,
    table.ListJoined: _DEALER,
    table.ListLeft: _DEALER,
    table.PreferencesSet: _DEALER,
    table.CardsShown: _DEALER,
    table.CommandRefused: frozenset({DEALER, BETTING, SHOWDOWN}),
    hand.HandStarted: _DEALER,
    hand.Posted: _DEALER,
    hand.StreetDealt: _DEALER,
    hand.Reshuffled: _DEALER,
    hand.Drew: _DEALER,
    hand.HandVoided: _DEALER,
    hand.Folded: _BETTING,
    hand.Checked: _BETTING,
    hand.Called: _BETTING,
    hand.RaisedTo: _BETTING,
    hand.BroughtIn: _BETTING,
    hand.TimedOut: frozenset({BETTING, DEALER}),  # the dealer for a draw
    hand.ClockExtended: frozenset({BETTING, DEALER}),
    hand.PlayerProtected: _BETTING,
    hand.RunsAgreed: _DEALER,
    hand.SplitChosen: _BETTING,
    hand.SplitRefused: _BETTING,
    # The dealer closes a round in which posts alone put everybody all-in.
    hand.UncalledReturned: frozenset({BETTING, DEALER}),
    hand.RoundClosed: frozenset({BETTING, DEALER}),
    hand.HandShown: frozenset({SHOWDOWN, DEALER}),  # the dealer turns all-in hands up
    hand.HandMucked: _SHOWDOWN,
    hand.PotsMade: _SHOWDOWN,
    hand.PotAwarded: _SHOWDOWN,
    hand.HandEnded: _SHOWDOWN,
}

# What happens in a hand is written only by who holds its baton.
IN_TURN: Final = frozenset(
    event
    for event in MAY_WRITE
    if event.__module__ == hand.__name__
    and event not in (hand.HandStarted, hand.Posted, hand.HandVoided)
)
HOLDER: Final = {
    Baton.DEALER: DEALER,
    Baton.BETTING: BETTING,
    Baton.SHOWDOWN: SHOWDOWN,
    Baton.NONE: "",
}
