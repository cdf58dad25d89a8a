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
class Apart:
    """Players of whom no two may sit at one table."""

    players: tuple[str, ...]


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
    # What a table may have besides; 0 and nothing mean that it has not.
    buy_in_default: int = 0  # what a player is offered to buy in for; 0: as his client likes
    south_ms: int = 0  # who left with more may not come back with less, for this long
    away_ms: int = 0  # how long a player may be away before he is removed
    away_rounds: int = 0  # how many rounds of the button he may be away
    hold_ms: int = 0  # how long a chair is held for a player who has not bought in yet
    offer_ms: int = 0  # how long a free chair is offered to the first of the waiting list
    auto_top_up: bool = False  # players may have their stack filled up between hands
    bank_ms: int = 0  # the time bank that a sitting begins with
    bank_refill_ms: int = 0  # what is added to it, up to what it began with
    bank_refill_hands: int = 0  # after every so many hands of his
    street_ms: tuple[int, ...] = ()  # time to act by round of betting; the last goes on
    runs_asked: bool = False  # an all-in runs as many boards as all in it agree to, up to `runs`
    straddles_asked: bool = False  # only who wants to straddle does
    cap: int = 0  # the most that a player puts into one hand
    bomb_every: int = 0  # every so many hands is a bomb pot
    bomb_ante: int = 0  # what each player puts into it
    invited: tuple[str, ...] = ()  # the players who may sit here; empty: everybody
    code_digest: bytes = b""  # of the word that lets a player sit; empty: none is asked
    apart: tuple[Apart, ...] = ()  # players who may not sit together
    closed_to_view: bool = False  # only who sits here sees the table
    view_delay_ms: int = 0  # others see it this much later
    protections: int = 0  # disconnect protections of a person in 24 hours; see RULES 7
    gateway_ms: int = 0  # how long play waits when a gateway is lost with its players
    onlookers_speak: bool = False  # who looks on may speak in the table's chat


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
    most: int = 0  # the greatest buy-in; who must come back with more goes beyond it; 0: none


@dataclass(slots=True)
class SeatFreed:
    """The money did not come in time: the seat is free, the reservation still open."""

    reservation: str


@dataclass(slots=True)
class PlayerSeated:
    """The money came: the player sits with it."""

    reservation: str
    protections: int = 0  # disconnect protections that the wallet granted to this sitting


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
    why: str  # asked, timed_out, line_lost, big_blind
    now: bool = False  # in the hand that he is in, too, nobody waits for him


@dataclass(slots=True)
class SitOutNoted:
    """The player sits out when the big blind would be his."""

    player: str


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
    why: str = ""  # empty: he asked; else the reason of who removes him


@dataclass(slots=True)
class PlayerLeft:
    """The player took his chips and went."""

    player: str
    sitting: str
    seat: int
    amount: int  # all he had at the table
    why: str  # asked, broke, voided, closed, away, or the reason of who removed him


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
class OptionsNoted:
    """The table's options change when the hand is over."""

    settings: Settings


@dataclass(slots=True)
class OptionsChanged:
    """From now on these are the table's options."""

    settings: Settings


@dataclass(slots=True)
class TablePaused:
    """No further hand begins, and in a running one no clock runs out, until the table resumes."""

    reason: str  # a short word; gateway: a gateway was lost with its players
    until_ms: int  # then it resumes by itself; 0: not before it is told to


@dataclass(slots=True)
class TableResumed:
    """Play goes on; the player on turn has his time anew."""

    why: str  # asked, or over: its time was up


@dataclass(slots=True)
class TableDraining:
    """Nobody sits down any more; those who sit play on, and the last two close the table."""

    reason: str


@dataclass(slots=True)
class SeatHeld:
    """A chair is kept for a player who has not bought in yet."""

    player: str
    seat: int
    deadline_ms: int
    connection: str
    offered: bool = False  # he was the first of the waiting list; else he asked for it


@dataclass(slots=True)
class SeatReleased:
    """The chair is kept no longer."""

    player: str
    why: str  # asked, or late


@dataclass(slots=True)
class ListJoined:
    """The player waits for a chair, behind all who wait already."""

    player: str
    connection: str


@dataclass(slots=True)
class ListLeft:
    """The player waits no longer."""

    player: str
    why: str  # asked, offered, line_lost, closed


@dataclass(slots=True)
class PreferencesSet:
    """What the player wants at this table until he says otherwise."""

    player: str
    preferences: Preferences


@dataclass(slots=True)
class Preferences:
    """What a player wants at a table."""

    top_up_below: int = 0  # between hands, a stack under this is filled up
    top_up_to: int = 0  # to this; 0: not at all
    shows_losing: bool = False  # hands that are beaten at the showdown are shown, not mucked
    straddles: bool = False  # where straddles are asked for
    runs_most: int = 0  # how many boards he agrees to where that is asked; 0: one


@dataclass(slots=True)
class CardsShown:
    """A player showed cards of the last hand, which nobody had to see."""

    hand: str
    seat: int
    cards: tuple[int, ...]
    places: tuple[int, ...]  # theirs in the sealed deck
    proofs: bytes  # opens the commitment for them


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
    | SitOutNoted
    | OptionsNoted
    | OptionsChanged
    | TablePaused
    | TableResumed
    | TableDraining
    | SeatHeld
    | SeatReleased
    | ListJoined
    | ListLeft
    | PreferencesSet
    | CardsShown
    | CommandRefused
)

Event = HandEvent | TableEvent
