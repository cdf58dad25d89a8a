"""The state of a hand: what is true now, and nothing that could be looked up elsewhere.

Only `fold.py` changes it, in place. It knows of no private card: a seat's cards are places in the
sealed deck until they are turned up. The fields carry every game of RULES section 10.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from riverboat.game.hand.events import Pot, PotAwarded, Stakes
from riverboat.game.rules.schema import Game

NOBODY = 0  # no seat has the turn; seats of a hand are numbered as the table numbers them, from 1


class Baton(IntEnum):
    """Which service owes the hand's next step."""

    DEALER = 1
    BETTING = 2
    SHOWDOWN = 3
    NONE = 4  # the hand is over


class Phase(IntEnum):
    """What the hand is waiting for."""

    DEAL = 1  # the next street, or the run-out
    BRING_IN = 2  # the bring-in seat opens
    BET = 3  # a bet, call, check or fold
    DRAW = 4  # a seat's discards
    SPLIT = 5  # all-in seats are asked whether to split
    SHOW = 6  # the showdown judges
    OVER = 7


@dataclass(slots=True)
class Seat:
    """One player in the hand."""

    seat: int
    player: str
    sitting: str
    start: int  # stack before any post
    stack: int  # chips behind
    bet: int = 0  # live chips in this round
    put: int = 0  # live chips and own antes in the whole hand, this round's bet included
    dead: int = 0  # dead money in the main pot: big blind ante, dead blind
    posted_ante: int = 0  # the part of `put` that was an ante
    folded: bool = False
    to_act: bool = False  # still owes an answer in this round
    may_raise: bool = False  # a full raise came since this seat last acted, or it has not acted
    faced: int = 0  # the price when this seat last acted in this round; -1: not yet
    barred: bool = False  # a draw not answered in time: no bet or raise in the next round
    places: list[int] = field(default_factory=list)  # of own cards in the sealed deck, as dealt
    up: list[int] = field(default_factory=list)  # own cards face up, as dealt
    is_up: list[bool] = field(default_factory=list)  # per own card: dealt face up
    thrown: list[int] = field(default_factory=list)  # places of cards this seat discarded
    shown: tuple[int, ...] = ()  # all own cards, once turned up
    mucked: bool = False
    split: int = 0  # 0 not asked, 1 chose or agreed to split, 2 refused
    timed_out: bool = False  # in this hand, at least once

    @property
    def all_in(self) -> bool:
        """Live and out of chips: only cards can decide."""
        return self.stack == 0 and not self.folded


@dataclass(slots=True)
class Hand:
    """One deal."""

    id: str
    number: int
    game: Game
    stakes: Stakes
    button: int  # seat number, maybe of an empty seat; 0 where the game has no button
    seats: dict[int, Seat]  # in dealing order
    runs: int  # boards that an all-in run-out will deal
    turn_ms: int
    raked: bool
    sealed: bytes = b""
    key: str = ""
    root: bytes = b""
    rules_version: int = 1
    rules_digest: str = ""

    baton: Baton = Baton.DEALER
    phase: Phase = Phase.DEAL
    street: int = -1  # index of the last street dealt
    round: int = -1  # index of the last betting round opened
    next_place: int = 0  # the first place of the deck not dealt
    stub: int = 0  # counts reshuffles
    boards: list[list[int]] = field(default_factory=lambda: [[]])
    board_places: list[list[int]] = field(default_factory=lambda: [[]])

    turn: int = NOBODY  # the seat whose turn it is
    turn_number: int = 0  # grows with every turn given, draws too
    deadline_ms: int = 0  # of this turn, in log time
    price: int = 0  # the total that a live seat must match in this round
    last_raise: int = 0  # size of the last full raise: the next one is at least as big
    raises: int = 0  # bets and raises in this round, the big blind or completion counting as one
    full_price: int = 0  # the price after the last full bet or raise: what reopening measures from
    doubled: bool = False  # an open pair's double wager was made in this round
    players_at_start: int = 0  # seats that could bet when this round began
    aggressor: int = NOBODY  # who bet or raised last in this round
    pots_before: int = (
        0  # chips in the middle from earlier rounds, dead money of the first included
    )

    pots: tuple[Pot, ...] = ()  # once made
    awards: list[PotAwarded] = field(default_factory=list)
    shows: list[int] = field(default_factory=list)  # seats that showed or mucked, in order
    returned: int = 0  # uncalled chips that went back
    since_ms: int = 0  # append time of the last event: an owed step is overdue from here
