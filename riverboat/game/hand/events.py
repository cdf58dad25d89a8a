"""The events of a hand: what became true, in the past tense.

Every event has one row in `protos/riverboat/wire/v1/hand_events.proto`, field by field under the
same names, and one fold in `fold.py`. Events are never changed once made (they are not frozen
because a frozen dataclass costs three times as much to build). No private card stands in any of
them: hole cards are named by their places in the sealed deck until the rules turn them up.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Post(IntEnum):
    """What kind of forced bet it is; the kind says whether it is live."""

    ANTE = 1  # from each player; dead, but short all-in it caps his main pot
    BIG_BLIND_ANTE = 2  # from the big blind for all; dead money
    SMALL_BLIND = 3  # live
    BIG_BLIND = 4  # live
    EXTRA_BLIND = 5  # live: a returning or new player's big blind, out of position
    DEAD_BLIND = 6  # a returning player's missed small blind: dead, into the main pot
    STRADDLE = 7  # live, raises the price and moves the option
    BUTTON_BLIND = 8  # live, short deck
    BRING_IN = 9  # live, stud


class Half(IntEnum):
    """Which part of a pot is awarded."""

    WHOLE = 1
    HIGH = 2
    LOW = 3


@dataclass(slots=True)
class Stakes:
    """What a game costs; amounts in the currency's smallest unit, 0 where the game has none."""

    small_blind: int = 0
    big_blind: int = 0
    ante: int = 0  # from each player
    big_blind_ante: int = 0  # from the big blind for the whole table
    bring_in: int = 0
    small_bet: int = 0  # fixed limit's lower bet; 0 means the big blind
    big_bet: int = 0  # fixed limit's upper bet; 0 means twice the lower
    spread: tuple[int, ...] = ()  # spread limit's numbers, first round first
    straddles: tuple[int, ...] = ()  # the totals that may be straddled, in order; empty: none
    button_straddle: int = 0  # a straddle of this total by the button; 0: none
    button_blind: int = 0  # short deck


@dataclass(slots=True)
class DealtIn:
    """One player as the hand begins."""

    seat: int  # as numbered at the table
    player: str  # pseudonymous player id
    sitting: str  # the sitting whose money this is
    stack: int  # chips before any post
    bank_ms: int = 0  # his time bank: runs when a turn's own time is over


@dataclass(slots=True)
class HandStarted:
    """The dealer began a hand: who plays, for what, under which rules, with which sealed deck."""

    hand: str  # hand id
    number: int  # the table's count of hands, from 1
    rulebook: str  # rulebook id
    rules_version: int  # version of the rules' meaning; the hand ends under it
    rules_digest: str  # digest of the tables of data in force
    variant: str  # variant id
    limit: str  # limit id
    stakes: Stakes
    button: int  # seat number, maybe of an empty seat; 0 where the game has no button
    seats: tuple[DealtIn, ...]  # in dealing order: first dealt first
    runs: int  # how many boards an all-in runs out: 1, 2 or 3
    turn_ms: int  # a player's time to act
    raked: bool  # false at play-money tables and in tournaments
    sealed: bytes  # the whole order of the deck and the salts' seed, sealed
    key: str  # name of the data key that opens it
    root: bytes  # the commitment: Merkle root over (position, card, salt)
    state_hash: bytes  # the table's state that this was decided on; readers compare
    small_blind: int = 0  # seat number of its place, maybe an empty seat; 0: none
    big_blind: int = 0  # seat number; 0: none
    game_at: int = 0  # at a table of mixed games: this one's place in their list, from 0
    game_left: int = 0  # how many hands it still gets after this one
    street_ms: tuple[int, ...] = ()  # time to act by round of betting; empty: `turn_ms` in each
    bomb: bool = False  # all put in the same ante, and nobody bets before the second street
    runs_asked: bool = False  # how many boards a run-out has is agreed on when it comes


@dataclass(slots=True)
class Posted:
    """A forced bet went in before any decision; written by the dealer with the hand's start."""

    seat: int
    post: Post
    amount: int  # chips that left the stack
    due: int  # what was owed in full; others must call as if it had been posted whole


@dataclass(slots=True)
class DealtTo:
    """What one seat got from a street."""

    seat: int
    down: tuple[int, ...]  # places in the sealed deck of the cards dealt face down
    up: tuple[int, ...]  # cards dealt face up
    up_places: tuple[int, ...]  # their places in the sealed deck


@dataclass(slots=True)
class BoardCards:
    """Shared cards of one run."""

    run: int  # 0 for the first or only board
    cards: tuple[int, ...]
    places: tuple[int, ...]  # their places in the sealed deck


@dataclass(slots=True)
class StreetDealt:
    """The dealer dealt a street; the round of betting or drawing that it opens begins."""

    street: int  # index into the game's streets, from 0
    to: tuple[DealtTo, ...]  # in dealing order
    board: tuple[BoardCards, ...]
    proofs: bytes  # opens the commitment for every card face up here; empty when there is none


