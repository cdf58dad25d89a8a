"""The schema of the rules: what a table of data may say, for every game. [RULES 10]

A `Game` is one variant in one limit under one rulebook, resolved and checked. It holds values and
names from closed vocabularies, never behaviour, and code never asks for a variant's or rulebook's
id: it asks for one of these fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Forced(StrEnum):
    """What goes in before the cards."""

    BLINDS = "blinds"
    BRING_IN = "bring_in"  # antes, then one up card brings it in
    BUTTON_BLIND = "button_blind"  # antes and a blind by the button


class Opener(StrEnum):
    """Who opens a round."""

    AFTER_BLINDS = "after_blinds"  # left of the last live blind or straddle
    LEFT_OF_BUTTON = "left_of_button"
    LEFT_OF_BIG_BLIND = "left_of_big_blind"
    BRING_IN_LOWEST = "bring_in_lowest"  # the lowest up card
    BRING_IN_HIGHEST = "bring_in_highest"
    BEST_OPEN_HAND = "best_open_hand"  # by the game's own ranking of the open cards
    LOWEST_OPEN_HAND = "lowest_open_hand"


class ShowOpener(StrEnum):
    """Who shows first when nobody bet in the last round."""

    LEFT_OF_BUTTON = "left_of_button"
    LEFT_OF_BIG_BLIND = "left_of_big_blind"
    FIRST_DEALT = "first_dealt"  # left of the dealer's box
    BEST_OPEN_HAND = "best_open_hand"
    LOWEST_OPEN_HAND = "lowest_open_hand"


class OddUnit(StrEnum):
    """Who gets the odd units of a split pot; always one each, in this order."""

    LEFT_OF_BUTTON = "left_of_button"
    FIRST_IN_DEALING_ORDER = "first_in_dealing_order"  # nearest the dealer's box
    DEALT_FIRST = "dealt_first"  # was dealt his first card first
    LAST_SEATS = "last_seats"  # one site's own rule, for replays only


class RakeDue(StrEnum):
    """What must have happened before a pot is raked."""

    NEVER = "never"
    FLOP = "flop"
    THIRD_CARD = "third_card"
    FOURTH_CARD = "fourth_card"
    DRAW = "draw"
    ALWAYS = "always"


class Raise(StrEnum):
    """How big a bet or raise may be."""

    FIXED = "fixed"
    SPREAD = "spread"
    NO_LIMIT = "no_limit"
    POT = "pot"
    HALF_POT = "half_pot"


class Completion(StrEnum):
    """What the next raise in fixed limit adds over a short all-in."""

    RULES = "rules"  # under half a bet it is completed, else a full bet is added
    NEXT_MULTIPLE = "next_multiple"  # always to the next full multiple (several sites)
    FULL_BET = "full_bet"  # always a full bet on top (one site)


@dataclass(frozen=True, slots=True)
class Street:
    """One street: what is dealt, and what follows it."""

    name: str
    down: int = 0  # cards face down to each
    up: int = 0  # cards face up to each
    board: int = 0  # shared cards
    draw: int = -1  # most cards that may be thrown; -1: no draw phase
    draw_least: int = 0  # fewest that must be thrown
    refill: bool = True  # as many cards come as were thrown
    bet: bool = True  # a round of betting follows


@dataclass(frozen=True, slots=True)
class RakeRow:
    """One row of a rake schedule: floor(pot / step) * fee, at most the cap."""

    limits: tuple[str, ...]  # limit ids; empty: all. A game holds only the rows of its limit
    big_blind_from: int  # the least big blind that this row serves, in the smallest unit; stakes
    # between two rows take the lower one, those under the lowest the lowest
    step: int
    fee: int
    caps: tuple[int, ...]  # for 2, 3, 4, 5 or more players dealt in; empty: no cap
    small_below: int = 0  # pots under this use the small step and fee; 0: none do
    small_step: int = 0
    small_fee: int = 0


@dataclass(frozen=True, slots=True)
class Game:
    """One variant in one limit under one rulebook."""

    variant: str
    limit: str
    rulebook: str
    name: str
    seats_most: int
    deck: str  # name of a deck in game/cards.py
    streets: tuple[Street, ...]
    forced: Forced
    has_button: bool  # false: cards go clockwise from the dealer's box before seat 1
    rounds: int  # how many betting rounds a hand can have

    # Who opens. [RULES 4]
    first_opener: Opener
    later_openers: tuple[Opener, ...]  # for rounds 1, 2, ...; the last one serves all further
    bring_in_suits: str  # high to low, such as "shdc", for ties
    bring_in_ace_low: bool  # an ace is the lowest up card, not the highest

    # Hand values. [RULES 2]
    high: str  # name of a ranking; empty: none
    low: str  # name of a ranking for the low half or the only one; empty: none
    select: str  # how cards are chosen: any_five, two_and_three, own_and_vela, own

    # Sizes. [RULES 3]
    raise_rule: Raise
    tiers: tuple[int, ...]  # per betting round: index of the bet size (0 lower, 1 upper, 2 third)
    bets_most: int  # bets and raises a round, the big blind or completion included; 0: no cap
    cap_heads_up: bool  # the cap binds too when two players begin the round
    cap_total: int  # spread: the greatest total of a round, as a multiple of its limit; 0: none
    spread_equal_raises: bool  # spread: each raise equals the bet or raise before it
    half_bet_reopens: bool  # fixed: an all-in of half a bet or more over counts as a raise
    completion: Completion
    open_pair_street: int  # street after which an open pair allows the upper limit; -1: none
    pot_counts_dead_blind: bool  # pot limit's first round counts dead blinds
    pot_counts_full_blinds: bool  # pot limit's first round counts short and missing blinds in full

    # Draws, splits, short decks. [RULES 5]
    own_discards_barred: bool  # nobody gets back a card that he threw, in the whole hand
    pat_bars_raise: bool  # a draw not answered in time bars bets and raises for one round
    draw_ms: int  # a player's time to draw
    split_offered: bool
    split_shows: bool  # after a unanimous split hands are still shown
    short_deck_shares: bool  # one shared card in place of each player's own, without betting

    # Showdown. [RULES 5]
    show_opener: ShowOpener
    all_show_checked_down: bool  # when the last round is checked down nobody may muck
    odd_unit: OddUnit
    pot_contestants_rule: str  # ranking rule that depends on who contests: "", "hand" or "pot"

    # Rake. [RULES 6]
    rake_due: RakeDue
    rake: tuple[RakeRow, ...]  # empty: none

    # Buy-ins. [RULES 4]
    buy_in_least_big_blinds: int
    buy_in_most_big_blinds: int  # 0: no bound
    buy_in_listed: tuple[tuple[int, int], ...]  # (big blind, least buy-in) pairs that go first

    digest: str  # of the tables of data that made this game

    def __hash__(self) -> int:
        # What follows from a game alone is reckoned once and kept under it: asking must be cheap.
        return hash(self.digest)

    @property
    def own_at_showdown(self) -> int:
        """How many own cards a hand holds that was played to its end."""
        dealt = sum(street.down + street.up for street in self.streets)
        return dealt - sum(street.draw_least for street in self.streets if not street.refill)
