"""Forced bets: what goes in before the cards, by whom, and how much of it a short stack can pay.

Gives the posts of one hand from the places of the button and the blinds; who sits there and who
owes what is the table's to say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from riverboat.game.hand.events import DealtIn, Post, Posted, Stakes
from riverboat.game.rules.schema import Forced, Game

# Looking members up in their enums takes as long as a post.
BLINDS: Final = Forced.BLINDS
ANTE: Final = Post.ANTE
SMALL_BLIND: Final = Post.SMALL_BLIND
BIG_BLIND: Final = Post.BIG_BLIND
BIG_BLIND_ANTE: Final = Post.BIG_BLIND_ANTE
DEAD: Final = frozenset({Post.ANTE, Post.BIG_BLIND_ANTE, Post.DEAD_BLIND})


class Debt(NamedTuple):
    """What a new or returning player posts out of position. [RULES 4, missed blinds]"""

    live: int  # a big blind
    dead: int  # a small blind, straight into the pot


def forced_posts(
    game: Game,
    stakes: Stakes,
    seats: Sequence[DealtIn],
    button: int,
    small_blind: int,
    big_blind: int,
    debts: Mapping[int, Debt],
    willing: Collection[int] | None = None,
) -> list[Posted]:
    """Every forced bet, in order: antes, blinds, the big blind's ante, debts, straddles.

    `seats` is in dealing order. `small_blind` may be an empty seat, or 0; then nobody posts it.
    The big blind owes nothing else, whatever stands against him. [RULES 4] `willing` are the seats
    that straddle, where that is asked; everywhere else all do.
    """
    posts = _Posts(seats)
    post = posts.post
    if stakes.ante:
        for dealt in seats:
            post(dealt.seat, ANTE, stakes.ante)
    # Even a blind that its seat cannot pay at all sets the price. [RULES 3, field]
    if game.forced is not BLINDS:
        if game.forced is Forced.BUTTON_BLIND:
            post(button, Post.BUTTON_BLIND, stakes.button_blind, even_nothing=True)
        return posts.made
    if small_blind in posts.stacks:
        post(small_blind, SMALL_BLIND, stakes.small_blind)
    post(big_blind, BIG_BLIND, stakes.big_blind, even_nothing=True)
    if stakes.big_blind_ante:
        post(big_blind, BIG_BLIND_ANTE, stakes.big_blind_ante)
    for dealt in seats if debts else ():
        debt = debts.get(dealt.seat)
        if debt and dealt.seat != big_blind:
            # The live part first: it is what the player can win with. [RULES 8]
            post(dealt.seat, Post.EXTRA_BLIND, debt.live)
            post(dealt.seat, Post.DEAD_BLIND, debt.dead)
    if stakes.straddles or stakes.button_straddle:
        blinds = (small_blind, big_blind)
        for seat, total in _straddles(stakes, posts, seats, button, blinds, willing):
            post(seat, Post.STRADDLE, total - posts.live(seat), due=total)
    return posts.made


def bomb_posts(seats: Sequence[DealtIn], ante: int) -> list[Posted]:
    """All that goes into a bomb pot before the cards: the same ante from everybody. [field]"""
    posts = _Posts(seats)
    for dealt in seats:
        posts.post(dealt.seat, ANTE, ante)
    return posts.made


class _Posts:
    """What was posted so far, and what each seat has left."""

    def __init__(self, seats: Sequence[DealtIn]) -> None:
        self.made: list[Posted] = []
        self.stacks = {dealt.seat: dealt.stack for dealt in seats}

    def post(
        self, seat: int, post: Post, owed: int, due: int = 0, even_nothing: bool = False
    ) -> None:
        stack = self.stacks[seat]
        amount = owed if owed < stack else stack
        if amount > 0 or even_nothing:
            self.stacks[seat] = stack - amount
            self.made.append(Posted(seat, post, amount, due or owed))

    def live(self, seat: int) -> int:
        """The seat's chips that count as its bet."""
        return sum(post.amount for post in self.made if post.seat == seat and post.post not in DEAD)


def _straddles(
    stakes: Stakes,
    posts: _Posts,
    seats: Sequence[DealtIn],
    button: int,
    blinds: tuple[int, int],
    willing: Collection[int] | None,
) -> Iterator[tuple[int, int]]:
    """Who straddles to what: in turn from the left of the big blind, then the button.

    Nobody straddles twice or from the blinds, and whoever cannot pay a straddle whole, or does not
    want to, makes none, nor does anybody behind him but the button.
    """
    order = [dealt.seat for dealt in seats]
    at = order.index(blinds[1]) + 1
    behind = [seat for seat in order[at:] + order[:at] if seat not in blinds]
    straddled = set()
    for seat, total in zip(behind, stakes.straddles, strict=False):
        if total - posts.live(seat) > posts.stacks[seat] or _declines(willing, seat):
            break
        straddled.add(seat)
        yield seat, total
    total = stakes.button_straddle
    may = button in behind and button not in straddled and not _declines(willing, button)
    if total and may and total - posts.live(button) <= posts.stacks[button]:
        yield button, total


def _declines(willing: Collection[int] | None, seat: int) -> bool:
    return willing is not None and seat not in willing
