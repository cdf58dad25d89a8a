"""Commands: what players ask and what the house orders, in the imperative.

Every command has one row in `protos/riverboat/wire/v1/commands.proto`. A command is answered by
exactly one event: its effect, or `CommandRefused`. Nothing here decides anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from riverboat.game.table.events import Preferences, Settings


class Action(IntEnum):
    """What a player does on his turn."""

    FOLD = 1
    CHECK = 2
    CALL = 3
    RAISE = 4  # bet, raise or complete: to a total
    BRING_IN = 5
    DRAW = 6
    SPLIT = 7
    REFUSE_SPLIT = 8


@dataclass(slots=True)
class Act:
    """Do this on this turn; it can never act on a changed one."""

    hand: str
    turn: int  # the turn's number in the hand
    price: int  # what the player saw as the total to match
    action: Action
    total: int  # for a raise: the seat's whole bet for the round
    throw: tuple[int, ...]  # for a draw: indexes into the player's own cards


@dataclass(slots=True)
class SitDown:
    """Take a seat with chips from the account."""

    seat: int  # 0: any
    amount: int
    post: bool  # post a live big blind at once; else wait for the big blind
    connection: str  # the line over which this came
    code_digest: bytes = b""  # of the word that a private table asks for


@dataclass(slots=True)
class TopUp:
    """Add chips from the account, for the next hand."""

    amount: int


@dataclass(slots=True)
class Leave:
    """Take the chips and go, when the hand is over."""


@dataclass(slots=True)
class SitOut:
    """Deal me no cards until I come back, from the next hand on if nothing else is said."""

    now: bool = False  # in the running hand, check or fold for me
    at_big_blind: bool = False  # only when the big blind would be mine


@dataclass(slots=True)
class SitIn:
    """Deal me in again."""

    post: bool  # post what is owed at once; else wait for the big blind


@dataclass(slots=True)
class ChooseGame:
    """Deal this game next."""

    hand_number: int  # of the hand that the choice is for: it can never make another one
    game_at: int  # the game's place in the mix's list, from 0


@dataclass(slots=True)
class HoldSeat:
    """Keep a chair for me while I buy in."""

    seat: int  # 0: any
    connection: str
    code_digest: bytes


@dataclass(slots=True)
class ReleaseSeat:
    """I do not want the chair that is kept for me."""


@dataclass(slots=True)
class JoinList:
    """Offer me a chair when one is free."""

    connection: str
    code_digest: bytes


@dataclass(slots=True)
class LeaveList:
    """I do not wait for a chair any more."""


@dataclass(slots=True)
class SetPreferences:
    """What I want at this table until I say otherwise."""

    preferences: Preferences


@dataclass(slots=True)
class ShowCards:
    """Show these of my cards of the hand that is over."""

    hand: str
    at: tuple[int, ...]  # indexes into the player's own cards, ascending


@dataclass(slots=True)
class LoseLine:
    """Session: this connection is gone."""

    connection: str
    gateway: bool  # the gateway's fault


@dataclass(slots=True)
class RegainLine:
    """Session: this connection stands."""

    connection: str


Command = (
    Act
    | SitDown
    | TopUp
    | Leave
    | SitOut
    | SitIn
    | ChooseGame
    | HoldSeat
    | ReleaseSeat
    | JoinList
    | LeaveList
    | SetPreferences
    | ShowCards
    | LoseLine
    | RegainLine
)


@dataclass(slots=True)
class Funded:
    """Wallet: the reservation's money is in transit."""

    reservation: str
    protections: int = 0  # disconnect protections granted to the sitting


@dataclass(slots=True)
class NotFunded:
    """Wallet: the reservation's money could not be had."""

    reservation: str
    reason: str


@dataclass(slots=True)
class OpenTable:
    """Open this table."""

    settings: Settings


@dataclass(slots=True)
class CloseTable:
    """Close this table when its hand is over."""

    reason: str


@dataclass(slots=True)
class VoidHand:
    """Call this hand off; the one order that is taken out of turn."""

    hand: str
    reason: str


@dataclass(slots=True)
class ChangeOptions:
    """Let these be the table's options, from the next hand on."""

    settings: Settings


@dataclass(slots=True)
class PauseTable:
    """Begin no further hand, and let no clock run out."""

    reason: str
    for_ms: int  # resume by itself after this; 0: not before it is told to


@dataclass(slots=True)
class ResumeTable:
    """Go on."""


@dataclass(slots=True)
class DrainTable:
    """Take no further player, and close when fewer than two are left."""

    reason: str


@dataclass(slots=True)
class RemovePlayer:
    """Let this player leave when his hand is over, whether he wants to or not."""

    player: str
    reason: str


Order = (
    Funded
    | NotFunded
    | OpenTable
    | CloseTable
    | VoidHand
    | ChangeOptions
    | PauseTable
    | ResumeTable
    | DrainTable
    | RemovePlayer
)


@dataclass(slots=True)
class Asked:
    """A command on its way: whose it is, and its growing number."""

    table: str
    player: str
    number: int  # of this player at this table, from 1; a copy carries the same
    command: Command


@dataclass(slots=True)
class Ordered:
    """An order of the house on its way."""

    table: str
    id: str  # the order's own id, for people and logs
    by: str  # service or operator
    order: Order
