"""The state of a hand: what is true now, and nothing that could be looked up elsewhere.

Only `fold.py` changes it, in place. It knows of no private card: a seat's cards are places in the
sealed deck until they are turned up. The fields carry every game of RULES section 10.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from riverboat.game.hand.events import Pot, PotAwarded, Reshuffled, Stakes
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
    left: int = 0  # seat number of the next player in dealing order, folded ones too
    bet: int = 0  # live chips in this round
    put: int = 0  # live chips and own antes in the whole hand, this round's bet included
    dead: int = 0  # dead money in the main pot: big blind ante, dead blind
    posted_ante: int = 0  # the part of `put` that was an ante
    folded: bool = False
    to_act: bool = False  # still owes an answer in this round, or in this draw
    faced: int = -1  # the full price when this seat last acted in this round; -1: not yet
    barred: bool = False  # a draw not answered in time: no bet or raise in the next round
    places: tuple[int, ...] = ()  # of own cards in the sealed deck, as dealt
    up: tuple[int, ...] = ()  # own cards face up, as dealt
    is_up: tuple[bool, ...] = ()  # per own card: dealt face up; empty when none is
    thrown: tuple[int, ...] = ()  # places of cards this seat discarded
    shown: tuple[int, ...] = ()  # all own cards, once turned up
    mucked: bool = False
    split: int = 0  # 0 not asked, 1 chose or agreed to split, 2 refused
    timed_out: bool = False  # in this hand, at least once
    bank_ms: int = 0  # time bank left, as this turn began
    kept: int = 0  # chips that do not play any more: the seat is protected for what it has put in

    @property
    def protected(self) -> bool:
        """Plays on for what it has put in: its player had lost his line. [RULES 7]"""
        return self.kept > 0

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
    turn_ms: int  # a turn's own time, in the last round opened where that says
    raked: bool
    small_blind: int = 0  # seat number of its place, maybe of an empty seat; 0: none
    big_blind: int = 0  # seat number; 0: none
    least_bet: int = 1  # where the limit is not fixed
    sealed: bytes = b""
    key: str = ""
    root: bytes = b""
    rules_version: int = 1
    rules_digest: str = ""
    street_ms: tuple[int, ...] = ()  # time to act by round; empty: `turn_ms` in each
    bomb: bool = False  # nobody bets before the second street
    runs_asked: bool = False  # how many boards a run-out has is still to be agreed on

    baton: Baton = Baton.DEALER
    phase: Phase = Phase.DEAL
    street: int = -1  # index of the last street dealt
    round: int = -1  # index of the last betting round opened
    open: bool = False  # that round is not closed: bets may lie before the seats
    next_place: int = 0  # the first place of the deck not dealt
    skipped: list[int] = field(default_factory=list)  # places before it that nobody got yet
    # Reshuffled, in order; their places go on where those of the orders before them end.
    stubs: list[Reshuffled] = field(default_factory=list)
    boards: list[list[int]] = field(default_factory=lambda: [[]])
    board_places: list[list[int]] = field(default_factory=lambda: [[]])

    turn: int = NOBODY  # the seat whose turn it is
    turn_number: int = 0  # grows with every turn given, draws too
    deadline_ms: int = 0  # of this turn, in log time: its own time and the seat's bank are over
    stands: bool = False  # the table waits: no clock runs, and no bank is used
    live: int = 0  # seats that have not folded
    moneyed: int = 0  # seats that have not folded and have chips behind
    waiting: int = 0  # seats that still owe an answer
    price: int = 0  # the total that a live seat must match in this round
    last_raise: int = 0  # size of the last full raise: the next one is at least as big
    raises: int = 0  # bets and raises in this round, the big blind or completion counting as one
    full_price: int = 0  # the price as far as it counts: what a right to raise is measured from
    open_pair: bool = False  # fixed limit: somebody showed a pair as this round began
    doubled: bool = False  # an open pair's double wager was made in this round
    players_at_start: int = 0  # seats that could bet when this round began
    splitting: bool = False  # SPLIT is offered beside the other actions
    late_turn: int = 0  # number of the last turn whose time ran out
    aggressor: int = NOBODY  # who bet or raised last in the last round
    last_blind: int = NOBODY  # who posted the last live blind or straddle in position
    pot: int = 0  # all chips in the middle, this round's bets included
    dead_blinds: int = 0  # dead blinds among them
    short_blinds: int = 0  # what short and missing blinds lack of whole ones

    pots: tuple[Pot, ...] = ()  # once made
    awards: list[PotAwarded] = field(default_factory=list)
    shows: list[int] = field(default_factory=list)  # seats that showed or mucked, in order
    returned: int = 0  # uncalled chips that went back
    since_ms: int = 0  # append time of the last event: an owed step is overdue from here
