"""Money: whole numbers of the smallest unit, and the only ways to divide them.

Cents at a cash table, chips in a tournament: an amount is a plain int. Nothing outside this
module divides an amount, so every unit that rounding could lose is accounted for here.
"""

from collections.abc import Sequence


def split_evenly(amount: int, ways: int) -> tuple[int, ...]:
    """Share `amount` equally; the odd units go one each to the first shares. [RULES 5, ties]

    The caller lists the winners in the order the rulebook gives odd units (left of the
    button, nearest the dealer's box, ...). This function does not know what a seat is.

    >>> split_evenly(100, 3)
    (34, 33, 33)
    """
    assert amount >= 0, "money only moves forward; taking back is another event"
    assert ways > 0, "what is shared has somebody to go to"
    share, odd = divmod(amount, ways)
    shares = tuple(share + (place < odd) for place in range(ways))
    assert sum(shares) == amount, "a split neither makes nor loses a unit"
    return shares


def halve(amount: int) -> tuple[int, int]:
    """The high half and the low half; an odd unit goes to the high half. [RULES 5, ties]

    >>> halve(101)
    (51, 50)
    """
    high, low = split_evenly(amount, 2)
    return high, low


def share_in_proportion(amount: int, weights: Sequence[int]) -> tuple[int, ...]:
    """Share `amount` as `weights` stand to each other, each share within a unit of its due.

    Units that rounding leaves over go one each to the largest remainders, to the earliest
    where remainders are equal: rake leaves the main pot first. [RULES 6, field]

    >>> share_in_proportion(100, (1, 1, 1))
    (34, 33, 33)
    >>> share_in_proportion(10, (5, 0, 11))
    (3, 0, 7)
    """
    assert amount >= 0, "money only moves forward; taking back is another event"
    assert all(weight >= 0 for weight in weights), "nothing weighs less than nothing"
    whole = sum(weights)
    assert whole > 0 or amount == 0, "what is shared has something to be shared by"
    if not whole:
        return (0,) * len(weights)
    shares = [amount * weight // whole for weight in weights]
    # sorted() keeps the order of equals, so the earliest of equal remainders comes first.
    in_turn = sorted(range(len(weights)), key=lambda place: -(amount * weights[place] % whole))
    for place in in_turn[: amount - sum(shares)]:
        shares[place] += 1
    assert sum(shares) == amount, "a split neither makes nor loses a unit"
    return tuple(shares)


def floor_by_steps(amount: int, step: int, fee: int) -> int:
    """`fee` for every whole `step` in `amount`: how every schedule of rake reckons.

    >>> floor_by_steps(199, 20, 1)
    9
    """
    assert amount >= 0, "money only moves forward; taking back is another event"
    assert step > 0, "a schedule's step is at least one unit"
    return amount // step * fee
