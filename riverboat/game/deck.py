"""Shuffling: every order of a deck equally likely, from bytes that are passed in.

Pure: the bytes come from whoever decides. Nothing here deals, seals or remembers a deck.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Final

# A draw is 16 bits. Of the 65,536 values only a multiple of the cards left is used and the few
# above are drawn again, so no card has the least advantage.
_DRAWS: Final = 1 << 16
_LIMITS: Final = (0, *(_DRAWS - _DRAWS % left for left in range(1, 257)))

# Beyond one value for each swap: one deck of 52 in fifty meets a value to draw again, and one in
# ten million meets more than these.
_SPARE: Final = 3


def shuffle(deck: Sequence[int], entropy: Callable[[int], bytes]) -> tuple[int, ...]:
    """The cards of `deck` in a random order, the whole of it fixed (Fisher and Yates).

    `entropy` gives as many unpredictable bytes as it is asked for; nearly always it is asked once.
    """
    order = list(deck)
    left = len(order)
    assert left < len(_LIMITS), "a deck has at most 256 cards"
    while left > 1:
        draws = left + _SPARE
        for value in struct.unpack(f"<{draws}H", entropy(2 * draws)):
            if value < _LIMITS[left]:
                at = value % left
                left -= 1
                order[left], order[at] = order[at], order[left]
                if left == 1:
                    break
    return tuple(order)
