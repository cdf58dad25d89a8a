"""Why the operator's service does not do what it is asked. Decides nothing."""

from __future__ import annotations

from enum import IntEnum


class OperatorCode(IntEnum):
    """Refused because ..."""

    MEASURE_KEY_REUSED = 301  # the key named another measure; facts: key
    NO_TEMPLATE = 302  # facts: template
    NO_CORRECTION = 303
    ALREADY_DECIDED = 304  # the correction was booked or rejected before; facts: state
    OWN_CORRECTION = 305  # who proposed it may not approve it
    NOT_BALANCED = 306  # the legs do not sum to zero; facts: sum
    NO_COMPLAINT = 307
    COMPLAINT_CLOSED = 308
    HAND_RUNS = 309  # it is not over; facts: hand
    NOT_IN_THE_HAND = 310  # a leg names a player who was not dealt into it; facts: player
