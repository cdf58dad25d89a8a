"""The events of a table: seats, money on its way, lines, and answers.

Every event has one row in `protos/riverboat/wire/v1/table_events.proto` and one fold in `fold.py`.
All are written by the dealer, but `CommandRefused`, which every decider writes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from riverboat.game.hand.events import HandEvent, Stakes


class ButtonRule(IntEnum):
    """How the button moves between hands. [RULES 4, field]"""

    MOVING = 1  # nobody skips or pays twice for the big blind
    DEAD = 2  # the button may stand before an empty seat


@dataclass(slots=True)
class Settings:
    """What a table deals and how; fixed while a hand runs."""

    name: str
    rulebook: str
    variant: str
    limit: str
    stakes: Stakes
    currency: str  # ISO code, or PLAY
    seats: int  # how many chairs
    raked: bool
    button_rule: ButtonRule
    runs: int  # boards of an all-in run-out: 1, 2 or 3
    buy_in_least: int  # 0: as the rulebook says
    buy_in_most: int  # 0: as the rulebook says, which may name no bound
    turn_ms: int  # a player's time to act
    grace_ms: int  # an outage shorter than this only extends clocks
    reserve_ms: int  # how long a seat is held for money that is on its way
    pause_ms: int  # between the end of a hand and the next


@dataclass(slots=True)
class TableOpened:
    """The table stands and takes players."""

    settings: Settings


@dataclass(slots=True)
class TableClosing:
    """The table will close: no new hand, no new player; everybody is cashed out."""

    reason: str


@dataclass(slots=True)
class TableClosed:
    """The table is closed for ever: nobody sits, no reservation is open."""


@dataclass(slots=True)
class SeatReserved:
    """A seat, or a top-up, waits for the wallet's answer."""

    reservation: str  # id; the sitting that follows carries it
    player: str
    seat: int
    amount: int
    top_up: str  # the sitting that is topped up; empty for a new player
    deadline_ms: int  # past it the seat is freed; the reservation stays until it is answered
    connection: str  # the line that asked; empty when unknown
    post: bool  # posts a live big blind at once; else waits for it


@dataclass(slots=True)
class SeatFreed:
    """The money did not come in time: the seat is free, the reservation still open."""

    reservation: str


@dataclass(slots=True)
class PlayerSeated:
    """The money came: the player sits with it."""

    reservation: str


@dataclass(slots=True)
class ToppedUp:
    """The money came: it plays from the next hand on."""

    reservation: str


@dataclass(slots=True)
class BuyInReturned:
    """The money came too late: it goes back to the player's account."""

    reservation: str


@dataclass(slots=True)
class ReservationFailed:
    """The wallet did not fund it."""

    reservation: str
    reason: str  # the ledger's refusal, by name


@dataclass(slots=True)
class SatOut:
    """The player is not dealt in until he comes back."""

    player: str
    why: str  # asked, timed_out, line_lost


@dataclass(slots=True)
class SatIn:
    """The player wants to be dealt in."""

    player: str
    post: bool  # posts what he owes at once; else waits for the big blind


@dataclass(slots=True)
class BlindsMissed:
    """The blinds passed players who were not dealt in."""

    big: tuple[int, ...]  # seats that missed the big blind
    small: tuple[int, ...]  # seats that missed the small blind


@dataclass(slots=True)
class LeaveNoted:
    """The player leaves when the hand that he is in is over."""

    player: str


@dataclass(slots=True)
class PlayerLeft:
    """The player took his chips and went."""

    player: str
    sitting: str
    seat: int
    amount: int  # all he had at the table
    why: str  # asked, broke, voided, closed


@dataclass(slots=True)
class LineLost:
    """The player's connection is gone."""

    player: str
    connection: str
    gateway: bool  # the gateway's fault, not the player's


@dataclass(slots=True)
class LineBack:
    """The player's connection stands."""

    player: str
    connection: str


@dataclass(slots=True)
class OfferedGame:
    """One game that may be chosen."""

    game_at: int  # its place in the mix's list, from 0; the choice names it
    variant: str
    limit: str
    stakes: Stakes


@dataclass(slots=True)
class GameOffered:
    """A player has the choice of the next game of a mix; no hand starts before it is made."""

    hand_number: int  # of the hand that it is for, as the table counts them; the choice names it
    seat: int
    player: str
    games: tuple[OfferedGame, ...]  # of the list, those that can be dealt to so many players
    deadline_ms: int  # past it the game is the one that the mix names for this


@dataclass(slots=True)
class GameChosen:
    """The next game is settled."""

    seat: int  # that had the choice
    player: str
    game_at: int  # the game's place in the mix's list, from 0
    why: str  # asked, timed_out, gone


@dataclass(slots=True)
class CommandRefused:
    """The command that this record answers had no effect."""

    code: int  # a RefusalCode
    facts: tuple[Fact, ...]


@dataclass(slots=True)
class Fact:
    """One fact of a refusal: a number or a word."""

    name: str
    number: int
    word: str  # empty when the fact is a number


TableEvent = (
    TableOpened
    | TableClosing
    | TableClosed
    | SeatReserved
    | SeatFreed
    | PlayerSeated
    | ToppedUp
    | BuyInReturned
    | ReservationFailed
    | SatOut
    | SatIn
    | BlindsMissed
    | LeaveNoted
    | PlayerLeft
    | LineLost
    | LineBack
    | GameOffered
    | GameChosen
    | CommandRefused
)

Event = HandEvent | TableEvent
