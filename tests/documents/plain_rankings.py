"""Rankings written a second time, slowly, from the words of the house rules alone.

Every value is a tuple that compares as the hands do: greater wins, equal splits. A card is its
two letters ("Ah"). Nothing here is shared with the product, fast, or clever: it is read beside
the documents. Where they are silent the readings of docs/rules/rules.md, section 2, hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations

RANKS = "23456789TJQKA"
HIGHEST_SUIT_LAST = "scdh"  # spades, clubs, diamonds, hearts: the 32-card games' suits, rising
Key = tuple[int, ...]


def rank(card: str) -> int:
    """Two is 2, the ace is 14."""
    return RANKS.index(card[0]) + 2


def suit_worth(card: str) -> int:
    return HIGHEST_SUIT_LAST.index(card[1])


def groups(cards: Iterable[str]) -> list[tuple[int, list[str]]]:
    """The cards by rank: the largest group first, among equal sizes the highest rank first."""
    by_rank: dict[int, list[str]] = {}
    for card in cards:
        by_rank.setdefault(rank(card), []).append(card)
    return sorted(by_rank.items(), key=lambda group: (-len(group[1]), -group[0]))


def straight_top(cards: Sequence[str], under_ace: int) -> int:
    """The top of the five-card straight, 0 if there is none. `under_ace`: 5, 10 or 9 (or 0).

    `under_ace` is the top of the one straight in which the ace stands below: five in
    A-2-3-4-5, ten in A-7-8-9-10; 0 where the ace is high only.
    """
    held = sorted(rank(card) for card in cards)
    if len(set(held)) < 5:
        return 0
    if held[4] - held[0] == 4:
        return held[4]
    if under_ace and held == [under_ace - 3, under_ace - 2, under_ace - 1, under_ace, 14]:
        return under_ace
    return 0


def is_flush(cards: Sequence[str]) -> bool:
    return len({card[1] for card in cards}) == 1


def shape(cards: Sequence[str], under_ace: int) -> str:
    """The usual name of five cards, before any order of the names."""
    sizes = [len(group) for _, group in groups(cards)]
    top, flush = straight_top(cards, under_ace), is_flush(cards)
    if top and flush:
        return "straight flush"
    if sizes[0] == 4:
        return "four of a kind"
    if sizes[:2] == [3, 2]:
        return "full house"
    if flush:
        return "flush"
    if top:
        return "straight"
    if sizes[0] == 3:
        return "three of a kind"
    if sizes[:2] == [2, 2]:
        return "two pair"
    return "one pair" if sizes[0] == 2 else "high card"


USUAL = (
    "high card",
    "one pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
FLUSH_OVER_FULL_HOUSE = (*USUAL[:5], "full house", "flush", *USUAL[7:])
SOKO = (*USUAL[:2], "four-straight", "four-flush", *USUAL[2:])


def by_ranks(cards: Sequence[str], under_ace: int) -> Key:
    """What follows the name where suits break nothing: groups' ranks, or a straight's top."""
    top = straight_top(cards, under_ace)
    return (top,) if top else tuple(value for value, _ in groups(cards))


def high(cards: Sequence[str]) -> Key:
    """The usual ranking; A-2-3-4-5 is a straight to the five."""
    return (USUAL.index(shape(cards, 5)), *by_ranks(cards, 5))


def americana(cards: Sequence[str]) -> Key:
    """32 cards: a flush over a full house, A-7-8-9-10 the lowest straight, suits break nothing."""
    return (FLUSH_OVER_FULL_HOUSE.index(shape(cards, 10)), *by_ranks(cards, 10))


def short_deck(cards: Sequence[str]) -> Key:
    """36 cards: a flush over a full house, A-6-7-8-9 the lowest straight."""
    return (FLUSH_OVER_FULL_HOUSE.index(shape(cards, 9)), *by_ranks(cards, 9))


def soko_name(cards: Sequence[str]) -> str:
    """The usual name, unless four suited or four running cards beat one pair."""
    usual = shape(cards, 5)
    if usual not in ("high card", "one pair"):
        return usual
    for four in combinations(cards, 4):
        if is_flush(four):
            return "four-flush"
    return "four-straight" if running_four(cards) else usual


def running_four(cards: Sequence[str]) -> tuple[int, int] | None:
    """Top of the run and rank of the fifth card, the best choice of them; None if no run."""
    found = []
    for four in combinations(cards, 4):
        held = sorted(rank(card) for card in four)
        (fifth,) = [card for card in cards if card not in four]
        if len(set(held)) == 4 and held[3] - held[0] == 3:
            found.append((held[3], rank(fifth)))
        elif held == [2, 3, 4, 14]:
            found.append((4, rank(fifth)))
    return max(found, default=None)


def soko(cards: Sequence[str]) -> Key:
    name = soko_name(cards)
    place = SOKO.index(name)
    if name == "four-flush":
        (four,) = [four for four in combinations(cards, 4) if is_flush(four)]
        (fifth,) = [card for card in cards if card not in four]
        return (place, *sorted((rank(card) for card in four), reverse=True), rank(fifth))
    if name == "four-straight":
        run = running_four(cards)
        assert run is not None, "the name says that there is one"
        return (place, *run)
    return (place, *by_ranks(cards, 5))


def draw32(cards: Sequence[str]) -> Key:
    """Every hand has its place: after the ranks, one card's suit."""
    name = shape(cards, 10)
    place = FLUSH_OVER_FULL_HOUSE.index(name)
    by_size = groups(cards)
    ranks = tuple(value for value, _ in by_size)
    if name in ("straight flush", "straight"):
        top = straight_top(cards, 10)
        (top_card,) = [card for card in cards if rank(card) == top]
        return (place, top, suit_worth(top_card))
    if name in ("four of a kind", "full house", "three of a kind"):
        return (place, ranks[0])
    if name == "two pair":
        return (place, *ranks, suit_worth(by_size[2][1][0]))
    if name == "one pair":
        return (place, *ranks, suit_worth(by_size[1][1][0]))
    # A flush and a high card: all five ranks, then the suit of the highest (a flush has one).
    return (place, *ranks, suit_worth(by_size[0][1][0]))


