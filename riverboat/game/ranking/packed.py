"""Packed: a table by sums, as two tuples small enough to stay in a processor's own memory.

A dict of all sums of seven cards is four megabytes, and looking one up waits for memory three
times; these are half of one. Built once in less than a tenth of a second. Only for sums that are in
the table: for any other the answer means nothing.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

LOW_BITS: Final = 13  # of a sum: they choose a shift, and fill the values to 93 % for seven cards
LOW_MASK: Final = (1 << LOW_BITS) - 1
LOOKED_AT: Final = 1 << 13  # places tried at once
_ALL_LOOKED_AT: Final = (1 << LOOKED_AT) - 1


class Packed(NamedTuple):
    """The value of a sum: `values[shifts[total & LOW_MASK] + (total >> LOW_BITS)]`."""

    shifts: Sequence[int]
    values: Sequence[int]


def packed(table: Mapping[int, int]) -> Packed:
    """The same table. Sums with the same low bits are a comb; the longest combs are put first.

    Each where it fits first of the places looked at, which are bits of one number, so that all are
    tried at once. Combs of equally many teeth go on where the last of them fitted: to begin anew
    for each would fill the last twentieth, and take twice as long.
    """
    least = min(table) >> LOW_BITS
    combs: dict[int, list[int]] = {}
    for total in table:
        combs.setdefault(total & LOW_MASK, []).append((total >> LOW_BITS) - least)
    width = max(map(max, combs.values())) + 1
    near = (1 << LOOKED_AT + width) - 1
    taken = 0
    shifts = [0] * (LOW_MASK + 1)
    start = many = 0
    for low, teeth in sorted(combs.items(), key=lambda comb: -len(comb[1])):
        if len(teeth) != many:
            many = len(teeth)
            start = _lowest_free(taken)
        while (hit := _hit(taken >> start & near, teeth)) == _ALL_LOOKED_AT:
            start += LOOKED_AT
        first = start + _lowest_free(hit)
        comb = 0
        for tooth in teeth:
            comb |= 1 << tooth
        taken |= comb << first
        shifts[low] = first - least
    places = {shifts[total & LOW_MASK] + (total >> LOW_BITS): table[total] for total in table}
    values = [0] * (max(places) + 1)
    for place, value in places.items():
        values[place] = value
    return Packed(tuple(shifts), tuple(values))


def _lowest_free(taken: int) -> int:
    return (taken ^ taken + 1).bit_length() - 1


def _hit(taken: int, teeth: Sequence[int]) -> int:
    """Of the places looked at, those from which a tooth falls on what is taken."""
    hit = 0
    for tooth in teeth:
        hit |= taken >> tooth
    return hit & _ALL_LOOKED_AT
