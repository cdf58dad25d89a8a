"""Packed: a table by sums, as two tuples small enough to stay in a processor's own memory.

A dict of all sums of seven cards is four megabytes, and looking one up waits for memory three
times; these are half of one. Built once in about a tenth of a second. Only for sums that are in
the table: for any other the answer means nothing.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

LOW_BITS: Final = 13  # of a sum: they choose a shift, and fill the values to 95 % for seven cards
LOW_MASK: Final = (1 << LOW_BITS) - 1


class Packed(NamedTuple):
    """The value of a sum: `values[shifts[total & LOW_MASK] + (total >> LOW_BITS)]`."""

    shifts: Sequence[int]
    values: Sequence[int]


def packed(table: Mapping[int, int]) -> Packed:
    """The same table. Sums with the same low bits are a comb; the longest combs are put first.

    Each where it fits first: places are bits of one number, so that all are tried at once.
    """
    least = min(table) >> LOW_BITS
    combs: dict[int, list[int]] = {}
    for total in table:
        combs.setdefault(total & LOW_MASK, []).append((total >> LOW_BITS) - least)
    width = max(map(max, combs.values())) + 1
    length = len(table) + len(table) // 16 + width
    free = (1 << length) - 1
    shifts = [0] * (LOW_MASK + 1)
    for low, teeth in sorted(combs.items(), key=lambda comb: -len(comb[1])):
        fits = free
        for tooth in teeth:
            fits &= free >> tooth
        if not fits:
            fits = 1 << length
            free |= (1 << width) - 1 << length
            length += width
        first = (fits & -fits).bit_length() - 1
        for tooth in teeth:
            free ^= 1 << first + tooth
        shifts[low] = first - least
    values = [0] * length
    for total, value in table.items():
        values[shifts[total & LOW_MASK] + (total >> LOW_BITS)] = value
    return Packed(tuple(shifts), tuple(values))