def telesina(cards: Sequence[str]) -> Key:
    """The suits are reached in the document's order; a shared card ties and the next decides."""
    name = shape(cards, 10)
    place = FLUSH_OVER_FULL_HOUSE.index(name)
    by_size = groups(cards)
    ranks = tuple(value for value, _ in by_size)
    if name in ("straight flush", "straight"):
        top = straight_top(cards, 10)
        falling = sorted(cards, key=lambda card: -(rank(card) if rank(card) <= top else 1))
        return (place, top, *(suit_worth(card) for card in falling))
    if name in ("four of a kind", "full house", "three of a kind"):
        return (place, ranks[0])
    if name == "flush":
        return (place, suit_worth(cards[0]))
    if name == "two pair":
        kicker = by_size[2][1][0]
        upper = max(suit_worth(card) for card in by_size[0][1])
        return (place, *ranks, suit_worth(kicker), upper)
    if name == "one pair":
        return (place, *ranks, *(suit_worth(group[0]) for _, group in by_size[1:]))
    # High card: the highest card's rank and suit, only then the second's.
    falling = sorted(cards, key=lambda card: -rank(card))
    return (place, *(part for card in falling for part in (rank(card), suit_worth(card))))


def telesina_best(own: Sequence[str], vela: str | None) -> Key:
    """The best five of a player's five and the Vela."""
    held = [*own, vela] if vela else list(own)
    return max(telesina(five) for five in combinations(held, 5))


def telesina_winners(
    hands: Mapping[int, Sequence[str]], vela: str | None, two_left: bool
) -> set[int]:
    """Who wins among `hands`. `two_left`: only two are left, so the exception holds."""
    keys = {who: telesina_best(own, vela) for who, own in hands.items()}
    best = max(keys.values())
    if two_left and len(keys) == 2:
        # With no card under the seven, the one straight flush to the ten is A-7-8-9-10.
        hearts_to_ace = (8, 14, HIGHEST_SUIT_LAST.index("h"))
        spades_to_ten = (8, 10, HIGHEST_SUIT_LAST.index("s"))
        if {key[:3] for key in keys.values()} == {hearts_to_ace, spades_to_ten}:
            best = min(keys.values())
    return {who for who, key in keys.items() if key == best}


def low8(cards: Sequence[str]) -> Key | None:
    """Ace to five, eight or better; None when the five cards do not qualify."""
    held = sorted((1 if rank(card) == 14 else rank(card) for card in cards), reverse=True)
    if len(set(held)) < 5 or held[0] > 8:
        return None
    return tuple(-value for value in held)


def low_a5(cards: Sequence[str]) -> Key:
    """Ace to five: straights and flushes do not exist, pairs count against."""
    by_rank: dict[int, int] = {}
    for card in cards:
        value = 1 if rank(card) == 14 else rank(card)
        by_rank[value] = by_rank.get(value, 0) + 1
    falling = sorted(by_rank.items(), key=lambda group: (-group[1], -group[0]))
    name = sorted(by_rank.values(), reverse=True)
    order = ([1, 1, 1, 1, 1], [2, 1, 1, 1], [2, 2, 1], [3, 1, 1], [3, 2], [4, 1])
    return (-order.index(name), *(-value for value, _ in falling))


def low27(cards: Sequence[str]) -> Key:
    """Deuce to seven: the usual ranking upside down, the ace high only."""
    return tuple(-part for part in (USUAL.index(shape(cards, 0)), *by_ranks(cards, 0)))


def badugi(cards: Sequence[str]) -> Key:
    """As many cards of different ranks and suits as possible, then the lowest from the top."""
    found = []
    for size in range(1, 5):
        for some in combinations(cards, size):
            values = [1 if rank(card) == 14 else rank(card) for card in some]
            if len(set(values)) == len({card[1] for card in some}) == size:
                found.append((size, *(-value for value in sorted(values, reverse=True))))
    return max(found)


def best_of(ranking: Callable[[Sequence[str]], Key | None], held: Sequence[str]) -> Key | None:
    """The best value of any five of the cards held; None if no five have one."""
    values = [value for five in combinations(held, 5) if (value := ranking(five)) is not None]
    return max(values, default=None)


def exactly_two(
    ranking: Callable[[Sequence[str]], Key | None], hole: Sequence[str], board: Sequence[str]
) -> Key | None:
    """The best value of exactly two of the hole cards with exactly three of the board."""
    values = [
        value
        for two in combinations(hole, 2)
        for three in combinations(board, 3)
        if (value := ranking((*two, *three))) is not None
    ]
    return max(values, default=None)
