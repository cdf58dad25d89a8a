"""The fast ranking: hold'em, stud and Omaha hands by one sum and one look-up each.

A ranking of the tables in which a flush never harms. Builds the tables of six and seven cards and
chooses, once per board, the shortest way to judge over it.
"""

from collections.abc import Sequence
from functools import cached_property

from riverboat.game.ranking import omaha
from riverboat.game.ranking.face import Judge
from riverboat.game.ranking.tables import (
    BOARD_SUIT,
    COUNTS,
    FLUSH_SUIT,
    KEYS,
    RANK_KEY_OF,
    RANK_KEYS,
    SUIT_BITS,
    SUIT_MASK,
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

    def value(self, cards: Sequence[int]) -> int:
        total = sum(map(KEYS.__getitem__, cards))
        suit = FLUSH_SUIT[total & SUIT_MASK]
        if suit < 0 or not self.scheme.straights:
            return self.by_count[len(cards)][total >> SUIT_BITS]
        return self.flushes[rank_bits(cards, suit)]

    def any_five(self, board: Sequence[int]) -> Judge:
        if len(board) != 5:
            return super().any_five(board)
        total = sum(map(KEYS.__getitem__, board))
        suit = BOARD_SUIT[total & SUIT_MASK] if self.scheme.straights else -1
        if suit < 0:
            return self._over_a_rainbow(total >> SUIT_BITS)
        return self._over_a_suit(total >> SUIT_BITS, suit, rank_bits(board, suit))

    def two_and_three(self, board: Sequence[int]) -> Judge:
        assert len(board) == 5, "Omaha is judged over a whole board"
        plain = omaha.by_ranks(self._rows.row(board))
        suit = BOARD_SUIT[sum(KEYS[card] for card in board) & SUIT_MASK]
        if suit < 0 or not self.scheme.straights:
            return plain
        return omaha.by_suit(plain, self.flushes, suit, board)

    @cached_property
    def _rows(self) -> omaha.BoardRows:
        return omaha.BoardRows(self.fives)

    def _over_a_rainbow(self, total: int) -> Judge:
        values, key_of = self.by_count[7], RANK_KEY_OF

        def judge(own: Sequence[int]) -> int:
            first, second = own
            return values[total + key_of[first] + key_of[second]]

        return judge

    def _over_a_suit(self, total: int, suit: int, bits: int) -> Judge:
        values, key_of, flushes = self.by_count[7], RANK_KEY_OF, self.flushes

        def judge(own: Sequence[int]) -> int:
            first, second = own
            # Fewer than five ranks of the suit are no flush, and 0 in the table.
            held = bits
            if first & 3 == suit:
                held |= 1 << (first >> 2)
            if second & 3 == suit:
                held |= 1 << (second >> 2)
            return flushes[held] or values[total + key_of[first] + key_of[second]]

        return judge
