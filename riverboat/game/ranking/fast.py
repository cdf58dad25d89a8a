"""The fast ranking: hold'em, stud and Omaha hands by one sum and one look-up each.

A ranking of the tables in which a flush never harms. The board's part of the work is done once for
all hands of a showdown, and suits are looked at only over a board where three cards share one:
this is the innermost loop of the game, and nothing here is called for a single card.
"""

from collections.abc import Iterable
from functools import cached_property
from operator import itemgetter
from typing import Final

from riverboat.game.ranking import omaha
from riverboat.game.ranking.face import Cards
from riverboat.game.ranking.packed import LOW_BITS, LOW_MASK, Packed, packed
from riverboat.game.ranking.rows import PLACES, Rows, RowsOfThree
from riverboat.game.ranking.tables import (
    BOARD_SUIT,
    COUNTS,
    FLUSH_SUIT,
    KEYS,
    STEPS,
    SUIT_BITS,
    SUIT_MASK,
    SUITED_BITS,
    TableRanking,
    by_sum,
    rank_bits,
)

STUD: Final = 7  # own cards of stud, for which the loop is written out
HIGH: Final = SUIT_BITS + LOW_BITS


def _one_card_more(table: dict[int, int], floor: int) -> dict[int, int]:
    """The best value by packed counts and key of one card more: drop any one card.

    A key is a sum of steps, as in `TableRanking.counted`.
    """
    more: dict[int, int] = {}
    steps = [(STEPS[rank], 4 << COUNTS + 3 * rank) for rank in range(floor, 13)]
    # The best come last, so that they are what is left and nothing has to be compared.
    for counted, value in sorted(table.items(), key=itemgetter(1)):
        for step, four in steps:
            if not counted & four:
                more[counted + step] = value
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
        return ({}, {}, {}, {}, {}, self.fives, by_sum(six, 6), by_sum(seven, 7))

    @cached_property
    def sevens(self) -> dict[int, int]:
        """By the sum of seven rank keys: the value without a flush."""
        return self.by_count[7]

    @cached_property
    def _packed(self) -> Packed:
        return packed(self.sevens)

    @cached_property
    def _pairs(self) -> Rows:
        return Rows(self.sevens)

    @cached_property
    def _threes(self) -> RowsOfThree:
        return RowsOfThree(self.fives)

    def value(self, cards: Cards) -> int:
        total = sum(map(KEYS.__getitem__, cards))
        suit = FLUSH_SUIT[len(cards)][total & SUIT_MASK]
        if suit < 0:
            return self.by_count[len(cards)][total >> SUIT_BITS]
        return self.flushes[rank_bits(cards, suit)]

    def own(self, board: Cards, hands: Iterable[Cards]) -> list[int]:
        hands = tuple(hands)
        if not hands or len(hands[0]) != STUD:
            return super().own(board, hands)
        keys, suits, found = KEYS, FLUSH_SUIT[STUD], []
        shifts, values = self._packed
        for a, b, c, d, e, f, g in hands:
            total = keys[a] + keys[b] + keys[c] + keys[d] + keys[e] + keys[f] + keys[g]
            if suits[total & SUIT_MASK] < 0:
                found.append(values[shifts[total >> SUIT_BITS & LOW_MASK] + (total >> HIGH)])
            else:
                found.append(self.value((a, b, c, d, e, f, g)))
        return found

    def any_five(self, board: Cards, hands: Iterable[Cards]) -> list[int]:
        if not board:
            return self.own(board, hands)
        if len(board) != 5:
            return self.own((), [(*own, *board) for own in hands])
        keys, places, rows = KEYS, PLACES, self._pairs
        a, b, c, d, e = board
        total = keys[a] + keys[b] + keys[c] + keys[d] + keys[e]
        ranks, suit = total >> SUIT_BITS, BOARD_SUIT[total & SUIT_MASK]
        row = rows.known.get(ranks) or rows.any_five(ranks)
        # Loops and not comprehensions: making one costs as much as two hands.
        found = []
        if suit < 0:
            for first, second in hands:
                found.append(row[places[first][second]])
            return found
        flushes, bit_of = self.flushes, SUITED_BITS[suit]
        held = bit_of[a] | bit_of[b] | bit_of[c] | bit_of[d] | bit_of[e]
        for first, second in hands:
            # Fewer than five ranks of the suit are no flush, and 0 in the table.
            found.append(
                flushes[held | bit_of[first] | bit_of[second]] or row[places[first][second]]
            )
        return found

    def two_and_three(self, board: Cards, hands: Iterable[Cards]) -> list[int]:
        assert len(board) == 5, "Omaha is judged over a whole board"
        hands = tuple(hands)
        if not hands:
            return []
        keys, rows = KEYS, self._threes
        a, b, c, d, e = board
        total = keys[a] + keys[b] + keys[c] + keys[d] + keys[e]
        ranks, suit = total >> SUIT_BITS, BOARD_SUIT[total & SUIT_MASK]
        values = omaha.by_ranks(rows.known.get(ranks) or rows.two_and_three(ranks, board), hands)
        if suit < 0 or not self.suits:
            return values
        return omaha.with_flushes(values, self.flushes, suit, board, hands)
