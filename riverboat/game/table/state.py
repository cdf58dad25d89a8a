"""The state of a table: the fold of its hand log.

Only `fold.py` changes it, in place. One table's state is all that a decision may look at.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from riverboat.game.hand.events import Reshuffled
from riverboat.game.hand.state import Hand
from riverboat.game.table.events import GameOffered, Settings

# A seat, and the places in the sealed deck of its own cards, as dealt; SEEN for those turned up.
Held = tuple[int, tuple[int, ...]]
SEEN = -1

ROOT = ""  # the parent of a table's first record
NO_GAME = -1  # of a mix's list: none is chosen


@dataclass(slots=True)
class Sitting:
    """One player in one chair, from buying in to leaving."""

    seat: int
    player: str
    id: str  # the reservation that began it
    stack: int  # chips between hands; during a hand he is in, see the hand's seat
    behind: int = 0  # topped up, plays from the next hand on
    away: bool = False  # not dealt in until he comes back
    post: bool = False  # posts what he owes at once instead of waiting for the big blind
    fresh: bool = True  # never dealt in where blinds are posted: owes a big one, or waits for it
    owes_big: bool = False  # missed the big blind, or was dealt in first where there was none
    owes_small: bool = False  # missed the small blind
    leaving: bool = False  # goes when the hand he is in is over
    timed_out: bool = False  # his time ran out in the last hand
    line: str = ""  # the connection that stands
    line_lost: bool = False
    now: bool = False  # away in the running hand as well: nobody waits for him
    at_big_blind: bool = False  # sits out when the big blind would be his
    away_since_ms: int = 0  # when he sat out
    away_hands: int = 0  # hands dealt without him since
    leaving_why: str = ""  # why he is made to leave; empty: he asked
    bank_ms: int = 0  # his time bank
    bank_hands: int = 0  # hands of his since it was last filled
    protections: int = 0  # disconnect protections that he has left
    top_up_below: int = 0  # see Preferences
    top_up_to: int = 0
    shows_losing: bool = False
    straddles: bool = False
    runs_most: int = 0


@dataclass(slots=True)
class Hold:
    """A chair kept for a player who has not bought in yet."""

    player: str
    seat: int
    deadline_ms: int
    connection: str
    offered: bool


@dataclass(slots=True)
class Waiter:
    """One who waits for a chair."""

    player: str
    connection: str


@dataclass(slots=True)
class Last:
    """The last hand, while its players may still show what they held."""

    id: str
    sealed: bytes
    key: str
    root: bytes
    cards: int  # in its deck
    stubs: tuple[Reshuffled, ...]
    held: tuple[Held, ...]  # by those who still sit here, and that not everybody has seen


@dataclass(slots=True)
class Reservation:
    """Money on its way from the account to a seat."""

    id: str
    player: str
    seat: int
    amount: int
    top_up: str  # the sitting to be topped up; empty for a new player
    deadline_ms: int
    connection: str
    freed: bool = False  # the seat was given up; the wallet's answer is still due
    post: bool = False  # once seated, posts at once instead of waiting for the big blind
    line_lost: bool = False


@dataclass(slots=True)
class Answer:
    """The last of a player's numbered commands that one decider answered, and how."""

    number: int
    version: int  # the table's version that answered it
    code: int  # 0: it had effect; else the refusal's code


@dataclass(slots=True)
class Deal:
    """The running hand as the table itself knows it, from `HandStarted` alone.

    Enough to end or void the hand where its own events cannot be folded. A dealt-in sitting's
    `stack` stays what it was when the hand started until the hand is over.
    """

    hand: str
    seats: tuple[int, ...]  # dealt in, in dealing order
    button: int
    small_blind: int  # seat of its place, maybe empty; 0: none
    big_blind: int
    game_at: int = 0  # place of its game in a mixed table's list
    game_left: int = 0  # hands that this game still gets after it
    protected: tuple[int, ...] = ()  # seats that used a disconnect protection in it


@dataclass(slots=True)
class Table:
    """One table."""

    id: str
    version: int = 0
    head: str = ROOT  # id of the last record applied
    time_ms: int = 0  # append time of the last record, monotone
    settings: Settings | None = None  # None: never opened
    closing: bool = False
    closed: bool = False
    sittings: dict[int, Sitting] = field(default_factory=dict)  # by seat number
    reservations: dict[str, Reservation] = field(default_factory=dict)
    deal: Deal | None = None  # the running hand; None: no hand is being played
    hand: Hand | None = None  # the same, event by event; None too where this reader stopped it
    hands: int = 0  # hands started so far
    button: int = 0  # seat of the button in the last hand that ended; 0: none yet
    small_blind: int = 0  # seat of its small blind's place, maybe empty; 0: there was none
    big_blind: int = 0  # seat of its big blind; 0: there was none
    game_at: int = 0  # of the last hand that ended: its game's place in a mixed table's list
    game_left: int = 0  # hands that this game still gets
    choice: GameOffered | None = None  # who chooses the next game; None: that is not open
    chooser: int = 0  # seat that chose last; 0: nobody has yet
    chosen: int = NO_GAME  # place of the game that comes next, until a hand of it has ended
    hand_over_ms: int = 0  # when the last hand ended or was voided
    bought_in: int = 0  # chips that came in by buy-ins and top-ups
    cashed_out: int = 0
    raked: int = 0
    paused: str = ""  # why no hand begins and no clock runs out; empty: play goes on
    paused_until_ms: int = 0  # then it resumes by itself; 0: not before it is told to
    paused_at_ms: int = 0  # since when it waits
    draining: bool = False  # nobody sits down any more
    coming: Settings | None = None  # its options when the running hand is over
    holds: dict[str, Hold] = field(default_factory=dict)  # by player
    waiters: list[Waiter] = field(default_factory=list)  # for a chair, first come first
    last: Last | None = None  # the hand that is over, as far as it can still be shown
    offsets: dict[str, int] = field(default_factory=dict)  # "decider topic": highest one answered
    answers: dict[str, Answer] = field(default_factory=dict)  # "decider player"
    orders: list[str] = field(default_factory=list)  # "decider id": the last that had effect
    stopped: str = ""  # why this reader stopped the hand; never stored, never part of the digest
    stopped_at: int = 0  # version at which it did
    lost: bool = False  # only a hand's start that proves the state frees it: the table was touched