@dataclass(slots=True)
class Folded:
    """The seat gave up its hand."""

    seat: int


@dataclass(slots=True)
class Checked:
    """The seat stayed in without betting."""

    seat: int


@dataclass(slots=True)
class Called:
    """The seat matched the price, or put in what it had."""

    seat: int
    total: int  # the seat's live chips in this round after it


@dataclass(slots=True)
class RaisedTo:
    """The seat bet, raised or completed."""

    seat: int
    total: int  # the seat's live chips in this round after it


@dataclass(slots=True)
class BroughtIn:
    """The seat opened a stud round with the bring-in."""

    seat: int
    total: int  # chips put in; less than the bring-in when the stack was short
    due: int  # the bring-in in full


@dataclass(slots=True)
class TimedOut:
    """The seat's time ran out; what that does follows in the same record."""

    seat: int
    turn: int  # the turn that was over
    connected: bool  # whether the player's line stood when his time ran out


@dataclass(slots=True)
class Drew:
    """The seat threw cards and got as many, or stood pat."""

    seat: int
    thrown: tuple[int, ...]  # indexes into the seat's own cards, ascending; empty: stood pat
    places: tuple[int, ...]  # places in the sealed deck of the cards that came


@dataclass(slots=True)
class Reshuffled:
    """The stub ran out: discards were shuffled into a new sealed stub."""

    sealed: bytes
    key: str
    root: bytes
    size: int  # how many cards the new stub holds


@dataclass(slots=True)
class SplitChosen:
    """The seat chose to split the pots that it is in, or agreed to."""

    seat: int


@dataclass(slots=True)
class SplitRefused:
    """An all-in seat wants the showdown for the pots that it is in."""

    seat: int


@dataclass(slots=True)
class UncalledReturned:
    """What nobody matched went back, before pots and rake."""

    seat: int
    amount: int


@dataclass(slots=True)
class RoundClosed:
    """Nobody is left to act in this round."""

    round: int  # index of the round, from 0


@dataclass(slots=True)
class Pot:
    """One pot as it is contested."""

    amount: int  # before rake
    rake: int
    seats: tuple[int, ...]  # who can win it, in dealing order


@dataclass(slots=True)
class PotsMade:
    """The pots as they stand when no more chips can go in, main pot first."""

    pots: tuple[Pot, ...]


@dataclass(slots=True)
class HandShown:
    """The seat's cards were turned up."""

    seat: int
    cards: tuple[int, ...]  # all of the seat's cards, in the order in which they were dealt
    proofs: bytes  # opens the commitment for them


@dataclass(slots=True)
class HandMucked:
    """The seat gave its hand up unshown at the showdown."""

    seat: int


@dataclass(slots=True)
class Share:
    """One winner's part."""

    seat: int
    amount: int


@dataclass(slots=True)
class PotAwarded:
    """A pot, or one half or run of it, went to its winners, after rake."""

    pot: int  # index into the pots made
    run: int  # index of the board, from 0
    half: Half
    shares: tuple[Share, ...]


@dataclass(slots=True)
class Net:
    """One player's result of a hand."""

    seat: int
    player: str
    sitting: str
    amount: int  # stack at the end less stack at the start; negative for a loss
    bank_ms: int = 0  # what is left of his time bank
    contributed: int = 0  # what he put into the pots; no bet that came back uncalled


@dataclass(slots=True)
class HandEnded:
    """The hand is over and paid."""

    hand: str
    nets: tuple[Net, ...]  # every seat dealt in; they sum to minus the rake
    rake: int


@dataclass(slots=True)
class HandVoided:
    """The hand was called off: every chip is back where it was when the hand started."""

    hand: str
    reason: str  # a short word: outage, operator


@dataclass(slots=True)
class ClockExtended:
    """An outage shorter than the grace took a player's time; he gets it back."""

    hand: str
    turn: int
    left_ms: int  # time that was unused when the outage began


@dataclass(slots=True)
class PlayerProtected:
    """A player whose line was lost plays on for what he has put in. [RULES 7]"""

    seat: int
    turn: int  # the turn that was over
    player: str
    sitting: str


@dataclass(slots=True)
class RunsAgreed:
    """So many boards this run-out has, as all agreed who are in it."""

    runs: int


HandEvent = (
    HandStarted
    | Posted
    | StreetDealt
    | Folded
    | Checked
    | Called
    | RaisedTo
    | BroughtIn
    | TimedOut
    | Drew
    | Reshuffled
    | SplitChosen
    | SplitRefused
    | UncalledReturned
    | RoundClosed
    | PotsMade
    | HandShown
    | HandMucked
    | PotAwarded
    | HandEnded
    | HandVoided
    | ClockExtended
    | PlayerProtected
    | RunsAgreed
)
