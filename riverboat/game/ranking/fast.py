"""The fast ranking: hold'em, stud and Omaha hands by one sum and one look-up each.

A ranking of the tables in which a flush never harms. The board's part of the work is done once for
all hands of a showdown, and suits are looked at only over a board where three cards share one:
this is the innermost loop of the game, and nothing here is called for a single card.
"""

from collections.abc import Iterable
from functools import cached_property

from riverboat.game.ranking import omaha
from riverboat.game.ranking.face import Cards
from riverboat.game.ranking.tables import (
    BOARD_SUIT,
    COUNTS,
    FLUSH_SUIT,
    KEYS,
    RANK_KEY_OF,
    RANK_KEYS,
    SUIT_BITS,
    SUIT_MASK,
    SUITED_BITS,
    SUM_MASK,
    TableRanking,
    rank_bits,
)


def _one_card_more(table: dict[int, int], floor: int) -> dict[int, int]:
    """The best value by packed counts and key of one card more: drop any one card.

    A key is the sum of the rank keys, and above it three bits for the count of each rank.
    """
    more: dict[int, int] = {}
    steps = [
        (1 << COUNTS + 3 * rank | RANK_KEYS[rank], 4 << COUNTS + 3 * rank)
        for rank in range(floor, 13)
    ]
    known = more.get
    for counted, value in table.items():
        for step, four in steps:
            if not counted & four:
                total = counted + step
                if known(total, -1) < value:
                    more[total] = value
    return more


class FastRanking(TableRanking):
    """A table ranking in which a flush never harms, so that one sum of seven cards decides.

    Whoever holds five of a suit among seven cards cannot hold four of a kind or a full house
    as well, so the flush is his best hand in either order of the two.
    """

    @cached_property
    def by_count(self) -> tuple[dict[int, int], ...]:
        """By number of cards, then by the sum of their rank keys: the value without a flush."""
        six = _one_card_more(self.counted, self.scheme.floor)
        seven = _one_card_more(six, self.scheme.floor)
        plain = [{key & SUM_MASK: value for key, value in table.items()} for table in (six, seven)]
        return ({}, {}, {}, {}, {}, self.fives, *plain)

    @cached_property
    def sevens(self) -> dict[int, int]:
        """By the sum of seven rank keys: the value without a flush."""
        return self.by_count[7]

    def value(self, cards: Cards) -> int:
        total = sum(map(KEYS.__getitem__, cards))
        suit = FLUSH_SUIT[total & SUIT_MASK]
        if suit < 0 or not self.suits:
            return self.by_count[len(cards)][total >> SUIT_BITS]
        return self.flushes[rank_bits(cards, suit)]

    def any_five(self, board: Cards, hands: Iterable[Cards]) -> list[int]:
        if len(board) != 5:
            return super().any_five(board, hands)
        keys, key_of, values = KEYS, RANK_KEY_OF, self.sevens
        a, b, c, d, e = board
        total = keys[a] + keys[b] + keys[c] + keys[d] + keys[e]
        ranks, suit = total >> SUIT_BITS, BOARD_SUIT[total & SUIT_MASK]
        # Loops and not comprehensions: making one costs as much as two hands.
        found = []
        if suit < 0 or not self.suits:
            for first, second in hands:
                found.append(values[ranks + key_of[first] + key_of[second]])
            return found
        flushes, bit_of = self.flushes, SUITED_BITS[suit]
        held = bit_of[a] | bit_of[b] | bit_of[c] | bit_of[d] | bit_of[e]
        for first, second in hands:
            # Fewer than five ranks of the suit are no flush, and 0 in the table.
            found.append(
                flushes[held | bit_of[first] | bit_of[second]]
                or values[ranks + key_of[first] + key_of[second]]
            )
        return found

    def two_and_three(self, board: Cards, hands: Iterable[Cards]) -> list[int]:
        assert len(board) == 5, "Omaha is judged over a whole board"
        hands = tuple(hands)
        if not hands:
            return []
        keys = KEYS
        a, b, c, d, e = board
        total = keys[a] + keys[b] + keys[c] + keys[d] + keys[e]
        values = omaha.by_ranks(self._rows.row(total >> SUIT_BITS, board), hands)
        suit = BOARD_SUIT[total & SUIT_MASK]
        if suit < 0 or not self.suits:
            return values
        return omaha.with_flushes(values, self.flushes, SUITED_BITS[suit], board, hands)

    @cached_property
    def _rows(self) -> omaha.BoardRows:
        return omaha.BoardRows(self.fives)
