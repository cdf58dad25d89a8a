"""Refusals: why a command was not carried out, as a value.

A refusal completes the sentence "refused because ...": a code, and the facts that tell the player
what would do. One enum of codes for each vocabulary. Nothing here decides anything.
"""

from __future__ import annotations

from enum import IntEnum


class HandCode(IntEnum):
    """Why a hand refuses an act."""

    NO_HAND = 1  # no hand is being played here
    ANOTHER_HAND = 2  # the act names a hand that is over; facts: hand
    TURN_PASSED = 3  # the act names a turn that is over; facts: turn
    PRICE_CHANGED = 4  # the act was made for another price; facts: price
    NOT_IN_HAND = 5  # the player was not dealt into this hand
    NOT_YOUR_TURN = 6  # facts: turn_seat
    NOTHING_TO_CALL = 7
    CANNOT_CHECK = 8  # there is a bet to call; facts: price
    CANNOT_RAISE = 9  # no raise is open to this seat; facts: reason by name
    BELOW_LEAST_RAISE = 10  # facts: least
    ABOVE_MOST_RAISE = 11  # facts: most
    MORE_THAN_STACK = 12  # facts: most
    NOT_A_SIZE = 13  # the limit has fixed sizes; facts: least, most
    NOT_A_DRAW = 14  # no draw is open
    BAD_DISCARD = 15  # facts: most, or the place that names no card
    NOT_OFFERED = 16  # the choice (split, bring-in, show, muck) is not open to this seat


class TableCode(IntEnum):
    """Why a table refuses a command or an order."""

    NO_TABLE = 101  # the table was never opened
    TABLE_CLOSED = 102
    TABLE_CLOSING = 103
    ALREADY_OPEN = 104
    SEAT_TAKEN = 105  # facts: seat
    NO_SUCH_SEAT = 106  # facts: seats
    TABLE_FULL = 107
    ALREADY_SEATED = 108  # facts: seat
    ALREADY_RESERVED = 109  # a reservation of this player is still open
    NOT_SEATED = 110
    BELOW_LEAST_BUY_IN = 111  # facts: least
    ABOVE_MOST_BUY_IN = 112  # facts: most
    LEAVING = 113  # the player has said that he leaves
    ALREADY_AWAY = 114
    NOT_AWAY = 115
    NO_SUCH_HAND = 116  # the hand named is not being played; facts: hand
    BAD_SETTING = 117  # facts: field, reason
    STALE_LINE = 118  # a newer connection stands
    INTERNAL = 119  # deciding on it failed; the house's fault, and it had no effect
    NOTHING_TO_CHOOSE = 120  # no game is to be chosen for that hand
    NOT_YOUR_CHOICE = 121  # facts: seat
    GAME_NOT_OFFERED = 122  # not in the list (facts: games), or dealt to fewer (seats_most)
    NOT_INVITED = 123  # the table is private, and the player not on its list
    WRONG_CODE = 124  # the table asks for a word, and it is another one
    KEPT_APART = 125  # somebody is here with whom the player may not sit
    TABLE_DRAINING = 126
    NO_HOLDS = 127  # chairs are not held here
    ALREADY_HELD = 128  # a chair is held for the player; facts: seat
    NOT_HELD = 129
    NO_LIST = 130  # the table has no waiting list
    CHAIR_IS_FREE = 131  # nobody needs to wait; facts: seat
    ALREADY_WAITING = 132  # facts: place
    NOT_WAITING = 133
    BAD_PREFERENCE = 134  # facts: field, reason
    NOTHING_TO_SHOW = 135  # no cards of that player and hand can be shown any more
    ALREADY_PAUSED = 136
    NOT_PAUSED = 137
    OTHERS_WAIT = 138  # a free chair is offered to those who wait, first
    LIST_FULL = 139  # nobody more may wait; facts: most
    LEDGER_AWAY = 140  # the wallet cannot book now; nothing was asked of the account


class Refusal:
    """A code and its facts: nothing has changed."""

    __slots__ = ("code", "facts")

    def __init__(self, code: IntEnum, **facts: int | str) -> None:
        self.code = code
        self.facts = facts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Refusal) and (self.code, self.facts) == (other.code, other.facts)

    def __hash__(self) -> int:
        return hash((self.code, tuple(sorted(self.facts.items()))))

    def __repr__(self) -> str:
        facts = "".join(f", {name}={value!r}" for name, value in self.facts.items())
        return f"Refusal({self.code.name}{facts})"
